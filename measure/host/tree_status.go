package host

import (
	"fmt"
	"strings"
)

// mostNamed bounds how many changed files are named.
const mostNamed = 10

// tree is the state of a working tree.
type tree struct {
	commit  string   // "" before the first one
	branch  string   // "" when none is checked out
	named   []string // the first changes, "M a.go"
	changes int
}

func (t tree) String() string {
	commit, branch, changes := "no commit yet", "no branch", "clean"
	if t.commit != "" {
		commit = "commit " + t.commit[:min(12, len(t.commit))]
	}
	if t.branch != "" {
		branch = "branch " + t.branch
	}
	if t.changes > 0 {
		changes = fmt.Sprintf("%d uncommitted changes: %s", t.changes, strings.Join(t.named, ", "))
		if t.changes == 1 {
			changes = "1 uncommitted change: " + t.named[0]
		}
	}
	if more := t.changes - len(t.named); more > 0 {
		changes += fmt.Sprintf(" and %d more", more)
	}
	return commit + ", " + branch + ", " + changes
}

// parseStatus reads the answer of git status --porcelain=v2 --branch, described in
// git-status(1): a line for each fact of the branch, and one for each change, with
// fields before the path whose number depends on the kind of change.
func parseStatus(answer string) (t tree, ok bool) {
	for line := range strings.Lines(answer) {
		line = strings.TrimSuffix(line, "\n")
		kind, rest, _ := strings.Cut(line, " ")
		if kind == "#" {
			t.fact(rest)
			continue
		}
		var change string
		switch kind {
		case "1":
			change = named(rest, 8)
		case "2":
			change = named(rest, 9)
		case "u":
			change = named(rest, 10)
		case "?":
			change = named("?? "+rest, 2)
		}
		if change == "" {
			return tree{}, false
		}
		t.changes++
		if len(t.named) < mostNamed {
			t.named = append(t.named, change)
		}
	}
	return t, true
}

// fact takes in a line about the branch; those about its upstream do not matter.
func (t *tree) fact(line string) {
	name, value, _ := strings.Cut(line, " ")
	switch {
	case name == "branch.oid" && value != "(initial)":
		t.commit = value
	case name == "branch.head" && value != "(detached)":
		t.branch = value
	}
}

// named returns a change of a known file as git's short format has it: its state in
// index and working tree, and its path, which is the last of so many fields. A file
// that has moved has its earlier path behind a tab.
func named(change string, fields int) string {
	parts := strings.SplitN(change, " ", fields)
	if len(parts) < fields || parts[fields-1] == "" {
		return ""
	}
	state := strings.ReplaceAll(parts[0], ".", "")
	path, from, moved := strings.Cut(parts[fields-1], "\t")
	if moved {
		path = from + " -> " + path
	}
	return state + " " + path
}
