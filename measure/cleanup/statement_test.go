package cleanup

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ sql, table, from, kept string }{
		{"DELETE FROM links", "links", "links", "DELETE FROM links"},
		{" delete\n\tfrom links where url = 'https://example.com/loadtest' ;\n", "links", "links", "delete\n\tfrom links where url = 'https://example.com/loadtest'"},
		{"DELETE FROM ONLY links;", "links", "ONLY links", "DELETE FROM ONLY links"},
		{"DELETE FROM only public.links", "public.links", "ONLY public.links", "DELETE FROM only public.links"},
		{`DELETE FROM"My ""Schema""" . "li;nks"WHERE true`, `"My ""Schema"""."li;nks"`, `"My ""Schema"""."li;nks"`, `DELETE FROM"My ""Schema""" . "li;nks"WHERE true`},
		{"DELETE FROM db.public.links l USING other o WHERE l.id = o.id RETURNING *", "db.public.links", "db.public.links", "DELETE FROM db.public.links l USING other o WHERE l.id = o.id RETURNING *"},
		{"DELETE FROM links * WHERE id > 5", "links", "links", "DELETE FROM links * WHERE id > 5"},
		{"DELETE FROM größe WHERE a$1 = 'x; y -- z /* $1 */ it''s'", "größe", "größe", "DELETE FROM größe WHERE a$1 = 'x; y -- z /* $1 */ it''s'"},
		{`DELETE FROM t WHERE u = E'\'; DELETE FROM x' AND v = e'\\'`, "t", "t", `DELETE FROM t WHERE u = E'\'; DELETE FROM x' AND v = e'\\'`},
		{`DELETE FROM t WHERE u = '\';`, "t", "t", `DELETE FROM t WHERE u = '\'`},
		{`DELETE FROM onlyone`, "onlyone", "onlyone", "DELETE FROM onlyone"},
	} {
		got, err := parse(tt.sql)
		if want := (statement{tt.kept, tt.table, tt.from}); err != nil || got != want {
			t.Errorf("parse(%q) = %q, %v, want %q", tt.sql, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ sql, mentions string }{
		{"", "DELETE FROM"},
		{";", "DELETE FROM"},
		{"TRUNCATE links", "DELETE FROM"},
		{"DELETE links", "DELETE FROM"},
		{"DELETEFROM links", "DELETE FROM"},
		{"WITH x AS (SELECT 1) DELETE FROM links", "DELETE FROM"},
		{`"DELETE" FROM links`, "DELETE FROM"},
		{"DELETE FROM", "name"},
		{"DELETE FROM ;", "name"},
		{"DELETE FROM ONLY", "name"},
		{"DELETE FROM 'links'", "name"},
		{`DELETE FROM ""`, "name"},
		{"DELETE FROM public.", "name"},
		{"DELETE FROM a.b.c.d", "plain table"},
		{"DELETE FROM ONLY (links)", "name"},
		{"DELETE FROM f(1)", "plain table"},
		{`DELETE FROM U&"d0061t" WHERE true`, "plain table"},
		{"DELETE FROM links; DELETE FROM users", "several"},
		{"DELETE FROM links;;", "several"},
		{"DELETE FROM links WHERE url = $1", "$"},
		{"DELETE FROM links WHERE url = $$x$$", "$"},
		{"DELETE FROM links -- all", "comment"},
		{"DELETE /* some */ FROM links", "comment"},
		{"DELETE FROM links WHERE url = 'x", "quote"},
		{`DELETE FROM links WHERE url = E'x\'`, "quote"},
		{`DELETE FROM "links`, "quote"},
		{"DELETE FROM links\x00", "text"},
		{"DELETE FROM links WHERE url = '\xff'", "text"},
	} {
		if got, err := parse(tt.sql); err == nil || !strings.Contains(err.Error(), tt.mentions) {
			t.Errorf("parse(%q) = %q, %v, want an error that mentions %q", tt.sql, got, err, tt.mentions)
		}
	}
}

// FuzzParse: whatever is accepted is one command, names a table, and stays what it
// is when it is read again.
func FuzzParse(f *testing.F) {
	for _, sql := range []string{
		"DELETE FROM links WHERE url = 'https://example.com/loadtest';",
		`delete from only "a""b" . c d USING e`,
		`DELETE FROM t WHERE u = E'\'' AND v = '\' AND w = U&'\0061'`,
		"DELETE FROM a; DELETE FROM b",
		"DELETE FROM a -- b",
		"DELETE FROM größe$1 *",
	} {
		f.Add(sql)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		s, err := parse(sql)
		if err != nil {
			if s != (statement{}) {
				t.Errorf("parse(%q) gives %q beside %v", sql, s, err)
			}
			return
		}
		if s.table == "" || !strings.HasSuffix(s.from, s.table) || !strings.Contains(sql, s.sql) {
			t.Fatalf("parse(%q) = %q", sql, s)
		}
		if again, err := parse(s.sql + " ;"); err != nil || again != s {
			t.Errorf("%q is read as %q, then as %q, %v", sql, s, again, err)
		}
		for _, more := range []string{"; DELETE FROM x", " -- x", " $1", " 'x", ` "x`} {
			if again, err := parse(s.sql + more); err == nil {
				t.Errorf("%q with %q after it is read as %q", sql, more, again)
			}
		}
		counted, err := parse("DELETE FROM " + s.from)
		if err != nil || counted.table != s.table || counted.from != s.from {
			t.Errorf("%q names %q, which alone is read as %q, %v", sql, s.from, counted, err)
		}
	})
}

// FuzzQuotedNames: a name in quotes comes out as it went in, whatever it holds.
func FuzzQuotedNames(f *testing.F) {
	f.Add("public", "links")
	f.Add(`a"b`, `; DELETE FROM x --`)
	f.Add("$1", "/* '")
	f.Fuzz(func(t *testing.T, schema, table string) {
		for _, part := range []string{schema, table} {
			if part == "" || !utf8.ValidString(part) || strings.ContainsRune(part, 0) {
				return
			}
		}
		quote := func(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
		want := quote(schema) + "." + quote(table)
		s, err := parse("DELETE FROM ONLY " + want + " WHERE true;")
		if err != nil || s.table != want || s.from != "ONLY "+want {
			t.Errorf("%s is read as %q, %v", want, s, err)
		}
	})
}
