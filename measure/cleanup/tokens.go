package cleanup

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// kind is what a token of SQL is.
type kind int

const (
	nothing kind = iota // the end of the statement
	word                // a keyword or an unquoted name
	quoted              // "a name", with its quotes
	text                // 'a string', with its quotes
	mark                // one byte of anything else
)

type token struct {
	kind kind
	text string // as written
}

// is says whether the token is a keyword, given in capitals, or a mark.
func (t token) is(wanted string) bool {
	return t.kind == word && strings.EqualFold(t.text, wanted) || t.kind == mark && t.text == wanted
}

// Spaces and the bytes of names as PostgreSQL's lexical rules have them: whatever
// is not ASCII belongs to a name.
const space = " \t\n\r\f"

func startsName(c byte) bool {
	return c == '_' || c >= utf8.RuneSelf || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func continuesName(c byte) bool { return startsName(c) || c == '$' || '0' <= c && c <= '9' }

// next splits the first token off a statement. Comments, parameters and
// dollar-quoted strings are refused: they are rare here, and a reader that gets them
// wrong would take a part of them for something else.
func next(sql string) (t token, rest string, err error) {
	sql = strings.TrimLeft(sql, space)
	if sql == "" {
		return token{}, "", nil
	}
	length, kind := 1, mark
	switch c := sql[0]; {
	case strings.HasPrefix(sql, "--"), strings.HasPrefix(sql, "/*"):
		return token{}, "", errors.New("it has a comment; leave that out")
	case c == '$':
		return token{}, "", errors.New("it has a $; write values and strings out, in '…'")
	case c == '"':
		length, kind = closing(sql, false), quoted
	case c == '\'':
		length, kind = closing(sql, false), text
	case (c == 'e' || c == 'E') && len(sql) > 1 && sql[1] == '\'':
		length, kind = 1+closing(sql[1:], true), text
	case startsName(c):
		kind = word
		for length < len(sql) && continuesName(sql[length]) {
			length++
		}
	}
	if length == 0 || length > len(sql) {
		return token{}, "", errors.New("a quote is not closed")
	}
	return token{kind, sql[:length]}, sql[length:], nil
}

// closing returns the length of what stands in quotes at the beginning, in which a
// doubled quote is a quote, and one after a backslash too where those escape; more
// than there is when it does not end.
func closing(sql string, escapes bool) int {
	quote := sql[0]
	for i := 1; i < len(sql); i++ {
		switch {
		case escapes && sql[i] == '\\':
			i++
		case sql[i] != quote:
		case i+1 < len(sql) && sql[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return len(sql) + 1
}
