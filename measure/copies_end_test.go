package measure_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// Copies that lost are not in the run: not in its counts, not in the number in
// system, not in its length, and they do not use up the drain.
func TestCopiesThatLostAreNotInTheRun(t *testing.T) {
	for name, w := range map[string]workload.Workload{
		"open":   {Open: true, Rate: 400, Arrivals: workload.Even, Requests: 20},
		"closed": {Clients: 4, Requests: 20},
	} {
		w.Drain, w.Retry = soon, workload.Retry{After: 30 * ms, Copies: 2}
		var mu sync.Mutex
		first := map[int64]bool{}
		f := newWatched()
		f.answer = func(_ int64, req *drivers.Request) drivers.Answer {
			mu.Lock()
			again := first[req.Key]
			first[req.Key] = true
			mu.Unlock()
			if again {
				return drivers.Answer{}
			}
			return f.afterRun()
		}
		began := time.Now()
		run, kept := take(t, t.Context(), w, f)
		if f.still != 20 || f.outstanding.Load() != 0 || f.Connections().Established == 0 {
			t.Errorf("%s: %d copies under way at the run's end and %d after it, or aborted; want the 20 that lost, and none", name, f.still, f.outstanding.Load())
		}
		if want := (record.Counts{Scheduled: 20, Answered: 20, Copies: 40}); run.Requests != want {
			t.Errorf("%s: counts %+v, want %+v", name, run.Requests, want)
		}
		for _, r := range kept {
			if over := f.at.Sub(began); r.Ended > over {
				t.Errorf("%s: a request ended at %v, after the run, which was over by %v: a copy that lost", name, r.Ended, over)
			}
		}
		// At most the requests, never their copies.
		if most := record.Value(20); run.InSystem > most || run.Little.XW > most {
			t.Errorf("%s: %v in system sampled, %v computed, of 20 requests", name, run.InSystem, run.Little.XW)
		}
	}
}

// Copies that do not come back within the drain are given up.
func TestCopiesThatHangAreGivenUp(t *testing.T) {
	f := newFake(nil)
	f.answer = func(n int64, _ *drivers.Request) drivers.Answer {
		if n == 0 {
			return f.hang()
		}
		return drivers.Answer{}
	}
	w := one(20*ms, 2)
	w.Drain = 200 * ms
	run, _ := take(t, t.Context(), w, f)
	if run.Requests.Answered != 1 || run.Requests.Unfinished != 0 || f.outstanding.Load() != 0 || f.Connections().Established != 0 {
		t.Errorf("%+v, %d under way; want one answered, and the copy that lost aborted", run.Requests, f.outstanding.Load())
	}
	if run.Connections["established"] != 4 {
		t.Errorf("%d connections were established at the run's end, want 4", run.Connections["established"])
	}
}

// A request whose copies are all open at the end of the drain, or at Ctrl-C, is one
// unfinished request, and nothing is left running.
func TestOpenCopiesAtTheEnd(t *testing.T) {
	for name, interrupted := range map[string]bool{"the drain's end": false, "Ctrl-C": true} {
		ctx, cancel := context.WithCancel(t.Context())
		f := newFake(nil)
		f.answer = func(n int64, _ *drivers.Request) drivers.Answer {
			if interrupted && n == 29 {
				cancel()
			}
			return f.hang()
		}
		w := workload.Workload{
			Open: true, Rate: 1000, Requests: 10, Drain: 500 * ms,
			Retry: workload.Retry{After: 20 * ms, Copies: 3},
		}
		if interrupted {
			w.Drain = time.Hour
		}
		run, kept := take(t, ctx, w, f)
		if want := (record.Counts{Scheduled: 10, Unfinished: 10, Copies: 30}); run.Requests != want || f.sent.Load() != 30 {
			t.Errorf("%s: counts %+v, want %+v", name, run.Requests, want)
		}
		for _, r := range kept {
			if r.Copies != 3 {
				t.Errorf("%s: a request counts %d copies, want 3", name, r.Copies)
			}
		}
		if run.Interrupted != interrupted || f.outstanding.Load() != 0 {
			t.Errorf("%s: interrupted %v, %d copies under way", name, run.Interrupted, f.outstanding.Load())
		}
		cancel()
	}
}

// Ctrl-C while only copies that lost are under way: the run is whole, and they do
// not hold it up.
func TestInterruptionWhileCopiesAreWaitedFor(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := newFake(nil)
	f.answer = func(n int64, _ *drivers.Request) drivers.Answer {
		if n == 0 {
			return f.hang()
		}
		time.AfterFunc(300*ms, cancel)
		return drivers.Answer{}
	}
	w := one(20*ms, 2)
	w.Drain = time.Hour
	began := time.Now()
	run, _ := take(t, ctx, w, f)
	if run.Requests.Answered != 1 || run.Interrupted || f.outstanding.Load() != 0 || time.Since(began) > soon {
		t.Errorf("%+v, interrupted %v, %d copies under way after %v", run.Requests, run.Interrupted, f.outstanding.Load(), time.Since(began))
	}
}
