package database_test

import (
	"strings"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure/database"
)

func TestOneTransaction(t *testing.T) {
	for sql, want := range map[string]bool{
		"SELECT 1": true, "select pg_sleep($1)": true, "\n\tInsert INTO t VALUES (1)": true, "TABLE t": true,
		"(SELECT 1) UNION (SELECT 2)": true, "WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a": true,
		"-- a comment\nSELECT 1": true, "/* one /* in */ another */ UPDATE t SET n = 1": true, "SELECT(1)": true, "VALUES (1)": true,
		"BEGIN": false, "COMMIT": false, "CALL p()": false, "DO $$ BEGIN COMMIT; END $$": false, "VACUUM": false, "vacuum select": false,
		"SELECTED": false, "": false, "-- SELECT": false, "/* SELECT": false, "/* /* */ SELECT": false, "1": false, "\"SELECT\"": false,
	} {
		if got := database.OneTransaction(sql); got != want {
			t.Errorf("%q is one transaction: %v, want %v", sql, got, want)
		}
		if c, ok := database.NewCounter(drivers.Options{SQL: sql}, 1); ok != want || ok != (c != nil) {
			t.Errorf("%q has a counter: %v, want %v", sql, ok, want)
		}
	}
}

// FuzzOneTransaction: comments, spaces and capitals before and in the first word change
// nothing.
func FuzzOneTransaction(f *testing.F) {
	for _, sql := range []string{"SELECT 1", "(values (1))", "call p()", "/* a /* b */ c */ --\n TABLE t", "/*/ SELECT", "--", "é"} {
		f.Add(sql)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		got := database.OneTransaction(sql)
		for _, same := range []string{" \n" + sql, "--SELECT\n" + sql, "/* VACUUM /**/ */" + sql, "(" + sql, strings.ToLower(sql)} {
			if again := database.OneTransaction(same); again != got {
				t.Errorf("%q is one transaction: %v, but %q: %v", sql, got, same, again)
			}
		}
	})
}

// TestVisits: scans that autovacuum cannot have made leave its transactions unknown.
func TestVisits(t *testing.T) {
	for _, c := range []struct {
		name             string
		scans, cleanings int64
		within           time.Duration
		want             int64
		wrong            string
	}{
		{"none", 0, 0, time.Second, 0, ""},
		{"one, soon", 3, 0, time.Second, 1, ""},
		{"every minute", 12, 0, 3*time.Minute + time.Second, 4, ""},
		{"too many for the time", 12, 0, time.Minute, 0, "not by autovacuum alone"},
		{"not by threes", 4, 0, time.Hour, 0, "not by autovacuum alone"},
		{"less than before", -3, 0, time.Hour, 0, "not by autovacuum alone"},
		{"with work on a table", 3, 1, time.Minute, 0, "cleaned up tables"},
	} {
		got, err := database.Visits(c.scans, c.cleanings, time.Minute, c.within)
		if got != c.want || (err != nil) != (c.wrong != "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %d visits, %v; want %d, %q", c.name, got, err, c.want, c.wrong)
		}
	}
}
