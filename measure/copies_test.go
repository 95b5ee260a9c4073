package measure_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// one is a closed workload of one request with a retry.
func one(after time.Duration, copies int) workload.Workload {
	return workload.Workload{
		Clients: 1, Requests: 1, Drain: soon, Seed: 4, Service: law.NewExponential(1),
		Retry: workload.Retry{After: after, Copies: copies},
	}
}

// logged is a driver that notes when each copy came and what it carried.
type logged struct {
	*fake
	mu     sync.Mutex
	came   []time.Time
	copies []drivers.Request
}

func newLogged(answer func(n int64, req *drivers.Request) drivers.Answer) *logged {
	return &logged{fake: newFake(answer)}
}

func (l *logged) Do(req *drivers.Request) drivers.Answer {
	l.mu.Lock()
	l.came = append(l.came, time.Now())
	l.copies = append(l.copies, *req)
	l.mu.Unlock()
	return l.fake.Do(req)
}

// Copies leave at 0, D and 2D with the same key and service time, never more than
// asked for; the first answer of any of them, here the last one's, ends the
// request, and the others are waited for before the driver is left.
func TestCopiesLeaveWhileThereIsNoAnswer(t *testing.T) {
	const after = 60 * ms
	for copies := 2; copies <= 4; copies++ {
		answered := make(chan struct{})
		f := newLogged(nil)
		f.answer = func(n int64, _ *drivers.Request) drivers.Answer {
			if n == int64(copies-1) {
				time.Sleep(3 * after) // time for another copy, if there were one
				close(answered)
				return drivers.Answer{Pool: time.Duration(n)}
			}
			<-answered
			return f.fake.after(50 * ms)
		}
		run, kept := take(t, t.Context(), one(after, copies), f)
		if want := (record.Counts{Scheduled: 1, Answered: 1, Copies: int64(copies)}); run.Requests != want || f.sent.Load() != int64(copies) {
			t.Fatalf("%d copies reached the driver and the counts are %+v, want %+v", f.sent.Load(), run.Requests, want)
		}
		for i, c := range f.copies {
			if c != f.copies[0] || c.Service == 0 {
				t.Errorf("copy %d carries %+v, the first %+v", i, c, f.copies[0])
			}
			// The first was handed over a moment before it came.
			if gap := f.came[i].Sub(f.came[0]); i > 0 && gap < time.Duration(i)*after-after/2 {
				t.Errorf("copy %d left %v after the first, want %v", i, gap, time.Duration(i)*after)
			}
		}
		if r := kept[0]; r.Pool != time.Duration(copies-1) || r.ClientSeen() < time.Duration(copies-1+3)*after {
			t.Errorf("the record is %+v, want that of the last copy's answer", r)
		}
		if f.outstanding.Load() != 0 || f.Connections().Established == 0 {
			t.Errorf("%d copies were under way after the run, or they were aborted", f.outstanding.Load())
		}
	}
}

// Whatever the first copy to come back brings ends the request, and nothing is sent
// after that.
func TestTheFirstToComeBackEndsTheRequest(t *testing.T) {
	for _, tt := range []struct {
		name   string
		copies int64 // sent before the end
		answer drivers.Answer
		want   record.Outcome
	}{
		{"an answer of the first", 1, drivers.Answer{}, record.Answered},
		{"an error of the first", 1, drivers.Answer{Class: "refused"}, record.Failed},
		{"a timeout of the first", 1, drivers.Answer{TimedOut: true}, record.TimedOut},
		{"an answer of the second", 2, drivers.Answer{}, record.Answered},
		{"an error of the second", 2, drivers.Answer{Class: "status_503"}, record.Failed},
		{"a timeout of the second", 2, drivers.Answer{TimedOut: true}, record.TimedOut},
	} {
		w := one(200*ms, 2)
		if tt.copies == 1 {
			w.Retry.After = time.Hour
		}
		w.Requests = 3 // one after the other
		var f *fake
		f = newFake(func(n int64, _ *drivers.Request) drivers.Answer {
			if (n+1)%tt.copies == 0 {
				return tt.answer
			}
			return f.after(400 * ms)
		})
		run, kept := take(t, t.Context(), w, f)
		if run.Requests.Copies != 3*tt.copies || f.sent.Load() != 3*tt.copies {
			t.Errorf("%s: %d copies were sent and %d counted of 3 requests, want %d", tt.name, f.sent.Load(), run.Requests.Copies, 3*tt.copies)
		}
		for _, r := range kept {
			if r.Outcome != tt.want || r.Class != tt.answer.Class || int64(r.Copies) != tt.copies {
				t.Errorf("%s: the record is %+v", tt.name, r)
			}
		}
	}
}

// A client goes on when its request has ended, whatever becomes of the copies that
// lost: only the most recent ones are under way with the next request.
func TestAClientDoesNotWaitForCopiesThatLost(t *testing.T) {
	lost := make(chan struct{})
	f := newFake(nil)
	f.answer = func(n int64, _ *drivers.Request) drivers.Answer {
		if n%2 == 0 {
			<-lost
		}
		if n == 9 {
			close(lost)
		}
		return drivers.Answer{}
	}
	w := one(20*ms, 2)
	w.Requests = 5
	run, kept := take(t, t.Context(), w, f)
	if run.Requests.Answered != 5 || run.Requests.Copies != 10 || f.most.Load() != 6 {
		t.Errorf("%+v with at most %d copies under way, want 5 answered by 10 copies, 6 at once", run.Requests, f.most.Load())
	}
	for i := 1; i < len(kept); i++ {
		if kept[i].Scheduled < kept[i-1].Ended {
			t.Errorf("request %d was due at %v, before the last one ended at %v", i, kept[i].Scheduled, kept[i-1].Ended)
		}
	}
}

// A timeout counts from each copy's own sending.
func TestEachCopyHasItsOwnTimeout(t *testing.T) {
	const after, timeout = 50 * ms, time.Hour
	f := newLogged(nil)
	f.answer = func(n int64, _ *drivers.Request) drivers.Answer {
		if n == 2 {
			return drivers.Answer{TimedOut: true}
		}
		return f.after(300 * ms)
	}
	w := one(after, 3)
	w.Timeout = timeout
	run, _ := take(t, t.Context(), w, f)
	if run.Requests.TimedOut != 1 || len(f.copies) != 3 {
		t.Fatalf("%+v, %d copies; want one request timed out with 3", run.Requests, len(f.copies))
	}
	for i, c := range f.copies {
		if late := f.came[i].Add(timeout).Sub(c.Deadline); late < 0 || late > soon {
			t.Errorf("copy %d came at %v with the deadline %v", i, f.came[i], c.Deadline)
		}
		if later := c.Deadline.Sub(f.copies[0].Deadline); later < time.Duration(i)*after {
			t.Errorf("copy %d times out %v after the first, want at least %v", i, later, time.Duration(i)*after)
		}
	}
}

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
		f := newFake(nil)
		f.answer = func(_ int64, req *drivers.Request) drivers.Answer {
			mu.Lock()
			again := first[req.Key]
			first[req.Key] = true
			mu.Unlock()
			if again {
				return drivers.Answer{}
			}
			return f.after(1500 * ms)
		}
		began := time.Now()
		run, _ := take(t, t.Context(), w, f)
		if took := time.Since(began); took < 1500*ms || f.outstanding.Load() != 0 || f.Connections().Established == 0 {
			t.Errorf("%s: the run was over after %v with %d copies under way, or aborted", name, took, f.outstanding.Load())
		}
		if want := (record.Counts{Scheduled: 20, Answered: 20, Copies: 40}); run.Requests != want {
			t.Errorf("%s: counts %+v, want %+v", name, run.Requests, want)
		}
		if run.Elapsed > 1.2 || run.Latency.Get("max") > 1200 {
			t.Errorf("%s: the run lasted %v s with latencies up to %v ms: those of copies that lost", name, run.Elapsed, run.Latency.Get("max"))
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
