package drivers

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
)

// Running out of files is no fault of the server.
func TestOutOfFilesIsNotTheServersFault(t *testing.T) {
	err := &UnreachableError{Target: "GET http://h/", Err: fmt.Errorf("dial: %w", syscall.EMFILE)}
	if text := err.Error(); !strings.Contains(text, "ulimit -n") || strings.Contains(text, "server is running") {
		t.Errorf("%q does not say what to do about too many open files", text)
	}
}
