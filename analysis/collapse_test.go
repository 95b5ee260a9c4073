package analysis

import (
	"testing"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

func TestLastRecovery(t *testing.T) {
	s := time.Second
	for _, c := range []struct {
		name                 string
		length, stall, cycle time.Duration
		from, to             time.Duration
		ok                   bool
	}{
		{"three stalls", 40 * s, 2 * s, 12 * s, 31500 * ms, 34 * s, true},
		{"whole cycles", 24 * s, 2 * s, 12 * s, 19500 * ms, 22 * s, true},
		{"one stall, no recovery in sight", 21 * s, 2 * s, 12 * s, 0, 0, false},
		{"no stall", 40 * s, 0, 0, 0, 0, false},
	} {
		w := workload.Workload{Length: c.length, Stall: workload.Stall{Length: c.stall, Period: c.cycle}}
		if got := lastRecovery(&w); got.from != c.from || got.to != c.to {
			t.Errorf("%s: %v to %v, want %v to %v", c.name, got.from, got.to, c.from, c.to)
		}
	}
}

// A schedule in whose last period nothing was due cannot tell.
func TestCollapsedNeedsRequests(t *testing.T) {
	w := workload.Workload{Length: 24 * time.Second, Stall: workload.Stall{Length: 2 * time.Second, Period: 12 * time.Second}}
	trace := NewTrace(&w, 0)
	trace.Add(&record.Request{Scheduled: time.Second, Outcome: record.TimedOut})
	if _, ok := trace.Collapsed(); ok {
		t.Error("a run without a request in the window has a verdict")
	}
}

func TestCollapsed(t *testing.T) {
	w := workload.Workload{Length: 24 * time.Second, Stall: workload.Stall{Length: 2 * time.Second, Period: 12 * time.Second}}
	for _, c := range []struct {
		lost int // of ten requests in the window
		want bool
	}{{0, false}, {5, false}, {6, true}, {10, true}} {
		// However long the cells are, or whether there are any.
		trace := NewTrace(&w, time.Duration(c.lost)*100*time.Second)
		for i := range 10 {
			r := record.Request{Scheduled: 20*time.Second + time.Duration(i)*100*ms, Ended: 23 * time.Second, Outcome: record.Answered}
			if i < c.lost {
				r.Outcome = record.TimedOut
			}
			trace.Add(&r)
		}
		// What happened before does not count.
		trace.Add(&record.Request{Scheduled: time.Second, Ended: 2 * time.Second, Outcome: record.Failed})
		if got, ok := trace.Collapsed(); got != c.want || !ok {
			t.Errorf("with %d of 10 lost: collapsed %t, %t; want %t", c.lost, got, ok, c.want)
		}
	}
}
