package supervise

import (
	"bytes"
	"encoding/json"
	"strings"
	"syscall"
	"testing"
)

// The server's process id is free once it has ended: an orphan that gets it is not
// the server, so its end is reported once.
func TestServerEndsOnce(t *testing.T) {
	var told bytes.Buffer
	s := &supervisor{tell: json.NewEncoder(&told), running: 42, started: []int{42}}
	s.ended(syscall.WaitStatus(3 << 8))
	if s.running != 0 {
		t.Errorf("process %d still counts as the server, which has ended", s.running)
	}
	if got := told.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `"ended":"exit status 3"`) {
		t.Errorf("the end was reported as %q", got)
	}
}

// A command that prepares the server and fails is named, once, too.
func TestFailedPreparationIsReportedOnce(t *testing.T) {
	var told bytes.Buffer
	s := &supervisor{
		spec: Spec{Before: []Command{{Path: "/bin/prepare"}}}, waiting: []Command{{Path: "/bin/server"}},
		tell: json.NewEncoder(&told), running: 42, started: []int{42},
	}
	s.ended(syscall.WaitStatus(1 << 8))
	if s.running != 0 {
		t.Errorf("process %d still counts as the command, which has ended", s.running)
	}
	if got := told.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "prepare failed: exit status 1") {
		t.Errorf("the failure was reported as %q", got)
	}
}
