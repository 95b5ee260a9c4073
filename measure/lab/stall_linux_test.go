package lab_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure"
	"queuelab/measure/lab"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

const (
	ms = time.Millisecond
	// bound is how long anything here may take on a machine that is busy.
	bound = 60 * time.Second
)

// started is a lab that ends with the test.
func started(t *testing.T, name string, o lab.Options) lab.Server {
	t.Helper()
	s, err := lab.Start(t.Context(), name, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop() })
	return s
}

// staller prepares stalls of a lab that end with the test.
func staller(t *testing.T, s lab.Server, kind workload.StallKind) lab.Staller {
	t.Helper()
	still, err := s.Staller(t.Context(), kind)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { still.Close() })
	return still
}

// kept keeps the records of a run.
type kept []record.Request

func (k *kept) Add(r *record.Request) { *k = append(*k, *r) }

// plan is a run on a lab.
func plan(s lab.Server, w workload.Workload, still measure.Staller, sinks ...record.Sink) measure.Plan {
	w.Drain, w.Seed = bound, 1
	return measure.Plan{
		Workload: &w, Driver: s.Driver(), CPU: s.CPU(), Staller: still, Sinks: sinks,
		Options: drivers.Options{URL: s.URL(), DSN: s.DSN(), SQL: s.SQL()},
	}
}

// standing counts the serving processes that are stopped and those there are.
func standing(t *testing.T, s lab.Server) (stopped, all int) {
	t.Helper()
	pids, err := s.PIDs()
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range pids {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // it has ended
		}
		// "12 (name) T 1 …"
		if after := string(stat[strings.LastIndexByte(string(stat), ')')+1:]); strings.HasPrefix(after, " T") {
			stopped++
		}
	}
	return stopped, len(pids)
}

// until waits for what must come about.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(bound); !is(); time.Sleep(ms) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", bound, what)
		}
	}
}

// works checks that no process is stopped and that a request is answered.
func works(t *testing.T, s lab.Server, after string) {
	t.Helper()
	until(t, after+": nothing stands still", func() bool { stopped, _ := standing(t, s); return stopped == 0 })
	run, err := measure.Take(t.Context(), plan(s, workload.Workload{Clients: 1, Requests: 1}, nil))
	if err != nil || run.Requests.Answered != 1 {
		t.Errorf("%s: %v, %+v; want an answer", after, err, run)
	}
}

// phased checks that stalls happened where they belong, and that no request of the
// records that was due in one was answered before its end.
func phased(t *testing.T, run *record.Run, stall workload.Stall, requests kept) {
	t.Helper()
	if run.Requests.Answered != run.Requests.Scheduled || len(run.Stalls) < 2 {
		t.Fatalf("%+v, failures %v, stalls %v; want all answered and two stalls or more", run.Requests, run.Failures, run.Stalls)
	}
	held, best := 0, math.Inf(1) // the machine may be busy with something else
	for i, s := range run.Stalls {
		due := stall.Begin(int64(i)).Seconds()
		if s.Begin < due {
			t.Errorf("stall %d began at %v s, want %v", i, s.Begin, due)
		}
		best = min(best, s.Begin-due)
		for _, r := range requests {
			due, answered := r.Scheduled.Seconds(), r.Ended.Seconds()
			if due < s.Begin || due >= s.End {
				continue
			}
			held++
			if answered < s.End {
				t.Errorf("due at %v s and answered at %v s, in the stall from %v to %v s", due, answered, s.Begin, s.End)
			}
		}
	}
	if best > stall.Length.Seconds() {
		t.Errorf("the stalls %v began %v s late or more", run.Stalls, best)
	}
	if held == 0 {
		t.Error("no request was due in a stall: the test says nothing")
	}
}

// A frozen nginx answers nothing, and afterwards everything; its worker is stopped
// in between, whatever ends the run.
func TestFreezeOfNginx(t *testing.T) {
	s := started(t, "nginx", lab.Options{})
	still := staller(t, s, workload.AnyStall)
	stall := workload.Stall{Kind: workload.Freeze, Length: 500 * ms, Period: 1200 * ms}
	t.Run("run", func(t *testing.T) {
		var requests kept
		w := workload.Workload{Open: true, Rate: 40, Arrivals: workload.Even, Length: 2 * time.Second, Stall: stall}
		run, err := measure.Take(t.Context(), plan(s, w, still, &requests))
		if err != nil {
			t.Fatal(err)
		}
		phased(t, run, stall, requests)
		works(t, s, "after a run")
	})
	long := workload.Workload{Open: true, Rate: 40, Length: time.Hour, Stall: workload.Stall{Kind: workload.Freeze, Length: time.Hour, Period: time.Hour + 300*ms}}
	t.Run("interrupted", func(t *testing.T) { interruptedStall(t, s, still, long) })
	t.Run("failed", func(t *testing.T) {
		no := errors.New("it failed halfway")
		run, err := measure.Take(t.Context(), plan(s, long, halfway{still, no}))
		if !errors.Is(err, no) || run == nil || !run.Interrupted {
			t.Errorf("%v, %+v; want the error and the run until then", err, run)
		}
		works(t, s, "after an error")
	})
}

// halfway fails when it has stalled the server.
type halfway struct {
	lab.Staller
	err error
}

func (h halfway) Stall() error { return errors.Join(h.Staller.Stall(), h.err) }

// interruptedStall interrupts a run once the server stands still.
func interruptedStall(t *testing.T, s lab.Server, still lab.Staller, w workload.Workload) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	over := make(chan *record.Run, 1)
	go func() {
		run, err := measure.Take(ctx, plan(s, w, still))
		if err != nil {
			t.Error(err)
		}
		over <- run
	}()
	until(t, "all serving processes stand still", func() bool {
		stopped, all := standing(t, s)
		return stopped > 0 && stopped == all
	})
	cancel()
	if run := <-over; run == nil || !run.Interrupted || len(run.Stalls) != 1 {
		t.Errorf("the run is %+v, want an interrupted one with one stall", run)
	}
	works(t, s, "after an interruption")
}

// nginx cannot be locked, and the default is what suits each lab.
func TestStallKind(t *testing.T) {
	for name, want := range map[string]workload.StallKind{"nginx": workload.Freeze, "postgres": workload.Lock, "shortener": workload.Freeze} {
		if kind, err := lab.StallKind(name, workload.AnyStall); err != nil || kind != want {
			t.Errorf("%s: %v, %v; want %v", name, kind, err, want)
		}
	}
	if _, err := lab.StallKind("nginx", workload.Lock); err == nil {
		t.Error("nginx can be locked")
	}
	if _, err := lab.StallKind("apache", workload.Freeze); err == nil {
		t.Error("an unknown lab can be frozen")
	}
	s := started(t, "nginx", lab.Options{})
	if _, err := s.Staller(t.Context(), workload.Lock); err == nil {
		t.Error("a lock on nginx was prepared")
	}
}
