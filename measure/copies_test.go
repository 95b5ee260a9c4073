package measure_test

import (
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
		w := one(20*ms, 2)
		if tt.copies == 1 {
			w.Retry.After = time.Hour
		}
		w.Requests = 3 // one after the other
		f := newWatched()
		f.answer = func(n int64, _ *drivers.Request) drivers.Answer {
			if (n+1)%tt.copies == 0 {
				return tt.answer
			}
			return f.afterRun()
		}
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
	third := make(chan struct{})
	f := newLogged(nil)
	f.answer = func(n int64, _ *drivers.Request) drivers.Answer {
		if n == 2 {
			close(third)
			return drivers.Answer{TimedOut: true}
		}
		select {
		case <-third:
		case <-f.aborted:
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

// No copy is sent at or after the first one's timeout, although the driver may be late
// to tell of that.
func TestNoCopyIsSentAfterTheTimeout(t *testing.T) {
	for timeout, copies := range map[time.Duration]int64{50 * ms: 1, 99 * ms: 1, 100 * ms: 1, 101 * ms: 2, 200 * ms: 2, 500 * ms: 3} {
		last := make(chan struct{})
		f := newFake(nil)
		f.answer = func(n int64, req *drivers.Request) drivers.Answer {
			if n == copies-1 {
				close(last)
			}
			select {
			case <-last:
			case <-f.aborted:
			}
			time.Sleep(time.Until(req.Deadline) + 250*ms) // time for another copy, if there were one
			return drivers.Answer{TimedOut: true}
		}
		w := one(100*ms, 3)
		w.Timeout = timeout
		run, _ := take(t, t.Context(), w, f)
		if run.Requests.TimedOut != 1 || run.Requests.Copies != copies || f.sent.Load() != copies {
			t.Errorf("timeout %v: %+v, %d copies reached the driver; want %d", timeout, run.Requests, f.sent.Load(), copies)
		}
	}
}
