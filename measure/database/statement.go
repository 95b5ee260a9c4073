package database

import (
	"slices"
	"strings"
)

// single are the first words of statements that are one transaction each where none
// is begun: unlike CALL, DO or VACUUM, which may commit on the way, and BEGIN, with
// which a transaction lasts over several requests.
var single = []string{"SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "WITH", "VALUES", "TABLE"}

// oneTransaction says whether a statement is known to be one transaction. A request is
// one statement: the driver prepares it, and PostgreSQL prepares no more than one.
func oneTransaction(sql string) bool {
	return slices.Contains(single, strings.ToUpper(firstWord(sql)))
}

// firstWord is the first word of a statement after spaces, comments and brackets, ""
// when something else comes first.
func firstWord(sql string) string {
	for {
		sql = strings.TrimLeft(sql, " \t\n\r\f(")
		switch {
		case strings.HasPrefix(sql, "--"):
			_, sql, _ = strings.Cut(sql, "\n")
		case strings.HasPrefix(sql, "/*"):
			sql = sql[comment(sql):]
		default:
			end := strings.IndexFunc(sql, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
			if end < 0 {
				return sql
			}
			return sql[:end]
		}
	}
}

// comment is the length of the comment that a text begins with: PostgreSQL's nest. It
// is that of the text when the comment does not end.
func comment(text string) int {
	depth := 0
	for i := 0; i+1 < len(text); i++ {
		switch text[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(text)
}
