package peer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// wrkSays is a script's text that prints what wrk would.
func wrkSays(requests, failed int) string {
	return fmt.Sprintf("echo ' %d requests in 1.00s, 1MB read'\necho 'Non-2xx or 3xx responses: %d'\necho 'Requests/sec: %d.00'\n",
		requests, failed, requests)
}

// runScript runs a script in the place of wrk.
func runScript(t *testing.T, ctx context.Context, text string) (outcome, error) {
	t.Helper()
	tool := script(t, t.TempDir(), "wrk", text)
	// Where runs keep their files, which are to be gone.
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	k, err := find("wrk")
	if err != nil {
		t.Fatal(err)
	}
	did, err := tool.run(ctx, k, job{files: []string{"given", "some text"}}, time.Second)
	if left, _ := os.ReadDir(temporary); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
	return did, err
}

func TestRunCounts(t *testing.T) {
	idle, err := runScript(t, t.Context(), "[ \"$(cat given)\" = 'some text' ] || exit 3\n"+wrkSays(1000, 10))
	if err != nil {
		t.Fatal(err)
	}
	if idle.answered != 990 || idle.failed != 10 || idle.elapsed != 1 {
		t.Errorf("%+v, want 990 answers and 10 failures in 1 s", idle)
	}
	busy, err := runScript(t, t.Context(), "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done\n"+wrkSays(1000, 0))
	if err != nil {
		t.Fatal(err)
	}
	if idle.user+idle.system <= 0 || busy.user+busy.system <= idle.user+idle.system {
		t.Errorf("CPU time %v of 200,000 steps and %v of none", busy.user+busy.system, idle.user+idle.system)
	}
}

func TestRunThatMeasuresNothing(t *testing.T) {
	tests := []struct{ name, text, why string }{
		{"many failures", wrkSays(1000, 11), "11 of its 1000 requests failed"},
		{"no answer", wrkSays(1000, 1000), "1000 of its 1000 requests failed"},
		{"no report", "echo hello", "hello"},
		{"failure", "echo the reason >&2; exit 7", "exit status 7; it printed:\nthe reason"},
	}
	for _, test := range tests {
		_, err := runScript(t, t.Context(), test.text)
		if err == nil || !strings.Contains(err.Error(), test.why) || !strings.HasPrefix(err.Error(), "run wrk: ") {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.why)
		}
	}
	k, _ := find("wrk")
	if _, err := (Tool{Name: "wrk", Path: "/nowhere/wrk"}).run(t.Context(), k, job{}, time.Second); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want one of a file that is not there", err)
	}
}

// A tool that is told to stop is gone when run returns.
func TestCancelledRunIsKilled(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	go func() {
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			if text, _ := os.ReadFile(mark); strings.HasSuffix(string(text), "\n") {
				break
			}
		}
		cancel(reason)
	}()
	_, err := runScript(t, ctx, "echo $$ >'"+mark+"'\nexec sleep 60\n")
	if !errors.Is(err, reason) {
		t.Fatalf("error %v, want the reason", err)
	}
	text, err := os.ReadFile(mark)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d is still there (%v)", pid, err)
	}
}
