package reports

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// writeText writes the table in columns for a terminal, an empty line behind it:
// names flush left, numbers flush right.
func (t *Table) writeText(w io.Writer) error {
	lines := [][]string{make([]string, t.width()), make([]string, t.width())}
	for c := range t.width() {
		lines[0][c], lines[1][c] = t.column(c)
	}
	for _, row := range t.Rows {
		line := make([]string, t.width())
		for c, cell := range row {
			line[c] = string(cell)
		}
		lines = append(lines, line)
	}
	widths, numeric := make([]int, t.width()), t.numeric()
	for _, line := range lines {
		for c, text := range line {
			widths[c] = max(widths[c], utf8.RuneCountInString(text))
		}
	}
	for _, line := range lines {
		for c, text := range line {
			space := strings.Repeat(" ", widths[c]-utf8.RuneCountInString(text))
			if numeric[c] {
				line[c] = space + text
			} else {
				line[c] = text + space
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(strings.Join(line, "  "), " ")); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}
