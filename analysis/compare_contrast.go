package analysis

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"queuelab/measure/record"
)

// moving are the parts of a private server's address that are new in each start:
// the number of its directory, and its port on loopback.
var moving = []*regexp.Regexp{
	regexp.MustCompile(`(/queuelab-[a-z]+-)[0-9a-f]+`),
	regexp.MustCompile(`(\b127\.0\.0\.1:)[0-9]+`),
}

// settled is a text about a private server without what moves in it; other texts
// stay as they are.
func settled(text string, lab bool) string {
	if lab {
		for _, part := range moving {
			text = part.ReplaceAllString(text, "${1}…")
		}
	}
	return text
}

// Of long texts that differ, so many lines are shown, and so much of each.
const (
	shownLines = 2
	shownRunes = 80
)

// contrast says what a text is for A and what for B: of texts with several lines,
// the lines that only one of them has.
func contrast(a, b string) string {
	linesA, linesB := lines(a), lines(b)
	if len(linesA) == 1 && len(linesB) == 1 {
		from := alike(linesA[0], linesB[0])
		return fmt.Sprintf("A %s, B %s", shown([]string{after(linesA[0], from)}), shown([]string{after(linesB[0], from)}))
	}
	if len(linesA) < 2 && len(linesB) < 2 {
		return fmt.Sprintf("A %s, B %s", shown(linesA), shown(linesB))
	}
	onlyA, onlyB := missing(linesA, linesB), missing(linesB, linesA)
	switch {
	case len(onlyA) == 0 && len(onlyB) == 0:
		return "the same lines in another order"
	case len(onlyA) == 0:
		return "B alone has " + shown(onlyB)
	case len(onlyB) == 0:
		return "A alone has " + shown(onlyA)
	}
	return fmt.Sprintf("A %s; B %s", shown(onlyA), shown(onlyB))
}

// alike is how many runes at the beginning of two long lines are the same and need
// not be shown: what differs would lie beyond the cut.
func alike(a, b string) int {
	runesA, runesB := []rune(a), []rune(b)
	if max(len(runesA), len(runesB)) <= shownRunes {
		return 0
	}
	n := 0
	for n < min(len(runesA), len(runesB)) && runesA[n] == runesB[n] {
		n++
	}
	return max(n-shownRunes/4, 0)
}

// after is a line from a rune on.
func after(line string, from int) string {
	if from == 0 {
		return line
	}
	return "…" + string([]rune(line)[from:])
}

func lines(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
}

// missing are the lines that others lack.
func missing(lines, others []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(others, line) })
}

// shown are the first of the lines, cut to a readable length.
func shown(lines []string) string {
	if len(lines) == 0 {
		return "not said"
	}
	var out []string
	for _, line := range lines[:min(len(lines), shownLines)] {
		runes := []rune(strings.TrimSpace(line))
		if len(runes) > shownRunes {
			runes = append(runes[:shownRunes], '…')
		}
		out = append(out, string(runes))
	}
	if rest := len(lines) - shownLines; rest > 0 {
		out = append(out, fmt.Sprintf("and %s more", count(rest, "line")))
	}
	return strings.Join(out, "; ")
}

// uncommitted names the sides whose program, or whose working tree, was not what
// its commit says.
func uncommitted(a, b *record.Run) []string {
	var out []string
	for _, c := range []struct {
		says  string
		dirty func(*record.Header) bool
	}{
		{"the program was built from uncommitted changes, which its commit does not tell", func(h *record.Header) bool { return strings.HasSuffix(h.Commit, "-dirty") }},
		{"measured in a working tree with uncommitted changes, which its commit does not tell", func(h *record.Header) bool { return strings.Contains(h.Tree, "uncommitted change") }},
	} {
		var sides []string
		for i, r := range []*record.Run{a, b} {
			if r.Header != nil && c.dirty(r.Header) {
				sides = append(sides, string('A'+rune(i)))
			}
		}
		if len(sides) > 0 {
			out = append(out, strings.Join(sides, " and ")+": "+c.says)
		}
	}
	return out
}
