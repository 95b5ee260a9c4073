package law_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/record"
)

// runFolder writes a run of the given requests and returns its folder.
func runFolder(t *testing.T, source string, raw bool, requests ...record.Request) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run, with a comma")
	folder, err := record.CreateFolder(dir, raw)
	if err != nil {
		t.Fatal(err)
	}
	collector := record.NewCollector(source, folder)
	for _, r := range requests {
		collector.Add(&r)
	}
	run := collector.Run()
	run.Workload = record.Workload{Loop: "closed", Clients: 1}
	if err := folder.Commit(run, time.Now()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Times of requests that could queue, were stalled or sent again are no service
// times.
func TestFileOfARunThatQueued(t *testing.T) {
	for says, w := range map[string]record.Workload{
		"hold waiting, since its requests could queue: measure with -closed -clients 1": {Loop: "closed", Clients: 2},
		"measure with -closed -clients 1":                                               {Loop: "open", Rate: 5},
		"measure without -stall and -retry":                                             {Loop: "closed", Clients: 1, Stall: "freeze:1s/2s"},
		"hold stalls or further copies":                                                 {Loop: "closed", Clients: 1, Retry: 0.1, Copies: 3},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		folder, err := record.CreateFolder(dir, true)
		if err != nil {
			t.Fatal(err)
		}
		collector := record.NewCollector(record.Measured, folder)
		collector.Add(&record.Request{Sent: ms, Ended: 2 * ms, Copies: 1})
		run := collector.Run()
		run.Workload = w
		if err := folder.Commit(run, time.Now()); err != nil {
			t.Fatal(err)
		}
		if _, err := law.Parse("file:" + dir); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: got %v, want a refusal with %q", w, err, says)
		}
	}
}

const ms = time.Millisecond

// A measured run gives the times from sending to answer of what was answered;
// failures and the generator's lag are no part of them.
func TestFileOfMeasuredRun(t *testing.T) {
	dir := runFolder(t, record.Measured, true,
		record.Request{Scheduled: 0, Sent: 5 * ms, Ended: 6 * ms, Copies: 1},
		record.Request{Scheduled: 10 * ms, Sent: 10 * ms, Ended: 13 * ms, Copies: 1},
		record.Request{Scheduled: 20 * ms, Sent: 20 * ms, Ended: 99 * ms, Copies: 1, Outcome: record.Failed, Class: "reset"},
		record.Request{Scheduled: 30 * ms, Sent: 30 * ms, Ended: 99 * ms, Copies: 1, Outcome: record.TimedOut},
	)
	l, err := law.Parse("file:" + dir)
	if err != nil {
		t.Fatal(err)
	}
	if !near(l.Mean(), 0.002, 1e-12) || !near(l.SCV(), 0.25, 1e-12) {
		t.Errorf("times of 1 and 3 ms have mean %v and SCV %v, want 0.002 and 0.25", l.Mean(), l.SCV())
	}
	if l.String() != "file:"+dir {
		t.Errorf("the law is spelled %q, want its folder %q", l, dir)
	}
	seen := map[float64]int{}
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		seen[l.Draw(r)]++
	}
	if len(seen) != 2 || seen[0.001] < 400 || seen[0.003] < 400 {
		t.Errorf("1000 draws from 1 and 3 ms gave %v", seen)
	}
}

// A simulated run gives its service times, one that is zero among them, and
// never the waiting.
func TestFileOfSimulatedRun(t *testing.T) {
	dir := runFolder(t, record.Simulated, true,
		record.Request{Ended: 4 * ms, Service: 4 * ms, Copies: 1},
		record.Request{Ended: 4 * ms, Wait: 4 * ms, Service: 0, Copies: 1},
	)
	l, err := law.Parse("file:" + dir)
	if err != nil {
		t.Fatal(err)
	}
	if !near(l.Mean(), 0.002, 1e-12) || !near(l.SCV(), 1, 1e-12) {
		t.Errorf("service times of 4 and 0 ms have mean %v and SCV %v, want 0.002 and 1", l.Mean(), l.SCV())
	}
}

func TestFileRefuses(t *testing.T) {
	failed := record.Request{Outcome: record.Failed, Class: "refused", Copies: 1}
	tests := []struct{ dir, says string }{
		{runFolder(t, record.Measured, false, record.Request{Ended: ms}), "no request records"},
		{runFolder(t, record.Measured, true, failed), "no times to draw from"},
		{runFolder(t, record.Measured, true, record.Request{}), "all times are zero"},
		{t.TempDir(), "is not a run folder"},
	}
	for _, tt := range tests {
		if l, err := law.Parse("file:" + tt.dir); err == nil {
			t.Errorf("file:%s accepted as %v, want an error with %q", tt.dir, l, tt.says)
		} else if !strings.Contains(err.Error(), tt.says) {
			t.Errorf("file:%s says %q, want %q", tt.dir, err, tt.says)
		}
	}
}

func TestNewEmpiricalRefuses(t *testing.T) {
	for _, values := range [][]float64{nil, {}, {0, 0}, {-1}, {1, math.NaN()}, {1, math.Inf(1)}} {
		if l, err := law.NewEmpirical("x", values); err == nil {
			t.Errorf("NewEmpirical(%v) = %v, want an error", values, l)
		}
	}
}
