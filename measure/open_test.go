package measure_test

import (
	"slices"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure/workload"
)

// An open loop never waits for an answer: no request is answered before all
// have been sent.
func TestOpenLoopNeverWaits(t *testing.T) {
	const n = 100
	all := make(chan struct{})
	f := newFake(nil)
	f.answer = func(int64, *drivers.Request) drivers.Answer {
		if f.sent.Load() == n {
			close(all)
		}
		select {
		case <-all:
			return drivers.Answer{}
		case <-f.aborted:
			return drivers.Answer{Class: drivers.ClassAborted}
		}
	}
	w := workload.Workload{Open: true, Rate: 2000, Arrivals: workload.Even, Requests: n, Drain: soon}
	run, _ := take(t, t.Context(), w, f)
	if run.Requests.Answered != n || f.most.Load() != n {
		t.Errorf("at most %d of %d requests were outstanding, and %d were answered", f.most.Load(), n, run.Requests.Answered)
	}
}

// The records hold exactly the instants of the seeded schedule.
func TestOpenLoopKeepsTheSchedule(t *testing.T) {
	for _, arrivals := range []workload.Arrivals{workload.Poisson, workload.Even} {
		w := workload.Workload{Open: true, Rate: 3000, Arrivals: arrivals, Length: 100 * ms, Seed: 8, Drain: soon}
		f := newFake(nil)
		f.answer = func(n int64, _ *drivers.Request) drivers.Answer { return f.after(time.Duration(n%7) * ms) }
		_, kept := take(t, t.Context(), w, f)
		var got, want []time.Duration
		for _, r := range kept {
			got = append(got, r.Scheduled)
		}
		slices.Sort(got)
		schedule := w.Schedule()
		for due, more := schedule.Next(); more; due, more = schedule.Next() {
			want = append(want, due)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d requests at other instants than the %d of the schedule", arrivals, len(got), len(want))
		}
	}
}
