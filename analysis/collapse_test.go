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
		from, to, ok := lastRecovery(&w)
		if from != c.from || to != c.to || ok != c.ok {
			t.Errorf("%s: %v to %v, %t; want %v to %v, %t", c.name, from, to, ok, c.from, c.to, c.ok)
		}
	}
}

func TestCollapsed(t *testing.T) {
	w := workload.Workload{Length: 24 * time.Second, Stall: workload.Stall{Length: 2 * time.Second, Period: 12 * time.Second}}
	for _, c := range []struct {
		lost int // of ten requests in the window
		want bool
	}{{0, false}, {5, false}, {6, true}, {10, true}} {
		trace := NewTrace(&w, 500*ms)
		for i := range 10 {
			r := record.Request{Scheduled: 20*time.Second + time.Duration(i)*100*ms, Ended: 23 * time.Second, Outcome: record.Answered}
			if i < c.lost {
				r.Outcome = record.TimedOut
			}
			trace.Add(&r)
		}
		// What happened before does not count.
		trace.Add(&record.Request{Scheduled: time.Second, Ended: 2 * time.Second, Outcome: record.Failed})
		if got, ok := trace.Collapsed(&w); got != c.want || !ok {
			t.Errorf("with %d of 10 lost: collapsed %t, %t; want %t", c.lost, got, ok, c.want)
		}
	}
}
