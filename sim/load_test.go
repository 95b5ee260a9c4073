package sim

import (
	"context"
	"math"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// TestLookAhead: what is said of a run's steady state at a server of 100/s.
func TestLookAhead(t *testing.T) {
	exp, constant := law.NewExponential(0.01), law.NewDeterministic(0.01)
	freeze := workload.Stall{Length: time.Second, Period: 4 * time.Second}
	lock := workload.Stall{Kind: workload.Lock, Length: time.Second, Period: 4 * time.Second}
	long := workload.Stall{Kind: workload.Lock, Length: 5 * ms, Period: 20 * ms}
	three := workload.Retry{After: 50 * ms, Copies: 3}
	const unknown = -1 // growth, or whether stable
	tests := []struct {
		what       string
		workload   workload.Workload
		service    law.Law
		discipline string
		stable     int
		growth     float64 // ms/s
	}{
		{"below", workload.Workload{Rate: 99}, exp, "", 1, unknown},
		{"full", workload.Workload{Rate: 100}, exp, "", 0, 0},
		{"full and even", workload.Workload{Rate: 100, Arrivals: workload.Even}, constant, "", 1, unknown},
		{"over", workload.Workload{Rate: 150}, exp, "", 0, 500},
		{"over, behind an accept queue", workload.Workload{Rate: 150}, exp, "accept:511", 0, unknown},
		{"over, behind an accept queue, given up", workload.Workload{Rate: 150, Timeout: time.Second}, exp, "accept:511", unknown, unknown},
		{"over, given up", workload.Workload{Rate: 150, Timeout: time.Second}, exp, "", 0, unknown},
		{"over what a freeze leaves, given up", workload.Workload{Rate: 90, Timeout: time.Second, Stall: freeze}, exp, "", 0, unknown},
		{"no copy fits, given up", workload.Workload{Rate: 110, Timeout: time.Second, Retry: three}, exp, "", 0, unknown},
		{"over, shared", workload.Workload{Rate: 150}, exp, "ps", 0, unknown},
		{"below what a freeze leaves", workload.Workload{Rate: 74, Stall: freeze}, exp, "", 1, unknown},
		{"all that a freeze leaves", workload.Workload{Rate: 75, Stall: freeze}, exp, "", 0, 0},
		{"all that a freeze leaves, even", workload.Workload{Rate: 75, Arrivals: workload.Even, Stall: freeze}, constant, "", 1, unknown},
		{"over what a freeze leaves", workload.Workload{Rate: 90, Stall: freeze}, exp, "", 0, 200},
		{"below what a lock leaves", workload.Workload{Rate: 74.9, Stall: lock}, exp, "", 1, unknown},
		{"a lock ends one service", workload.Workload{Rate: 75.3, Stall: lock}, exp, "", unknown, unknown},
		{"over what a lock leaves", workload.Workload{Rate: 75.6, Stall: lock}, exp, "", 0, unknown},
		{"a lock no longer than a service", workload.Workload{Rate: 99, Stall: long}, constant, "", unknown, unknown},
		{"a long queue works through a lock", workload.Workload{Rate: 99, Stall: lock}, exp, "ps", 1, unknown},
		{"all copies fit", workload.Workload{Rate: 33, Retry: three}, exp, "", 1, unknown},
		{"not all copies fit", workload.Workload{Rate: 34, Retry: three}, exp, "", unknown, unknown},
		{"no copy fits", workload.Workload{Rate: 110, Retry: three}, exp, "", 0, 2300},
		{"not all copies fit beside a freeze", workload.Workload{Rate: 26, Retry: three, Stall: freeze}, exp, "", unknown, unknown},
		{"a timeout before the third copy", workload.Workload{Rate: 34, Timeout: 100 * ms, Retry: three}, exp, "", 1, unknown},
		{"even and full, with copies", workload.Workload{Rate: 100, Arrivals: workload.Even, Retry: three}, constant, "", 0, 2000},
		{"clients that wait", workload.Workload{Clients: 1000, Retry: three, Stall: freeze}, exp, "", 1, unknown},
		{"clients that give up late", workload.Workload{Clients: 90, Timeout: 990 * ms}, exp, "", 1, unknown},
		{"clients that give up early", workload.Workload{Clients: 110, Timeout: 990 * ms}, exp, "", unknown, unknown},
		{"clients that give up early and think", workload.Workload{Clients: 110, Timeout: 990 * ms, Think: exp}, law.NewExponential(0.009), "", 1, unknown},
	}
	for _, tt := range tests {
		w := tt.workload
		w.Open, w.Service = w.Rate > 0, tt.service
		s := Station{Servers: 1, Discipline: tt.discipline}
		k, _, err := s.kind()
		if err != nil {
			t.Fatal(err)
		}
		o := lookAhead(&w, k, 1)
		stable := unknown
		if o.stable != nil {
			stable = map[bool]int{true: 1, false: 0}[*o.stable]
		}
		growth := float64(unknown)
		if o.growth.Known() {
			growth = float64(o.growth)
		}
		if stable != tt.stable || math.Abs(growth-tt.growth) > 1e-6 {
			t.Errorf("%s: stable %d, growth %v ms/s, want %d and %v", tt.what, stable, growth, tt.stable, tt.growth)
		}
	}
}

// runAll simulates at one server.
func runAll(w workload.Workload, service law.Law, discipline string, sinks ...record.Sink) (*record.Run, error) {
	return Run(context.Background(), &w, Station{Servers: 1, Service: service, Discipline: discipline}, Options{Sinks: sinks})
}

// TestGrowth: the latency of runs beyond capacity grows as predicted.
func TestGrowth(t *testing.T) {
	freeze := workload.Stall{Kind: workload.Freeze, Length: ms, Period: 2 * ms}
	for _, w := range []workload.Workload{
		{Rate: 1500},
		{Rate: 1500, PerSession: 4},
		{Rate: 800, Stall: freeze},
		{Rate: 1500, Retry: workload.Retry{After: 5 * ms, Copies: 3}},
		{Rate: 800, Stall: freeze, Retry: workload.Retry{After: 5 * ms, Copies: 2}},
	} {
		w.Open, w.Arrivals, w.Requests, w.Drain = true, workload.Even, int64(10*w.Rate), 1000*time.Hour
		var all sinkAll
		r, err := runAll(w, law.NewExponential(0.001), "", &all)
		if err != nil {
			t.Fatal(err)
		}
		last := all[len(all)-1]
		slope := float64(last.Latency().Milliseconds()) / last.Scheduled.Seconds()
		if growth := float64(r.Growth); math.Abs(slope/growth-1) > 0.05 || *r.Stable {
			t.Errorf("%+v: latency grew by %v ms/s, predicted %v", w, slope, growth)
		}
	}
}

// TestGrowthUnderATimeout: beyond capacity no latency exceeds the timeout, and the
// longer the run, the larger the share that times out.
func TestGrowthUnderATimeout(t *testing.T) {
	failed := 0.0
	for _, length := range []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second} {
		w := workload.Workload{Open: true, Rate: 1500, Arrivals: workload.Even, Length: length, Timeout: 500 * ms, Drain: time.Hour}
		r, err := runAll(w, law.NewExponential(0.001), "")
		if err != nil {
			t.Fatal(err)
		}
		if *r.Stable || r.Growth.Known() || r.Latency["max"] > 500 {
			t.Errorf("%v: stable %v, growth %v, latencies up to %v ms; want an unstable run within its timeout", length, *r.Stable, r.Growth, r.Latency["max"])
		}
		share := float64(r.Requests.TimedOut) / float64(r.Requests.Scheduled)
		if share <= failed {
			t.Errorf("%v: %v of the requests timed out, want more than %v", length, share, failed)
		}
		failed = share
	}
}

// TestLockedCapacity: a server whose services take as long as a lock loses
// nothing by it, and one whose services are short loses all of it; the bounds
// hold both.
func TestLockedCapacity(t *testing.T) {
	for _, tt := range []struct {
		stall      workload.Stall
		discipline string
		share      float64
	}{
		{workload.Stall{Kind: workload.Lock, Length: 10 * ms, Period: 30 * ms}, "", 1},
		{workload.Stall{Kind: workload.Lock, Length: 500 * ms, Period: time.Second}, "", 0.5},
		{workload.Stall{Kind: workload.Freeze, Length: 500 * ms, Period: time.Second}, "", 0.5},
		{workload.Stall{Kind: workload.Lock, Length: 500 * ms, Period: time.Second}, "ps", 1},
	} {
		w := workload.Workload{Open: true, Rate: 1000, Length: 20 * time.Second, Drain: 1, Stall: tt.stall}
		service := law.NewDeterministic(0.01)
		r, err := runAll(w, service, tt.discipline)
		if err != nil {
			t.Fatal(err)
		}
		if u := float64(r.Utilisation); math.Abs(u-tt.share) > 0.011 {
			t.Errorf("%+v %s: the server works %v of the time, want %v", tt.stall, tt.discipline, u, tt.share)
		}
		s := Station{Servers: 1, Discipline: tt.discipline}
		k, _, err := s.kind()
		if err != nil {
			t.Fatal(err)
		}
		w.Service = service
		if least, most := workingShare(&w, k); least > tt.share || most < tt.share {
			t.Errorf("%+v %s: bounds %v and %v for %v", tt.stall, tt.discipline, least, most, tt.share)
		}
	}
}
