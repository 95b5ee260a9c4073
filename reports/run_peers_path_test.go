package reports

import (
	"os"
	"path/filepath"
	"testing"
)

// A program inside the working directory is told from there, any other by its path.
func TestProgramsAreToldFromHere(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(here, "bin", "vegeta"): filepath.Join("bin", "vegeta"),
		"/usr/bin/wrk":                       "/usr/bin/wrk",
		filepath.Dir(here) + "/other/hey":    filepath.Dir(here) + "/other/hey",
	} {
		if got := fromHere(path); got != want {
			t.Errorf("%s is told as %s, want %s", path, got, want)
		}
	}
}
