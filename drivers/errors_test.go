package drivers

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
)

// Running out of files or ports is no fault of the server.
func TestExhaustionIsNotTheServersFault(t *testing.T) {
	for errno, mend := range map[syscall.Errno]string{syscall.EMFILE: "ulimit -n", syscall.EADDRNOTAVAIL: "ip_local_port_range"} {
		err := &UnreachableError{Target: "GET http://h/", Err: fmt.Errorf("dial: %w", errno)}
		if text := err.Error(); !strings.Contains(text, mend) || strings.Contains(text, "server is running") {
			t.Errorf("%q does not say what to do about %v", text, errno)
		}
	}
}
