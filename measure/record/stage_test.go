package record_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"queuelab/measure/record"
)

// staged begins the folder out and writes one file into it.
func staged(t *testing.T, out string) *record.Stage {
	t.Helper()
	s, err := record.NewStage(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.Path("a.txt"), []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStageTakesItsName(t *testing.T) {
	parent := t.TempDir()
	empty := filepath.Join(parent, "empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{filepath.Join(parent, "new"), empty, filepath.Join(parent, "deep", "er") + "/", filepath.Join(parent, "a*b")} {
		s := staged(t, out)
		if err := s.Commit(); err != nil {
			t.Errorf("%s: %v", out, err)
			continue
		}
		if got := names(t, out); len(got) != 1 || got[0] != "a.txt" {
			t.Errorf("%s holds %v", out, got)
		}
		if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%s has the mode %v, %v; want rwxr-xr-x", out, info.Mode(), err)
		}
	}
	for _, name := range names(t, parent) {
		if strings.HasPrefix(name, ".") {
			t.Errorf("%s was left behind", name)
		}
	}
}

func TestStageDiscardLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	if err := staged(t, filepath.Join(parent, "out")).Discard(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, parent); len(got) != 0 {
		t.Errorf("after Discard its parent holds %v", got)
	}
}

func TestNewStageRefuses(t *testing.T) {
	full := t.TempDir()
	file, link := filepath.Join(full, "precious"), filepath.Join(full, "link")
	if err := os.WriteFile(file, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		out      string
		occupied bool
		says     string
	}{
		{full, true, "already holds files"},
		{file, true, "is not a folder"},
		{link, true, "is not a folder"},
		{filepath.Join(file, "out"), false, "cannot be used"},
		{filepath.Join(full, strings.Repeat("x", 250)), false, "cannot be written"},
		{"", true, "does not name"},
		{".", true, "does not name"},
		{"x/..", true, "does not name"},
		{"../..", true, "does not name"},
		{"/", true, "does not name"},
	} {
		s, err := record.NewStage(tt.out)
		if err == nil {
			s.Discard()
			t.Errorf("the folder %q was accepted", tt.out)
			continue
		}
		if errors.Is(err, record.ErrOccupied) != tt.occupied || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("the folder %q is refused with %q; want %q, occupied: %v", tt.out, err, tt.says, tt.occupied)
		}
	}
	if got := names(t, full); len(got) != 2 {
		t.Errorf("the refusals left %v", got)
	}
}

// Whatever takes the name in the meantime, neither it nor what was written is
// lost.
func TestStageCommitLosesNothing(t *testing.T) {
	for kind, take := range map[string]func(string) error{
		"file": func(out string) error { return os.WriteFile(out, []byte("theirs"), 0o644) },
		"full": func(out string) error { return os.MkdirAll(filepath.Join(out, "theirs"), 0o755) },
		"link": func(out string) error { return os.Symlink("/nowhere", out) },
	} {
		out := filepath.Join(t.TempDir(), "out")
		s := staged(t, out)
		if err := take(out); err != nil {
			t.Fatal(err)
		}
		before, err := os.Lstat(out)
		if err != nil {
			t.Fatal(err)
		}
		err = s.Commit()
		if err == nil || !strings.Contains(err.Error(), filepath.Dir(s.Path("a.txt"))) {
			t.Errorf("%s: Commit says %v, want the temporary name", kind, err)
		}
		if after, err := os.Lstat(out); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s: what took the name is gone: %v", kind, err)
		}
		if text, err := os.ReadFile(s.Path("a.txt")); err != nil || string(text) != "a" {
			t.Errorf("%s: what was written is now %q, %v", kind, text, err)
		}
	}
}
