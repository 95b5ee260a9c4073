package measure_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

const ms = time.Millisecond

// soon bounds what must end; it is far longer than anything here takes.
const soon = 20 * time.Second

// fake is a driver whose answers a test decides.
type fake struct {
	answer func(n int64, req *drivers.Request) drivers.Answer // n counts requests from 0

	sent, outstanding, most atomic.Int64
	aborted                 chan struct{} // closed by Abort
	abort                   func()
}

func newFake(answer func(n int64, req *drivers.Request) drivers.Answer) *fake {
	f := &fake{answer: answer, aborted: make(chan struct{})}
	f.abort = sync.OnceFunc(func() { close(f.aborted) })
	return f
}

func (f *fake) Do(req *drivers.Request) drivers.Answer {
	n := f.sent.Add(1) - 1
	now := f.outstanding.Add(1)
	defer f.outstanding.Add(-1)
	for most := f.most.Load(); now > most && !f.most.CompareAndSwap(most, now); most = f.most.Load() {
	}
	return f.answer(n, req)
}

// hang never answers; it is aborted at the end of the drain.
func (f *fake) hang() drivers.Answer {
	<-f.aborted
	return drivers.Answer{Class: drivers.ClassAborted}
}

// after answers after some time.
func (f *fake) after(d time.Duration) drivers.Answer {
	select {
	case <-f.aborted:
		return drivers.Answer{Class: drivers.ClassAborted}
	case <-time.After(d):
		return drivers.Answer{}
	}
}

// watched is a fake that tells when its run is over: once its connections are
// counted, the last request has ended.
type watched struct {
	*fake
	over  chan struct{} // closed then
	at    time.Time     // of that
	tell  sync.Once
	still int64 // copies under way then
}

func newWatched() *watched { return &watched{fake: newFake(nil), over: make(chan struct{})} }

func (w *watched) Connections() drivers.Connections {
	w.tell.Do(func() {
		w.at, w.still = time.Now(), w.outstanding.Load()
		close(w.over)
	})
	return w.fake.Connections()
}

// afterRun answers when the run is over, some time later.
func (w *watched) afterRun() drivers.Answer {
	select {
	case <-w.over:
		return w.after(50 * ms)
	case <-w.aborted:
		return drivers.Answer{Class: drivers.ClassAborted}
	}
}

func (f *fake) Connect(context.Context, int) error { return nil }
func (f *fake) Abort()                             { f.abort() }
func (f *fake) Target() string                     { return "a fake" }
func (f *fake) Remote() string                     { return "" }
func (f *fake) Close() error                       { f.abort(); return nil }
func (f *fake) Connections() drivers.Connections {
	c := drivers.Connections{Opened: 5, Established: 4, Announced: 3, Lost: 2, Reopened: 1}
	select {
	case <-f.aborted:
		c.Established = 0 // as of a real driver
	default:
	}
	return c
}

var _ drivers.Driver = (*fake)(nil)

// sink keeps what it was given.
type sink []record.Request

func (s *sink) Add(r *record.Request) { *s = append(*s, *r) }

// take runs a workload and checks what holds for every run: each scheduled
// request has one record, each record one outcome, nothing was sent early, and
// latency is lag plus the time that the client saw.
func take(t *testing.T, ctx context.Context, w workload.Workload, driver drivers.Driver) (*record.Run, sink) {
	t.Helper()
	var kept sink
	run, err := measure.Run(ctx, &w, driver, nil, &kept)
	if err != nil {
		t.Fatal(err)
	}
	if !run.Requests.Balanced() {
		t.Errorf("the outcomes do not add up: %+v", run.Requests)
	}
	if int64(len(kept)) != run.Requests.Scheduled {
		t.Errorf("%d records of %d scheduled requests", len(kept), run.Requests.Scheduled)
	}
	for _, r := range kept {
		if r.Outcome == record.Unsent {
			continue
		}
		if r.Sent < r.Scheduled || r.Ended < r.Sent || r.Latency() != r.Lag()+r.ClientSeen() {
			t.Fatalf("due at %v, sent at %v, ended at %v: not in order", r.Scheduled, r.Sent, r.Ended)
		}
	}
	return run, kept
}
