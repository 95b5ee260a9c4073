package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"queuelab/analysis"
	"queuelab/measure/record"
)

// columns is how wide text is: terminals are seldom narrower.
const columns = 80

// write writes a comparison as text: what was compared, what differs around it, the
// figures, and the verdicts. An error of the writer is the writer's to keep.
func (r *compared) write(w io.Writer) {
	wrap(w, fmt.Sprintf("A: %s, %s", r.A, runs(r.RunsA)))
	wrap(w, fmt.Sprintf("B: %s, %s", r.B, runs(r.RunsB)))
	for _, line := range r.Differences {
		wrap(w, "differs: "+line)
	}
	for _, line := range r.Doubts {
		wrap(w, "doubtful: "+line)
	}
	if r.Order != "" {
		wrap(w, "order of the runs: "+r.Order)
	}
	if r.Interrupted {
		wrap(w, "INTERRUPTED: this is of the runs that were taken until then")
	}
	fmt.Fprintln(w)
	writeTable(w, r.Quantities)
	fmt.Fprintln(w)
	for _, q := range r.Quantities {
		wrap(w, q.Quantity+": "+q.Sentence)
	}
	if len(r.Unresolved) > 0 {
		wrap(w, "not resolved by every run: "+strings.Join(r.Unresolved, ", "))
	}
	if len(r.Unasked) > 0 {
		wrap(w, strings.Join(r.Unasked, ", ")+": not compared, since open loops answer what is offered; -quantity asks for it")
	}
	if line := r.words(); line != "" {
		wrap(w, line)
	}
}

func runs(n int) string {
	if n == 1 {
		return "1 run"
	}
	return fmt.Sprintf("%d runs", n)
}

// writeTable writes a row a quantity, and what the columns are.
func writeTable(w io.Writer, quantities []analysis.Compared) {
	rows := [][]string{{"", "A median", "spread", "B median", "spread", "change", "interval", "p"}}
	several := len(quantities) > 1
	if several {
		rows[0] = append(rows[0], "Holm")
	}
	level := record.Unknown()
	for _, q := range quantities {
		row := []string{
			withUnit(q.Quantity), figure(q.A.Median), percentage(q.A.Spread, "%.1f"), figure(q.B.Median), percentage(q.B.Spread, "%.1f"),
			percentage(q.Change, "%+.1f"), bounds(q), probability(q.P),
		}
		if several {
			row = append(row, probability(q.Holm))
		}
		rows = append(rows, row)
		if q.Level > 0 {
			level = q.Level
		}
	}
	align(w, rows)
	if level.Known() {
		wrap(w, fmt.Sprintf("spread: (max - min)/median; change in %%: B against A, Hodges-Lehmann, interval at %.1f %%; p: Mann-Whitney", 100*float64(level)))
	}
}

// align writes rows with their cells under each other, the first column to the
// left and the others to the right.
func align(w io.Writer, rows [][]string) {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], len([]rune(cell)))
		}
	}
	for _, row := range rows {
		line := fmt.Sprintf("%-*s", width[0], row[0])
		for i, cell := range row[1:] {
			line += fmt.Sprintf(" %*s", width[i+1], cell)
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

func withUnit(quantity string) string {
	if quantity == record.ThroughputKey {
		return quantity + "/s"
	}
	return quantity + " ms"
}

// figure writes four digits or more, and never an exponent.
func figure(v record.Value) string {
	if !v.Known() {
		return "-"
	}
	decimals := 3
	for edge := 10.0; decimals > 0 && math.Abs(float64(v)) >= edge; edge *= 10 {
		decimals--
	}
	return strconv.FormatFloat(float64(v), 'f', decimals, 64)
}

func percentage(v record.Value, format string) string {
	if !v.Known() {
		return "-"
	}
	return fmt.Sprintf(format+" %%", 100*float64(v))
}

// bounds are those of the change; a pair of single runs has none.
func bounds(q analysis.Compared) string {
	i := q.Interval
	if !i[0].Known() || !i[1].Known() || q.Level <= 0 {
		return "-"
	}
	return fmt.Sprintf("[%+.1f, %+.1f]", 100*float64(i[0]), 100*float64(i[1]))
}

func probability(v record.Value) string {
	if !v.Known() {
		return "-"
	}
	return fmt.Sprintf("%.2g", float64(v))
}

// wrap writes a text in lines of at most 80 columns, unless a word is longer; all
// but the first are indented.
func wrap(w io.Writer, text string) {
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case len([]rune(line))+1+len([]rune(word)) > columns:
			fmt.Fprintln(w, line)
			line = "  " + word
		default:
			line += " " + word
		}
	}
	fmt.Fprintln(w, line)
}
