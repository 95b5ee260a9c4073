package main_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// root is the repository's top level.
const root = "../.."

// module is the prefix of every import path of ours.
const module = "queuelab/"

// floors are the folders that hold packages, each of which uses only what
// stands to its right.
var floors = []string{"notebooks", "cmd", "reports", "analysis", "sim", "measure", "drivers"}

// leaves of measure use only leaves, and are all that sim uses of measure.
var leaves = []string{"measure/workload", "measure/record", "measure/law", "measure/stats"}

// topLevel is all that the repository's root holds beside the floors and dot
// files; bin is what make builds, and git ignores it.
var topLevel = []string{"go.mod", "go.sum", "Makefile", "README.md", "LICENSE", "bin"}

// breach says which rule of the house is broken when the package in the folder
// from imports to; empty when none.
func breach(from, to string) string {
	to, ours := strings.CutPrefix(to, module)
	if !ours {
		return ""
	}
	upper, lower := floor(from), floor(to)
	switch {
	case upper < 0 || lower < 0:
		return "a package stands outside the floors " + strings.Join(floors, ", ")
	case slices.Contains(leaves, from) && !slices.Contains(leaves, to):
		return "leaves use only leaves"
	case upper > lower:
		return fmt.Sprintf("%s stands above %s", floors[lower], floors[upper])
	case floors[upper] == "sim" && floors[lower] != "sim" && !slices.Contains(leaves, to):
		return "sim uses only the leaves of measure"
	}
	return ""
}

func floor(name string) int {
	first, _, _ := strings.Cut(name, "/")
	return slices.Index(floors, first)
}

// misplaced are the names that do not belong at the top level.
func misplaced(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return strings.HasPrefix(name, ".") || slices.Contains(floors, name) || slices.Contains(topLevel, name)
	})
}

// imports calls visit for each import of each Go file of the repository, those
// of tests and of other systems included.
func imports(t *testing.T, visit func(from, to string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") && name != root):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".go":
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			to, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			visit(filepath.ToSlash(folder), to)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestImportsKeepTheFloors(t *testing.T) {
	seen := map[string]bool{}
	imports(t, func(from, to string) {
		seen[from] = true
		if rule := breach(from, to); rule != "" {
			t.Errorf("%s imports %s: %s", from, to, rule)
		}
	})
	for _, want := range append([]string{"cmd/queuelab", "drivers", "measure"}, leaves...) {
		if !seen[want] {
			t.Errorf("no imports were found in %s: the test looks in the wrong place", want)
		}
	}
}

func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Contains(names, "go.mod") {
		t.Fatalf("the top level holds %v: the test looks in the wrong place", names)
	}
	for _, name := range misplaced(names) {
		t.Errorf("%s does not belong at the top level", name)
	}
}

func TestBreachSeesEachRule(t *testing.T) {
	tests := []struct {
		from, to string
		broken   bool
	}{
		{"cmd/queuelab", "fmt", false},
		{"drivers", "github.com/valyala/fasthttp", false},
		{"cmd/queuelab", module + "drivers", false},
		{"cmd/queuelab", module + "reports", false},
		{"reports", module + "analysis/figure", false},
		{"reports", module + "measure/lab", false},
		{"analysis", module + "sim/theory", false},
		{"sim", module + "sim/kendall", false},
		{"sim", module + "measure/law", false},
		{"measure", module + "drivers", false},
		{"measure/lab/known", module + "measure", false},
		{"measure/law", module + "measure/record", false},
		{"notebooks/first", module + "reports", false},
		{"drivers", module + "measure/record", true},
		{"measure", module + "sim", true},
		{"sim", module + "measure", true},
		{"sim/theory", module + "measure/host", true},
		{"sim", module + "drivers", true},
		{"analysis", module + "reports", true},
		{"reports", module + "cmd/queuelab", true},
		{"reports", module + "notebooks/first", true},
		{"measure/law", module + "measure", true},
		{"measure/record", module + "drivers", true},
		{"measure/stats", module + "measure/host", true},
		{"sim", module + "tools", true},
		{"tools", module + "sim", true},
	}
	for _, tt := range tests {
		if rule := breach(tt.from, tt.to); (rule != "") != tt.broken {
			t.Errorf("%s importing %s breaks the rule %q, want broken %v", tt.from, tt.to, rule, tt.broken)
		}
	}
}

func TestMisplacedSeesStrangers(t *testing.T) {
	got := misplaced([]string{".git", ".ci", "cmd", "sim", "go.mod", "LICENSE", "scripts", "notes.md", "notebooks"})
	if want := []string{"scripts", "notes.md"}; !slices.Equal(got, want) {
		t.Errorf("misplaced are %v, want %v", got, want)
	}
}
