package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
)

// ErrOccupied marks the refusal of a folder's name that something else bears,
// or that no new folder can bear.
var ErrOccupied = errors.New("no new folder can take this name")

// Stage is a folder under way: it is filled under a hidden temporary name beside
// the final one and renamed at the end, so that a reader never sees half of it.
type Stage struct {
	final, work string
}

// NewStage begins the folder out, which must not exist yet or be empty; the
// folders above it are made. A refusal of the name itself is an [ErrOccupied].
func NewStage(out string) (*Stage, error) {
	out = filepath.Clean(out)
	if err := vacant(out); err != nil {
		return nil, err
	}
	parent := filepath.Dir(out)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, fmt.Errorf("the folder %s cannot be made: %w", parent, err)
	}
	work, err := os.MkdirTemp(parent, "."+filepath.Base(out)+".partial-")
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be written: %w", out, err)
	}
	s := &Stage{final: out, work: work}
	// MkdirTemp makes folders that only their owner may read.
	if err := os.Chmod(work, 0o755); err != nil {
		return nil, errors.Join(fmt.Errorf("the folder %s cannot be written: %w", out, err), s.Discard())
	}
	return s, nil
}

// vacant refuses a folder in which something would be overwritten, and one that
// a renamed folder cannot replace.
func vacant(out string) error {
	if name := filepath.Base(out); name == "." || name == ".." || name == string(filepath.Separator) {
		return fmt.Errorf("%w: %q does not name a folder that can be made, such as results/first", ErrOccupied, out)
	}
	// A symbolic link counts as what it is: a folder cannot be renamed onto it.
	info, err := os.Lstat(out)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the folder %s cannot be used: %w", out, err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%w: %s exists and is not a folder: name another one, or remove it first", ErrOccupied, out)
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		return fmt.Errorf("the folder %s cannot be used: %w", out, err)
	}
	if len(entries) > 0 {
		return fmt.Errorf("%w: %s already holds files: name another one, or remove it first", ErrOccupied, out)
	}
	return nil
}

// Path is where the file name of the folder is written before Commit.
func (s *Stage) Path(name string) string { return filepath.Join(s.work, name) }

// hidden matches the temporary name of a folder under way.
var hidden = regexp.MustCompile(`(^|/)\.([^/]+)\.partial-[0-9]+(/|$)`)

// named is the name that the folder will bear, to be told: that of a folder inside
// another one under way is temporary too.
func (s *Stage) named() string { return hidden.ReplaceAllString(s.final, "$1$2$3") }

// Rename changes the name that Commit gives, as for a result that is not whole.
func (s *Stage) Rename(out string) { s.final = filepath.Clean(out) }

// Commit gives the folder its name. When the name was taken in the meantime,
// what was written stays under the temporary name, which the error tells.
func (s *Stage) Commit() error {
	// Unlike os.Rename, the system's rename replaces an empty folder, in one
	// step; it refuses a file and a folder that is not empty.
	if err := syscall.Rename(s.work, s.final); err != nil {
		return fmt.Errorf("the folder could not be moved to %s and stays in %s: %w", s.final, s.work, err)
	}
	return nil
}

// Discard removes what was written so far.
func (s *Stage) Discard() error { return os.RemoveAll(s.work) }
