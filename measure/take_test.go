package measure_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// The warm-up uses the run's own connections, and none of its requests is in
// the run.
func TestTakeWarmsUpTheRunsOwnConnections(t *testing.T) {
	var served atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served.Add(1) }))
	defer server.Close()
	w := &workload.Workload{Clients: 2, Requests: 40, Drain: 10 * time.Second, Seed: 1}
	run, err := measure.Take(t.Context(), measure.Plan{
		Workload: w, Driver: "http", Options: drivers.Options{URL: server.URL}, CPU: -1,
		Warmup: 100 * time.Millisecond, Header: record.Header{Command: "test"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if run.Requests.Scheduled != 40 || run.Requests.Answered != 40 {
		t.Errorf("counts %+v, want 40 scheduled and answered", run.Requests)
	}
	if served.Load() <= 40 {
		t.Errorf("the server saw %d requests, so there was no warm-up before the 40", served.Load())
	}
	if opened := run.Connections["opened"]; opened != 2 {
		t.Errorf("%d connections were opened for 2 clients with a warm-up, want 2", opened)
	}
	if run.Workload.Warmup != 0.1 || run.Header.Command != "test" || run.Header.Start == "" || !run.Header.SpeedBefore.Known() || !run.Header.SpeedAfter.Known() {
		t.Errorf("warm-up %v s, header %+v", run.Workload.Warmup, run.Header)
	}
}

// What the warm-up's traffic does to connections is none of the run's: here the
// server closes after every answer until the run begins.
func TestTakeLeavesTheWarmUpsConnectionsOut(t *testing.T) {
	var begun atomic.Bool
	var warm atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !begun.Load() {
			warm.Add(1)
			w.Header().Set("Connection", "close")
		}
	}))
	defer server.Close()
	run, err := measure.Take(t.Context(), measure.Plan{
		Workload: &workload.Workload{Clients: 2, Requests: 40, Drain: 10 * time.Second, Seed: 1},
		// Without the limit a connection that is being opened when another comes free
		// is one more than there are clients.
		Driver: "http", Options: drivers.Options{URL: server.URL, Connections: 2}, CPU: -1,
		Warmup: 100 * time.Millisecond, Started: func(time.Time) { begun.Store(true) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if run.Requests.Answered != 40 || warm.Load() < 5 {
		t.Fatalf("%+v after a warm-up of %d requests: the test says nothing", run.Requests, warm.Load())
	}
	// Two were opened beforehand; the warm-up left both closed, so the run opened at
	// most two more.
	if opened := run.Connections["opened"]; opened < 2 || opened > 4 {
		t.Errorf("%d connections were opened for 2 clients, want 2 beforehand and at most 2 during the run", opened)
	}
	if closed := run.Connections["announced"] + run.Connections["lost"]; closed != 0 {
		t.Errorf("%d closes in the run, all of which the warm-up saw", closed)
	}
	if open := run.Connections["established"]; open < 1 || open > 2 {
		t.Errorf("%d connections were established at the end, want those of 2 clients", open)
	}
}

// A warm-up that leaves requests open would leak into the run.
func TestTakeRefusesAWarmUpThatDoesNotDrain(t *testing.T) {
	stuck := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-stuck:
		case <-r.Context().Done():
		}
	}))
	defer server.Close()
	defer close(stuck)
	w := &workload.Workload{Clients: 1, Requests: 1, Drain: time.Second, Seed: 1}
	plan := measure.Plan{Workload: w, Driver: "http", Options: drivers.Options{URL: server.URL}, CPU: -1, Warmup: 10 * time.Millisecond}
	if _, err := measure.Take(t.Context(), plan); err == nil {
		t.Error("a warm-up whose request was never answered passed")
	}
}

// So would one that leaves copies under way although every request was answered.
func TestTakeRefusesAWarmUpWhoseCopiesHang(t *testing.T) {
	var came atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if came.Add(1)%2 == 1 { // the first copy of each request
			<-r.Context().Done()
		}
	}))
	defer server.Close()
	w := &workload.Workload{Clients: 1, Requests: 1, Drain: time.Second, Seed: 1, Retry: workload.Retry{After: 20 * time.Millisecond, Copies: 2}}
	plan := measure.Plan{Workload: w, Driver: "http", Options: drivers.Options{URL: server.URL}, CPU: -1, Warmup: 10 * time.Millisecond}
	if _, err := measure.Take(t.Context(), plan); err == nil || !strings.Contains(err.Error(), "copies of the warm-up's requests") {
		t.Errorf("error %v, want one about the copies of the warm-up", err)
	}
}

// An interruption before the run is told as one, and not as a fault of the server.
func TestInterruptionBeforeTheRun(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { interrupt() }))
	defer server.Close()
	w := &workload.Workload{Clients: 1, Length: time.Minute, Drain: time.Second, Seed: 1}
	_, err := measure.Take(ctx, measure.Plan{
		Workload: w, Driver: "http", Options: drivers.Options{URL: server.URL}, CPU: -1, Warmup: time.Minute,
	})
	if err == nil || !strings.HasPrefix(err.Error(), "the run had not begun") {
		t.Errorf("%v; want only that the run had not begun", err)
	}
}
