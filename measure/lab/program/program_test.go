package program

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func place(t *testing.T, mode os.FileMode, parts ...string) string {
	t.Helper()
	path := filepath.Join(parts...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindPrefersPathThenTheNewest(t *testing.T) {
	root := t.TempDir()
	lib := func(version, name string) string { return filepath.Join(root, "lib", version, "bin", name) }
	for _, version := range []string{"9.6", "13", "15", "17"} {
		place(t, 0o755, lib(version, "db"))
		place(t, 0o755, lib(version, "initdb"))
	}
	place(t, 0o755, lib("18", "db"))
	place(t, 0o644, lib("18", "initdb")) // nobody may run it, so 18 is not complete
	want := Program{Name: "db", Beside: []string{"initdb"}, Package: "db-server",
		Directories: []string{filepath.Join(root, "lib", "*", "bin")}}

	t.Setenv("PATH", filepath.Join(root, "empty"))
	if got, err := Find(want); err != nil || got != lib("17", "db") {
		t.Errorf("found %q, %v; want version 17, the newest that is complete", got, err)
	}

	inPath := place(t, 0o755, root, "path", "db")
	t.Setenv("PATH", filepath.Dir(inPath))
	if got, err := Find(want); err != nil || got != lib("17", "db") {
		t.Errorf("found %q, %v; want version 17: the one in PATH lacks initdb", got, err)
	}
	place(t, 0o755, root, "path", "initdb")
	if got, err := Find(want); err != nil || got != inPath {
		t.Errorf("found %q, %v; want %q from PATH", got, err, inPath)
	}
}

func TestFindSaysWhatToInstall(t *testing.T) {
	root := t.TempDir()
	place(t, 0o644, root, "db") // there, but nobody may run it
	t.Setenv("PATH", root)
	_, err := Find(Program{Name: "db", Package: "db-server", Directories: []string{root}})
	var missing *MissingError
	if !errors.As(err, &missing) {
		t.Fatalf("error %v, want a MissingError", err)
	}
	if got, want := missing.Error(), "db is not installed: install it with `apt-get install db-server`"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}
