// Package program finds the programs that a private server is made of.
package program

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Program is something that must be installed for a lab to start.
type Program struct {
	// Name is the program's file name, such as "postgres".
	Name string
	// Beside names programs that must lie in the same directory.
	Beside []string
	// Directories are searched when PATH does not have it: glob patterns, those
	// with higher version numbers in their names first.
	Directories []string
	// Package is what to install on Debian and Ubuntu.
	Package string
}

// MissingError says that a program is not installed, and how to install it.
type MissingError struct {
	Program string // its file name
	Package string // what to install on Debian and Ubuntu
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s is not installed: install it with `%s`", e.Program, e.Install())
}

// Install is the exact command that installs the program.
func (e *MissingError) Install() string { return "apt-get install " + e.Package }

// Find returns the program's path: from PATH, else from its directories. The error
// is a *[MissingError] when neither has it together with what belongs beside it.
func Find(p Program) (string, error) {
	var candidates []string
	if path, err := exec.LookPath(p.Name); err == nil {
		if path, err = filepath.Abs(path); err == nil {
			candidates = append(candidates, path)
		}
	}
	for _, pattern := range p.Directories {
		found, err := filepath.Glob(filepath.Join(pattern, p.Name))
		if err != nil {
			return "", fmt.Errorf("look for %s in %s: %w", p.Name, pattern, err)
		}
		slices.SortStableFunc(found, func(a, b string) int { return slices.Compare(numbers(b), numbers(a)) })
		candidates = append(candidates, found...)
	}
	for _, path := range candidates {
		if complete(path, p.Beside) {
			return path, nil
		}
	}
	return "", &MissingError{Program: p.Name, Package: p.Package}
}

// complete reports whether path and the programs beside it can be run.
func complete(path string, beside []string) bool {
	for _, name := range append([]string{filepath.Base(path)}, beside...) {
		info, err := os.Stat(filepath.Join(filepath.Dir(path), name))
		if err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			return false
		}
	}
	return true
}

// numbers returns the numbers in a path, in order: 9.6 stands below 15.
func numbers(path string) []int {
	digits := strings.FieldsFunc(path, func(r rune) bool { return r < '0' || r > '9' })
	values := make([]int, len(digits))
	for i, d := range digits {
		values[i], _ = strconv.Atoi(d) // more digits than an int holds: the largest int
	}
	return values
}
