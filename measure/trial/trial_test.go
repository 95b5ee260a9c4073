package trial_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure"
	"queuelab/measure/record"
	"queuelab/measure/stats"
	"queuelab/measure/trial"
	"queuelab/measure/workload"
)

// counting is an HTTP server that counts what it answers.
func counting(t *testing.T) (url string, hits *atomic.Int64, server *httptest.Server) {
	t.Helper()
	hits = &atomic.Int64{}
	server = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	t.Cleanup(server.Close)
	return server.URL, hits, server
}

// planned is a trial of closed runs of n requests each.
func planned(url string, n int64, reps int) trial.Plan {
	return trial.Plan{
		Name: "counted", Reps: reps, Pause: time.Second,
		Run: measure.Plan{
			Workload: &workload.Workload{Clients: 2, Requests: n, Drain: 10 * time.Second, Seed: 7},
			Driver:   "http", Options: drivers.Options{URL: url}, CPU: -1,
			Header: record.Header{Command: "queuelab bench", Version: "1"},
		},
	}
}

// A trial warms up once, takes every run whole, with seeds and connections of its
// own, and quotes their medians.
func TestTrialTakesEveryRun(t *testing.T) {
	url, hits, _ := counting(t)
	p := planned(url, 500, 3)
	p.Run.Warmup = 50 * time.Millisecond
	var warm int64
	var steps []string
	p.Watch = func(s trial.Step) {
		if s.What == "pause before run 1 of 3" {
			warm = hits.Load()
		}
		steps = append(steps, s.What)
	}
	run, err := trial.Take(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if warm == 0 || hits.Load() != warm+1500 {
		t.Errorf("the server answered %d requests before the first run and %d in all, want some and 1500 more", warm, hits.Load())
	}
	want := "warm-up|pause before run 1 of 3|run 1 of 3|pause before run 2 of 3|run 2 of 3|pause before run 3 of 3|run 3 of 3"
	if got := strings.Join(steps, "|"); got != want {
		t.Errorf("steps %s, want %s", got, want)
	}
	if c := run.Requests; c.Scheduled != 1500 || c.Answered != 1500 || !c.Balanced() || len(run.Reps) != 3 || run.Interrupted {
		t.Errorf("%+v in %d runs, interrupted %v", c, len(run.Reps), run.Interrupted)
	}
	var rates []float64
	seeds := map[uint64]bool{}
	for i, r := range run.Reps {
		if r.Requests.Answered != 500 || r.Connections["opened"] != 2 || r.Pause == nil || r.Seed != trial.Seed(7, i) {
			t.Errorf("run %d: %+v, connections %v, pause %v, seed %d", i+1, r.Requests, r.Connections, r.Pause, r.Seed)
		}
		seeds[r.Seed] = true
		rates = append(rates, float64(r.Throughput))
	}
	if run.Reps[0].Seed != 7 || len(seeds) != 3 {
		t.Errorf("seeds %v, want 7 first and all different", seeds)
	}
	q := run.Trial.Quantities[record.ThroughputKey]
	if float64(run.Throughput) != stats.Median(rates) || q.Median != run.Throughput || float64(q.Spread) != stats.Spread(rates) || q.Level != 0.75 {
		t.Errorf("throughput %v of runs %v: %+v, want their median, spread, and 75 %% between the extremes", run.Throughput, rates, q)
	}
	if run.Workload.Warmup != 0.05 || run.Header.Start != run.Reps[0].Header.Start || run.Header.End != run.Reps[2].Header.End {
		t.Errorf("warm-up %v, from %s to %s", run.Workload.Warmup, run.Header.Start, run.Header.End)
	}
}

// A trial's folder can be read by programs and by people.
func TestFolderHoldsEveryRun(t *testing.T) {
	url, _, _ := counting(t)
	dir := filepath.Join(t.TempDir(), "kept")
	folder, err := trial.CreateFolder(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	p := planned(url, 400, 3)
	p.Folder = folder
	run, err := trial.Take(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.Commit(run); err != nil {
		t.Fatal(err)
	}
	read, err := record.ReadRun(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Reps) != 3 || read.Throughput != run.Throughput || read.Trial.Name != "counted" {
		t.Errorf("read back: %d runs, %v/s, %+v", len(read.Reps), read.Throughput, read.Trial)
	}
	text, err := os.ReadFile(filepath.Join(dir, trial.TextFile))
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	inOrder := []string{"trial counted", "command: queuelab bench", "median", "spread", run.Line}
	for i, r := range run.Reps {
		inOrder = append(inOrder, "run "+strconv.Itoa(i+1), r.Line)
		one, err := record.ReadRun(filepath.Join(dir, "runs", strconv.Itoa(i+1)))
		if err != nil || one.Seed != r.Seed || one.Header.Host == nil {
			t.Errorf("run %d: %+v, %v", i+1, one, err)
		}
		n := 0
		if err := record.ReadRunRequests(filepath.Join(dir, "runs", strconv.Itoa(i+1)), func(*record.Request) { n++ }); err != nil || n != 400 {
			t.Errorf("run %d has %d request records, %v", i+1, n, err)
		}
	}
	for _, want := range inOrder {
		next := strings.Index(string(text[at:]), want)
		if next < 0 {
			t.Fatalf("%s lacks %q after byte %d:\n%s", trial.TextFile, want, at, text)
		}
		at += next + len(want)
	}
}

// A trial that is interrupted keeps the runs that were taken, marked, and can be
// given a name afterwards.
func TestInterruptedTrialKeepsItsRuns(t *testing.T) {
	url, _, _ := counting(t)
	ctx, cancel := context.WithCancel(t.Context())
	p := planned(url, 300, 5)
	p.Folder = trial.Unnamed()
	p.Watch = func(s trial.Step) {
		if s.What == "pause before run 3 of 5" {
			cancel()
		}
	}
	run, err := trial.Take(ctx, p)
	if err != nil || run == nil || len(run.Reps) != 2 || !run.Interrupted || run.Requests.Answered != 600 {
		t.Fatalf("%+v, %v, want two runs, marked as interrupted", run, err)
	}
	dir := filepath.Join(t.TempDir(), "late")
	if err := errors.Join(p.Folder.Name(dir), p.Folder.Commit(run)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".", "runs/1", "runs/2"} {
		if _, err := record.ReadRun(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// A server that goes away ends the trial with an error and the runs until then.
func TestServerGoesAwayBetweenRuns(t *testing.T) {
	url, _, server := counting(t)
	p := planned(url, 200, 4)
	p.Watch = func(s trial.Step) {
		if s.What == "pause before run 3 of 4" {
			server.Close()
		}
	}
	run, err := trial.Take(t.Context(), p)
	var unreachable *drivers.UnreachableError
	if err == nil || errors.As(err, &unreachable) || run == nil || len(run.Reps) != 2 || !run.Interrupted {
		t.Errorf("%+v, %v, want two runs and an error that is not the start's", run, err)
	}
	if run, err = trial.Take(t.Context(), planned(url, 200, 4)); run != nil || !errors.As(err, &unreachable) {
		t.Errorf("%+v, %v, want no run and an unreachable target", run, err)
	}
}
