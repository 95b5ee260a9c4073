package cleanup

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// statement is one DELETE whose table is known.
type statement struct {
	sql   string // without a semicolon at its end
	table string // its name as written, with schema and quotes where they are
	from  string // what FROM names: the table, after ONLY where that stands
}

// nameParts is how many parts a table's name may have: database, schema, table.
const nameParts = 3

// parse reads DELETE FROM [ONLY] name … with one command, which may end in a
// semicolon. Of what follows the name it only looks at where tokens end.
func parse(sql string) (statement, error) {
	if !utf8.ValidString(sql) || strings.ContainsRune(sql, 0) {
		return statement{}, errors.New("it is not text")
	}
	rest, err := expect(sql, "DELETE")
	if err == nil {
		rest, err = expect(rest, "FROM")
	}
	if err != nil {
		return statement{}, err
	}
	s := statement{}
	if only, after, err := next(rest); err == nil && only.is("ONLY") {
		s.from, rest = "ONLY ", after
	}
	if s.table, rest, err = name(rest); err != nil {
		return statement{}, err
	}
	s.from += s.table
	length, err := oneCommand(rest)
	if err != nil {
		return statement{}, err
	}
	s.sql = strings.Trim(sql[:len(sql)-len(rest)+length], space)
	return s, nil
}

// expect splits a keyword off.
func expect(sql, keyword string) (rest string, err error) {
	t, rest, err := next(sql)
	if err == nil && !t.is(keyword) {
		err = errors.New("it does not begin with DELETE FROM")
	}
	return rest, err
}

// name splits a table's name off, with a schema or not.
func name(sql string) (table, rest string, err error) {
	for part := 1; ; part++ {
		t, after, err := next(sql)
		if err != nil {
			return "", "", err
		}
		// PostgreSQL has no empty names.
		if t.kind != word && t.kind != quoted || t.text == `""` {
			return "", "", errors.New("no table's name follows FROM")
		}
		table += t.text
		t, rest, err := next(after)
		switch {
		case err != nil:
			return "", "", err
		case t.is(".") && part < nameParts:
			table += "."
			sql = rest
		case t.kind == nothing, t.kind == word, t.is(";"), t.is("*"):
			return table, after, nil
		default: // U&"…" and (…) among them
			return "", "", errors.New("what FROM names is not a plain table")
		}
	}
}

// oneCommand returns the length of what stands before a semicolon at the end.
func oneCommand(sql string) (length int, err error) {
	whole := len(sql)
	length = whole
	for {
		t, rest, err := next(sql)
		switch {
		case err != nil:
			return 0, err
		case t.kind == nothing:
			return length, nil
		case length < whole:
			return 0, errors.New("it has several commands; give one")
		case t.is(";"):
			length = whole - len(rest) - 1
		}
		sql = rest
	}
}
