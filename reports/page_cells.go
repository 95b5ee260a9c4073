package reports

import (
	"regexp"
	"strings"
)

// numberForm is a number, an interval or the two together, with units that are
// signs: "12.4", "0.96 [0.92, 1.01]", "−5 %", "11.0–13.0".
var numberForm = regexp.MustCompile(`^[<>≤≥±~+\-−]?\d[\d.,%\[\]()+\-−–±…×/eE  ]*$`)

// absent are the ways to write that there is no number.
var absent = map[string]bool{"": true, "-": true, "–": true, "—": true, "none": true, "null": true}

// numeric says of each column whether all it holds are numbers, at least one.
func (t *Table) numeric() []bool {
	columns := make([]bool, t.width())
	for c := range columns {
		for _, row := range t.Rows {
			if c >= len(row) || absent[strings.TrimSpace(string(row[c]))] {
				continue
			}
			columns[c] = numberForm.MatchString(strings.TrimSpace(string(row[c])))
			if !columns[c] {
				break
			}
		}
	}
	return columns
}

// width is the number of columns.
func (t *Table) width() int {
	width := len(t.Columns)
	for _, row := range t.Rows {
		width = max(width, len(row))
	}
	return width
}

// column is a column's head and unit, empty where the table has none.
func (t *Table) column(c int) (head, unit string) {
	if c < len(t.Columns) {
		head = t.Columns[c]
	}
	if c < len(t.Units) {
		unit = t.Units[c]
	}
	return head, unit
}

// verdicts are the words that get a badge, and what each amounts to.
var verdicts = map[string]string{
	"AGREES": "good", "DISAGREES": "bad", "INCONCLUSIVE": "open",
	"VALID": "good", "INVALID": "bad", "SUSPECT": "open",
}

var firstWord = regexp.MustCompile(`^[A-Z]+\b`)

// verdict takes the verdict that a cell begins with from what follows it.
func (c Cell) verdict() (word, kind, rest string) {
	word = firstWord.FindString(string(c))
	if kind = verdicts[word]; kind == "" {
		return "", "", string(c)
	}
	return word, kind, string(c)[len(word):]
}
