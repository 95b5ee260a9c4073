package reports

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// reading is a study file being read. It goes on after a problem, so that one
// look at the errors mends the whole file.
type reading struct {
	path     string
	problems []problem
}

// problem is one sentence about one line; line 0 is the whole file.
type problem struct {
	line int
	text string
}

// refuse notes a problem.
func (r *reading) refuse(line int, format string, args ...any) {
	r.problems = append(r.problems, problem{line, fmt.Sprintf(format, args...)})
}

// maxProblems is how many problems an error tells.
const maxProblems = 20

// err is all problems in the order of the file, one a line, or nil.
func (r *reading) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, func(a, b problem) int { return cmp.Compare(a.line, b.line) })
	var lines []string
	for _, p := range r.problems[:min(len(r.problems), maxProblems)] {
		where := r.path
		if p.line > 0 {
			where = fmt.Sprintf("%s:%d", r.path, p.line)
		}
		lines = append(lines, where+": "+p.text)
	}
	if more := len(r.problems) - maxProblems; more > 0 {
		lines = append(lines, fmt.Sprintf("%s: and %d problems more", r.path, more))
	}
	return errors.New(strings.Join(lines, "\n"))
}

// meant is "; did you mean X?" with the nearest of the choices, or, when none
// is near, what to use instead.
func meant(text string, choices []string) string {
	if near := nearest(text, choices); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	if len(choices) == 1 {
		return "; use " + choices[0]
	}
	return "; use one of " + strings.Join(choices, ", ")
}

// nearest is the choice that a misspelt word is a third of its letters away
// from, or empty.
func nearest(text string, choices []string) string {
	best, distance := "", min(1+max(len(text), 3)/3, len(text))
	for _, c := range choices {
		if d := edits(strings.ToLower(text), strings.ToLower(c)); d < distance {
			best, distance = c, d
		}
	}
	return best
}

// edits is the number of letters to insert, delete, replace or swap with their
// neighbour between two words (optimal string alignment distance).
func edits(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replace := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			rows[i][j] = min(replace, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// shown quotes what somebody wrote, unless it is long or could hold a password.
func shown(text string) string {
	if len(text) > 40 || strings.ContainsAny(text, "@=") || strings.Contains(text, "://") {
		return "what stands there"
	}
	return fmt.Sprintf("%q", text)
}
