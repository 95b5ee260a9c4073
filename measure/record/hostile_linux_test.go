package record_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"queuelab/measure/record"
)

// Files that never end are refused, not read.
func TestPipesAndDevicesAreNoRuns(t *testing.T) {
	pipe, device := t.TempDir(), t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(pipe, record.RunFile), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(device, record.RunFile)); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{pipe, device} {
		if _, err := record.ReadRun(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: got %v, want a refusal", dir, err)
		}
	}
}
