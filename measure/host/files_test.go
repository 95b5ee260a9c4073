package host

import (
	"os"
	"testing"
)

func TestFilesLeft(t *testing.T) {
	for _, tt := range []struct {
		files Files
		left  int
	}{
		{Files{Limit: 1024, Open: 10}, 950},
		{Files{Limit: 64, Open: 10}, 38},
		{Files{Limit: 64, Open: 48}, 0},
		{Files{Limit: 64, Open: 60}, 0},
	} {
		if got := tt.files.Left(); got != tt.left {
			t.Errorf("%+v: %d left for connections, want %d", tt.files, got, tt.left)
		}
	}
	for _, connections := range []int{1, 100, 10_000} {
		f := Files{Open: 12}
		f.Limit = f.Need(connections)
		if got := f.Left(); got < connections {
			t.Errorf("a limit of %d leaves %d connections, want the %d that it was raised for", f.Limit, got, connections)
		}
	}
}

// A file that is opened is one more.
func TestOpenFilesAreCounted(t *testing.T) {
	before, ok := OpenFiles()
	if !ok {
		t.Skip("this system does not tell which files are open")
	}
	for range 5 {
		file, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
	}
	after, ok := OpenFiles()
	if !ok || before.Open < 3 || after.Open < before.Open+5 || after.Limit != before.Limit || after.Limit <= after.Open {
		t.Errorf("%+v and five files later %+v", before, after)
	}
}
