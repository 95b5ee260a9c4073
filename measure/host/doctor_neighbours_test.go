package host

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"queuelab/measure/host/affinity"
)

// threadStat is a line of Linux 6.1 whose name was chosen to be misread.
const threadStat = "7 (a) R 1 (b) S 1 7 7 0 -1 4194560 1201 0 0 0 250 50 0 0 20 0 4 0 211 23654400 3021 18446744073709551615 1 1 0 0 0 0 0 4096 16901 0 0 0 17 3 0 0 0 0 0 0 0 0 0 0 0 0 0\n"

func TestParseThread(t *testing.T) {
	got, ok := parseThread(threadStat)
	if want := (thread{name: "a) R 1 (b", cpu: 3, used: 3 * time.Second}); !ok || got != want {
		t.Errorf("%+v, %v; want %+v", got, ok, want)
	}
	for _, broken := range []string{"", "7 (a", "7 )a(", "7 (a) S 1 7", strings.Replace(threadStat, " 250 ", " x ", 1),
		strings.Replace(threadStat, " 17 3 ", " 17 -3 ", 1), strings.Replace(threadStat, " 250 ", " 9223372036854775807 ", 1)} {
		if got, ok := parseThread(broken); ok {
			t.Errorf("%q gave %+v", broken, got)
		}
	}
}

func FuzzParseThread(f *testing.F) {
	f.Add(threadStat)
	f.Fuzz(func(t *testing.T, stat string) {
		if got, ok := parseThread(stat); got.cpu < 0 || got.used < 0 || !strings.Contains(stat, got.name) || !ok && got != (thread{}) {
			t.Errorf("%q gave %+v, %v", stat, got, ok)
		}
	})
}

func TestInterrupts(t *testing.T) {
	const stat = "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\ncpu1 1 2 3 4 5 60 70 8 0 0\n"
	for cpu, want := range []time.Duration{130 * time.Millisecond, 1300 * time.Millisecond, 0} {
		if got := interrupts(stat, cpu); got != want {
			t.Errorf("CPU %d: %v, want %v", cpu, got, want)
		}
	}
}

func FuzzInterrupts(f *testing.F) {
	f.Add(statSteal, 0)
	f.Add("cpu1 1 2 3 4 5 6 9223372036854775807", 1)
	f.Fuzz(func(t *testing.T, stat string, cpu int) {
		if got := interrupts(stat, cpu); got < 0 || got > 0 && !strings.Contains(stat, fmt.Sprintf("cpu%d", cpu)) {
			t.Errorf("CPU %d of %q gave %v", cpu, stat, got)
		}
	})
}

func TestNeighbours(t *testing.T) {
	second := func(n int) time.Duration { return time.Duration(n) * time.Second }
	before := map[int]thread{
		10: {10, "server", 1, second(5)}, 11: {10, "worker", 1, second(1)}, 20: {20, "elsewhere", 0, 0},
		30: {30, "idle", 1, second(9)}, 40: {40, "me", 1, 0}, 60: {60, "number again", 1, second(7)},
	}
	after := map[int]thread{
		10: {10, "server", 1, second(6)}, 11: {10, "worker", 1, second(3)}, 20: {20, "elsewhere", 0, second(9)},
		30: {30, "idle", 1, second(9)}, 40: {40, "me", 1, second(9)}, 50: {50, "new", 1, second(4)}, 60: {60, "number again", 1, 0},
	}
	want := []neighbour{{50, "new", second(4)}, {10, "server", second(3)}}
	if got := neighbours(before, after, 1, 40); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestJudgeNeighbours(t *testing.T) {
	look := func(interrupts time.Duration, found ...neighbour) watched {
		return watched{found, interrupts, 200 * time.Millisecond}
	}
	const ms = time.Millisecond
	for _, c := range []struct {
		name       string
		w          watched
		want       Status
		seen, mend string
	}{
		{"nobody", look(0), Good, "nobody else on CPU 3", ""},
		{"little", look(0, neighbour{7, "sshd", 10 * ms}), Good, "sshd (pid 7) 5 %", ""},
		{"some", look(0, neighbour{7, "cron job", 20 * ms}), Warning, "cron job (pid 7) 10 %", "PID 7"},
		{"three", look(0, neighbour{7, "a", 90 * ms}, neighbour{8, "b", 50 * ms}, neighbour{9, "c", 20 * ms}), Bad, "80 % of 200ms: a (pid 7) 45 %, b (pid 8) 25 %", "PID 7 and 8"},
		{"interrupts", look(30 * ms), Warning, "interrupts 15 %", "smp_affinity"},
		{"not to be seen", watched{}, Unknown, NotAvailable, ""},
	} {
		got := judgeNeighbours(3, c.w)
		check := got.check("neighbours", "")
		if check.Status != c.want || !strings.Contains(check.Seen, c.seen) || !strings.Contains(check.Mend, c.mend) || (c.mend == "") != (check.Mend == "") {
			t.Errorf("%s: %+v, want %s, %q, %q", c.name, check, c.want, c.seen, c.mend)
		}
	}
}

// TestBusyNeighbourIsNamed keeps the server's CPU busy with another program.
func TestBusyNeighbourIsNamed(t *testing.T) {
	cpu, reason := affinity.LastCPU()
	if cpu < 0 {
		t.Skip(reason)
	}
	burner := exec.CommandContext(t.Context(), "sh", "-c", "while :; do :; done")
	if err := affinity.On(cpu, burner.Start); err != nil {
		t.Fatal(err)
	}
	defer burner.Wait() // for its end, which the kill below causes
	defer burner.Process.Kill()
	w := watch(os.DirFS("/"), cpu, os.Getpid())
	i := slices.IndexFunc(w.neighbours, func(n neighbour) bool { return n.pid == burner.Process.Pid })
	if i < 0 {
		t.Fatalf("%+v on CPU %d, without the busy process %d", w.neighbours, cpu, burner.Process.Pid)
	}
	only := watched{w.neighbours[i : i+1], 0, w.length}
	if f := judgeNeighbours(cpu, only); !strings.Contains(f.seen, fmt.Sprintf("sh (pid %d)", burner.Process.Pid)) && !strings.Contains(f.seen, fmt.Sprintf("dash (pid %d)", burner.Process.Pid)) {
		t.Errorf("%+v does not name the busy process %d", f, burner.Process.Pid)
	}
	for _, n := range w.neighbours {
		if n.pid == os.Getpid() {
			t.Errorf("%+v is this process itself", n)
		}
	}
}

// TestThreads: threads are found with their processes, and what is no process is not.
func TestThreads(t *testing.T) {
	root := fs.FS(fstest.MapFS{"proc/7/task/8/stat": {Data: []byte(threadStat)}, "proc/net/task/9/stat": {Data: []byte(threadStat)}})
	if got, want := threads(root), map[int]thread{8: {7, "a) R 1 (b", 3, 3 * time.Second}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
