package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure"
	"queuelab/measure/lab"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// leftovers are the private directories of labs that are still there.
func leftovers(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(os.TempDir(), "queuelab-*"))
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// The labs, measured from the command line, end with the summary line, have counted
// exactly what was sent, and leave nothing behind.
func TestBenchOnTheLabs(t *testing.T) {
	t.Setenv("TMPDIR", shortTempDir(t))
	for _, line := range []string{
		"bench -lab nginx -open -rate 50 -seconds 2",
		"bench -lab postgres -closed -clients 8 -seconds 2 -warmup 500ms",
	} {
		dir := filepath.Join(t.TempDir(), "run")
		status, stdout, stderr := execute(t, context.Background(), append(strings.Fields(line), "-out", dir)...)
		if status != statusDone || !summaryLine.MatchString(lastLine(stdout)) || !strings.HasSuffix(stdout, "; 0 failed\n") {
			t.Errorf("%s: status %d, printed %q, stderr %q", line, status, stdout, stderr)
		}
		kept, err := record.ReadRun(dir)
		if err != nil {
			t.Fatal(err)
		}
		if c := kept.ServerCount; c == nil || c.Error != "" || c.Counted < kept.Requests.Copies || c.Counted != c.Least || c.Counted != c.Most {
			t.Errorf("%s: the server's count is %+v, want the copies sent in run and warm-up, of which the run sent %d", line, c, kept.Requests.Copies)
		}
		if left := leftovers(t); len(left) > 0 {
			t.Errorf("%s left %v", line, left)
		}
	}
}

// readyWriter says when something was printed.
type readyWriter struct{ printed chan string }

func (w readyWriter) Write(text []byte) (int, error) {
	w.printed <- string(text)
	return len(text), nil
}

// A lab whose server dies ends with an error instead of waiting for Ctrl-C, and
// leaves nothing behind.
func TestLabWhoseServerDies(t *testing.T) {
	dir := shortTempDir(t)
	t.Setenv("TMPDIR", dir)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ready, stderr, status := readyWriter{make(chan string, 1)}, &bytes.Buffer{}, make(chan int, 1)
	go func() { status <- run(ctx, &console{ready, stderr}, []string{"lab", "nginx"}) }()
	select {
	case <-ready.printed:
	case got := <-status:
		t.Fatalf("the lab did not start: status %d, %s", got, stderr)
	}
	files, err := filepath.Glob(filepath.Join(dir, "queuelab-*", "nginx.pid"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v; want the file with the server's process id", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if got := <-status; got != statusFailed || !strings.Contains(stderr.String(), "ended by itself") || ctx.Err() != nil {
		t.Errorf("status %d, %q, %v; want %d before the time is up", got, stderr, ctx.Err(), statusFailed)
	}
	if left := leftovers(t); len(left) > 0 {
		t.Errorf("the lab left %v", left)
	}
}

// shortTempDir is a directory in which an unprivileged server may live and
// whose path leaves room for a socket's name.
func shortTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ql")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The header of a run on a lab names the server and the machine.
func TestHeaderNamesServerAndHost(t *testing.T) {
	status, stdout, stderr := execute(t, context.Background(), "bench", "-json", "-lab", "nginx", "-closed", "-clients", "1", "-requests", "5")
	if status != statusDone {
		t.Fatalf("status %d, %s", status, stderr)
	}
	var run record.Run
	if err := json.Unmarshal([]byte(stdout), &run); err != nil {
		t.Fatal(err)
	}
	if run.Header == nil || len(run.Header.Server) == 0 || run.Header.Host == nil || run.Header.Command == "" {
		t.Errorf("header %+v", run.Header)
	}
}

// trivialNginx is the nginx lab with a location that does nothing.
func trivialNginx(t testing.TB) (url string) {
	t.Helper()
	server, err := lab.Start(context.Background(), "nginx", lab.Options{Snippet: "location = /empty { return 200; }"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Stop() })
	release, err := lab.KeepOff(server.CPU())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	return strings.Replace(server.URL(), "/page.txt", "/empty", 1)
}

// trivialRun takes a run against it from the CPUs that the server leaves.
func trivialRun(t testing.TB, url string, w workload.Workload) *record.Run {
	t.Helper()
	w.Drain, w.Seed = 30*time.Second, 1
	run, err := measure.Take(context.Background(), measure.Plan{
		Workload: &w, Driver: "http", Options: drivers.Options{URL: url}, CPU: -1,
	})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// Four times the requests need no more memory, and each is accounted for.
func TestMemoryDoesNotGrowWithTheRun(t *testing.T) {
	url := trivialNginx(t)
	held := func(requests int64) uint64 {
		run := trivialRun(t, url, workload.Workload{Clients: 16, Requests: requests})
		if n := run.Requests; n.Scheduled != requests || n.Answered != requests {
			t.Errorf("of %d requests: %+v, failures %v", requests, n, run.Failures)
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.Sys
	}
	short := held(20_000)
	long := held(80_000)
	if long > short+16<<20 {
		t.Errorf("memory from the system grew from %d to %d MiB over four times the requests", short>>20, long>>20)
	}
}

// BenchmarkOpenLoop reports the rate that is held and the lag at 20,000
// requests/s against a trivial nginx location.
func BenchmarkOpenLoop(b *testing.B) {
	url := trivialNginx(b)
	for b.Loop() {
		run := trivialRun(b, url, workload.Workload{Open: true, Rate: 20000, Arrivals: workload.Even, Requests: 60_000})
		b.ReportMetric(float64(run.Throughput), "answered/s")
		b.ReportMetric(float64(run.Lag.Get("p50")), "lag-p50-ms")
		b.ReportMetric(float64(run.Lag.Get("p99")), "lag-p99-ms")
		b.ReportMetric(float64(run.Requests.Scheduled-run.Requests.Answered), "failed")
	}
}
