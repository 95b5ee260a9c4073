package measure_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure"
	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// gate is a staller whose server answers nothing while it is shut.
type gate struct {
	mu       sync.Mutex
	open     *sync.Cond
	shut     bool
	stalls   atomic.Int64
	fail     func(stall int64) error // of Stall; nil for never
	noResume error
}

func newGate() *gate {
	g := &gate{}
	g.open = sync.NewCond(&g.mu)
	return g
}

func (g *gate) Stall() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = true
	if n := g.stalls.Add(1); g.fail != nil {
		return g.fail(n)
	}
	return nil
}

func (g *gate) Resume() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = false
	g.open.Broadcast()
	return g.noResume
}

// pass returns when the gate is open.
func (g *gate) pass() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.shut {
		g.open.Wait()
	}
}

func (g *gate) stands() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.shut
}

// stalled takes a run with a staller against a server that takes no notice of it.
func stalled(t *testing.T, ctx context.Context, w workload.Workload, g *gate, sinks ...record.Sink) (*record.Run, error) {
	t.Helper()
	s := knownServer(t, law.NewDeterministic(0.001), 1)
	p := plan(s.URL(), w, sinks...)
	p.Staller = g
	return measure.Take(ctx, p)
}

// The server stands still from P−L to P, from 2P−L to 2P and so on, counted from
// the start of the run and not of the warm-up, until the drain has ended; the run
// says when.
func TestStallsCountFromTheRun(t *testing.T) {
	g := newGate()
	w := workload.Workload{Open: true, Rate: 100, Length: 1700 * ms, Stall: workload.Stall{Length: 200 * ms, Period: 500 * ms}}
	s := knownServer(t, law.NewDeterministic(0.001), 1)
	p := plan(s.URL(), w)
	p.Staller, p.Warmup = g, 700*ms
	p.Started = func(time.Time) {
		if n := g.stalls.Load(); n != 0 {
			t.Errorf("%d stalls before the run began", n)
		}
	}
	run, err := measure.Take(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(run.Stalls); n < 3 || int64(n) != g.stalls.Load() || g.stands() {
		t.Fatalf("%d stalls are recorded of %d, and the server stands still: %v; want 3 or more", n, g.stalls.Load(), g.stands())
	}
	best := math.Inf(1) // the machine may be busy with something else
	for i, s := range run.Stalls {
		from, to := w.Stall.Begin(int64(i)).Seconds(), (w.Stall.Begin(int64(i)) + w.Stall.Length).Seconds()
		if s.Begin < from || s.End < s.Begin || i < 3 && s.End < to {
			t.Errorf("stall %d lasted from %v to %v s, want %v to %v", i, s.Begin, s.End, from, to)
		}
		best = min(best, s.Begin-from)
	}
	if best > w.Stall.Length.Seconds() {
		t.Errorf("the stalls %v began %v s late or more", run.Stalls, best)
	}
	if run.Workload.Stall != "200ms/500ms" {
		t.Errorf("the workload's stall is %q", run.Workload.Stall)
	}
}

// A stall whose time has passed, because the one before took so long to begin, is
// left out: the server is to work in between.
func TestAStallThatIsOverIsLeftOut(t *testing.T) {
	g := newGate()
	w := workload.Workload{Open: true, Rate: 100, Length: 1450 * ms, Stall: workload.Stall{Length: 100 * ms, Period: 200 * ms}}
	g.fail = func(n int64) error {
		if n == 1 {
			time.Sleep(550 * ms) // from 100 ms on, over the next two
		}
		return nil
	}
	run, err := stalled(t, t.Context(), w, g)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Stalls) < 2 || len(run.Stalls) > 6 {
		t.Fatalf("stalls %v, want the first and those after 650 ms", run.Stalls)
	}
	for _, s := range run.Stalls[1:] {
		if s.End-s.Begin < 0.001 {
			t.Errorf("a stall from %v to %v s is one that was over", s.Begin, s.End)
		}
	}
}

// Stalls go on in the drain and end with it.
func TestStallsLastUntilTheDrainHasEnded(t *testing.T) {
	g := newGate()
	f := newFake(func(int64, *drivers.Request) drivers.Answer {
		for g.stalls.Load() < 3 { // far beyond the schedule's end
			time.Sleep(ms)
		}
		g.pass()
		return drivers.Answer{}
	})
	w := &workload.Workload{Clients: 1, Requests: 1, Drain: soon, Stall: workload.Stall{Length: 20 * ms, Period: 60 * ms}}
	run, err := measure.Run(t.Context(), w, f, g)
	if err != nil || run.Requests.Answered != 1 || len(run.Stalls) < 3 || g.stands() {
		t.Errorf("%v, %+v, stalls %v, standing still %v; want the third stall over before the answer", err, run.Requests, run.Stalls, g.stands())
	}
}

// An interruption in the middle of a stall ends it at once.
func TestInterruptionEndsTheStall(t *testing.T) {
	g := newGate()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	g.fail = func(int64) error { cancel(); return nil }
	w := workload.Workload{Open: true, Rate: 100, Length: time.Hour, Stall: workload.Stall{Length: time.Hour, Period: time.Hour + 100*ms}}
	began := time.Now()
	run, err := stalled(t, ctx, w, g)
	if err != nil || !run.Interrupted || g.stands() || time.Since(began) > soon {
		t.Fatalf("%v, %+v after %v, standing still %v; want an interrupted run", err, run, time.Since(began), g.stands())
	}
	if len(run.Stalls) != 1 || run.Stalls[0].End-run.Stalls[0].Begin > soon.Seconds() {
		t.Errorf("stalls %v, want the one that was cut short", run.Stalls)
	}
}

// A stall that fails ends the schedule; the error says why in one sentence, and what
// was measured comes with it.
func TestAFailedStallIsToldWithTheRun(t *testing.T) {
	no := errors.New("the worker is gone")
	for name, g := range map[string]*gate{"stall": newGate(), "resume": newGate()} {
		if name == "stall" {
			g.fail = func(n int64) error {
				if n == 2 {
					return no
				}
				return nil
			}
		} else {
			g.noResume = no
		}
		w := workload.Workload{Open: true, Rate: 100, Length: time.Hour, Stall: workload.Stall{Length: 50 * ms, Period: 200 * ms}}
		began := time.Now()
		run, err := stalled(t, t.Context(), w, g)
		if !errors.Is(err, no) || strings.Count(err.Error(), no.Error()) != 1 || time.Since(began) > soon {
			t.Errorf("%s: error %v after %v, want one that says once that %v", name, err, time.Since(began), no)
		}
		if run == nil || !run.Interrupted || run.Requests.Answered == 0 || run.Header == nil || len(run.Stalls) != 1 {
			t.Fatalf("%s: the run is %+v, want what was measured until then", name, run)
		}
		if g.stands() {
			t.Errorf("%s: the server stands still", name)
		}
	}
}

// Stalls without anything that could stall the server are refused before the target
// is connected to.
func TestStallsNeedAStaller(t *testing.T) {
	p := plan("http://127.0.0.1:1/", workload.Workload{Clients: 1, Requests: 1, Stall: workload.Stall{Length: ms, Period: 2 * ms}})
	run, err := measure.Take(t.Context(), p)
	if run != nil || err == nil || !strings.Contains(err.Error(), "stand still as 1ms/2ms asks") {
		t.Errorf("%+v, error %v; want a refusal", run, err)
	}
}

// A staller is left alone by a workload without stalls.
func TestNoStallNoStaller(t *testing.T) {
	g := newGate()
	run, err := stalled(t, t.Context(), workload.Workload{Clients: 1, Requests: 5}, g)
	if err != nil || g.stalls.Load() != 0 || run.Stalls != nil {
		t.Errorf("%v, %d stalls, %v recorded; want none", err, g.stalls.Load(), run.Stalls)
	}
}
