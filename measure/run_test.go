package measure_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure"
	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// Of ten requests one each is refused, gets a 503, times out and hangs until
// the drain ends; both loops count exactly that.
func TestAccountingIsExact(t *testing.T) {
	const n = 200
	loops := map[string]workload.Workload{
		"open":   {Open: true, Rate: 4000, Requests: n, Drain: 200 * ms},
		"closed": {Clients: n, Requests: n, Drain: 200 * ms}, // as many clients as requests: some hang
	}
	for name, w := range loops {
		var f *fake
		f = newFake(func(i int64, _ *drivers.Request) drivers.Answer {
			switch i % 10 {
			case 0:
				return drivers.Answer{Class: "refused"}
			case 1:
				return drivers.Answer{Class: "status_503"}
			case 2:
				return drivers.Answer{TimedOut: true}
			case 3:
				return f.hang()
			}
			return drivers.Answer{Pool: 3 * ms}
		})
		run, kept := take(t, t.Context(), w, f)
		want := record.Counts{Scheduled: n, Answered: n * 6 / 10, Failed: n / 5, TimedOut: n / 10, Unfinished: n / 10, Copies: n}
		if run.Requests != want {
			t.Errorf("%s: counts %+v, want %+v", name, run.Requests, want)
		}
		if run.Failures["refused"] != n/10 || run.Failures["status_503"] != n/10 || len(run.Failures) != 2 {
			t.Errorf("%s: failures %v, want %d of each class", name, run.Failures, n/10)
		}
		if run.Interrupted {
			t.Errorf("%s: a run whose drain ended is not interrupted", name)
		}
		if pool := run.Pool.Get("mean"); pool != 3 {
			t.Errorf("%s: %v ms in the pool, want 3", name, pool)
		}
		for _, r := range kept {
			if (r.Outcome == record.Failed) != (r.Class != "") {
				t.Fatalf("%s: a request is %v with the class %q", name, r.Outcome, r.Class)
			}
		}
	}
}

// What the driver says, what was offered and with which seed is part of a run.
func TestRunSaysWhatItWas(t *testing.T) {
	f := newFake(func(int64, *drivers.Request) drivers.Answer { return drivers.Answer{} })
	w := workload.Workload{Clients: 2, Requests: 10, Drain: time.Second, Seed: 99}
	run, _ := take(t, t.Context(), w, f)
	if run.Source != record.Measured || run.Seed != 99 || run.Target != "a fake" || run.Workload != w.Describe() {
		t.Errorf("source %q, seed %d, target %q, workload %+v", run.Source, run.Seed, run.Target, run.Workload)
	}
	for key, want := range map[string]int64{"opened": 5, "established": 4, "announced": 3, "lost": 2, "reopened": 1} {
		if run.Connections[key] != want {
			t.Errorf("connections %s: %d, want %d", key, run.Connections[key], want)
		}
	}
}

// Giving up what is open closes its connections; those that were established at
// the run's end are counted all the same.
func TestConnectionsAreCountedBeforeTheyAreGivenUp(t *testing.T) {
	var f *fake
	f = newFake(func(int64, *drivers.Request) drivers.Answer { return f.hang() })
	run, _ := take(t, t.Context(), workload.Workload{Clients: 3, Requests: 3, Drain: 50 * ms}, f)
	if run.Requests.Unfinished != 3 || run.Connections["established"] != 4 {
		t.Errorf("%d requests given up, %d connections established, want 3 and the driver's 4", run.Requests.Unfinished, run.Connections["established"])
	}
}

// Both sides of Little's law count what is open until it is given up, and neither
// counts the time after that, in which nobody asks.
func TestLittleCoversFailuresAndTheSameTime(t *testing.T) {
	loops := map[string]workload.Workload{
		"unfinished": {Clients: 3, Requests: 3, Drain: 300 * ms},
		"idle end":   {Clients: 3, Length: 600 * ms, Think: law.NewDeterministic(0.2), Drain: soon},
	}
	for name, w := range loops {
		var f *fake
		f = newFake(func(int64, *drivers.Request) drivers.Answer {
			if name == "unfinished" {
				return f.hang()
			}
			return f.after(220 * ms) // the second request would come due after the end
		})
		run, _ := take(t, t.Context(), w, f)
		if gap := float64(run.Little.Gap); !(gap > -0.3 && gap < 0.3) {
			t.Errorf("%s: %v in system by sampling, %v by Little's law", name, run.Little.Sampled, run.Little.XW)
		}
	}
}

func TestRunRefusesAnImpossibleWorkload(t *testing.T) {
	p := plan("http://127.0.0.1:1/", workload.Workload{Open: true, Requests: 1}) // nobody is there to be asked
	run, err := measure.Take(t.Context(), p)
	if run != nil || err == nil || !strings.Contains(err.Error(), "-rate") {
		t.Errorf("a workload without a rate gave %+v and the error %v, want one that asks for -rate", run, err)
	}
}

// -requests is exact in both loops, with and without think time, and with more
// clients than requests.
func TestRequestsIsExact(t *testing.T) {
	loops := map[string]workload.Workload{
		"open":                    {Open: true, Rate: 5000, Requests: 137},
		"even":                    {Open: true, Rate: 5000, Arrivals: workload.Even, Requests: 137},
		"closed":                  {Clients: 8, Requests: 137},
		"closed, thinking":        {Clients: 8, Requests: 137, Think: law.NewExponential(0.002)},
		"more clients than work":  {Clients: 200, Requests: 137},
		"closed, a length beyond": {Clients: 8, Requests: 137, Length: time.Hour},
		"open, a length beyond":   {Open: true, Rate: 5000, Requests: 137, Length: time.Hour},
	}
	for name, w := range loops {
		f := newFake(func(int64, *drivers.Request) drivers.Answer { return drivers.Answer{} })
		w.Drain = soon
		run, _ := take(t, t.Context(), w, f)
		if run.Requests.Scheduled != 137 || run.Requests.Answered != 137 || f.sent.Load() != 137 {
			t.Errorf("%s: %d requests reached the driver and the counts are %+v, want 137 answered", name, f.sent.Load(), run.Requests)
		}
	}
}

// Answers after the schedule's end are waited for and counted.
func TestDrainWaits(t *testing.T) {
	loops := map[string]workload.Workload{
		"open":   {Open: true, Rate: 1000, Arrivals: workload.Even, Length: 20 * ms, Drain: soon},
		"closed": {Clients: 20, Length: 20 * ms, Drain: soon},
	}
	for name, w := range loops {
		var f *fake
		f = newFake(func(int64, *drivers.Request) drivers.Answer { return f.after(100 * ms) })
		run, _ := take(t, t.Context(), w, f)
		if run.Requests.Answered != 20 || run.Requests.Scheduled != 20 || run.Elapsed < 0.1 {
			t.Errorf("%s: %+v, the last answer at %v s; want 20 answered, after 0.1 s", name, run.Requests, run.Elapsed)
		}
	}
}

// The drain begins when the last request has come due, however long its client
// thinks: it is sent all the same.
func TestDrainBeginsAfterTheLastThinkTime(t *testing.T) {
	f := newFake(func(int64, *drivers.Request) drivers.Answer { return drivers.Answer{} })
	w := workload.Workload{Clients: 1, Requests: 2, Think: law.NewDeterministic(0.3), Drain: 150 * ms}
	run, _ := take(t, t.Context(), w, f)
	if run.Requests.Unsent != 0 || f.sent.Load() != 2 {
		t.Errorf("%d of 2 requests were sent: %+v", f.sent.Load(), run.Requests)
	}
}

// Without answers a run ends with its drain.
func TestDrainExpires(t *testing.T) {
	loops := map[string]workload.Workload{
		"open":   {Open: true, Rate: 1000, Requests: 30, Drain: 50 * ms},
		"closed": {Clients: 30, Length: 20 * ms, Drain: 50 * ms},
	}
	for name, w := range loops {
		var f *fake
		f = newFake(func(int64, *drivers.Request) drivers.Answer { return f.hang() })
		run, kept := take(t, t.Context(), w, f)
		if run.Requests.Unfinished != 30 || run.Requests.Scheduled != 30 {
			t.Errorf("%s: %+v, want 30 unfinished", name, run.Requests)
		}
		for _, r := range kept {
			if r.Ended < 50*ms {
				t.Errorf("%s: a request was given up at %v, before the drain's end", name, r.Ended)
			}
		}
		if want := "0 answered/s over 0.0 s, mean none, p50 none, p99 none, max none; 30 failed"; run.Line != want {
			t.Errorf("%s: the summary line is %q", name, run.Line)
		}
	}
}

// A deadline counts from a request's own sending; without a timeout there is
// none.
func TestTimeoutCountsFromSending(t *testing.T) {
	for _, timeout := range []time.Duration{0, 5 * time.Hour} {
		early := newFake(func(_ int64, req *drivers.Request) drivers.Answer {
			left := time.Until(req.Deadline)
			if timeout == 0 && !req.Deadline.IsZero() || timeout > 0 && (left > timeout || left < timeout-soon) {
				return drivers.Answer{Class: "wrong"}
			}
			return drivers.Answer{}
		})
		w := workload.Workload{Open: true, Rate: 1000, Requests: 50, Timeout: timeout, Drain: time.Second}
		if run, _ := take(t, t.Context(), w, early); run.Requests.Answered != 50 {
			t.Errorf("timeout %v: %d of 50 requests had the right deadline", timeout, run.Requests.Answered)
		}
	}
}

// Ctrl-C in the middle: the schedule stops, what is open is unfinished, nothing
// is lost, and the run says that it was interrupted.
func TestInterruption(t *testing.T) {
	loops := map[string]workload.Workload{
		"open":                {Open: true, Rate: 2000, Length: time.Hour},
		"open, one a day":     {Open: true, Rate: 1.0 / 86400, Arrivals: workload.Even, Length: 48 * time.Hour},
		"open, overloaded":    {Open: true, Rate: 1e7, Length: time.Hour}, // always behind its schedule
		"closed":              {Clients: 4, Length: time.Hour},
		"closed, thinking":    {Clients: 4, Length: time.Hour, Think: law.NewDeterministic(3000)},
		"closed, by requests": {Clients: 4, Requests: 1 << 40},
	}
	for name, w := range loops {
		ctx, cancel := context.WithCancel(t.Context())
		var f *fake
		f = newFake(func(i int64, _ *drivers.Request) drivers.Answer {
			if i%2 == 1 && i < 20 && (w.Open || i < 6) {
				return f.hang()
			}
			return f.after(ms)
		})
		w.Drain = time.Hour
		time.AfterFunc(100*ms, cancel)
		began := time.Now()
		run, kept := take(t, ctx, w, f)
		if took := time.Since(began); took > soon {
			t.Errorf("%s: an interrupted run went on for %v", name, took)
		}
		if !run.Interrupted {
			t.Errorf("%s: the run is not marked as interrupted", name)
		}
		if n := f.sent.Load(); run.Requests.Scheduled-run.Requests.Unsent != n || run.Requests.Failed != 0 {
			t.Errorf("%s: %d requests were sent, and the counts are %+v", name, n, run.Requests)
		}
		for _, r := range kept {
			if r.Outcome == record.Failed || r.Outcome == record.TimedOut {
				t.Fatalf("%s: a request that was cut off counts as %v", name, r.Outcome)
			}
		}
		cancel()
	}
}

// An interruption before the beginning or during the drain is one too.
func TestInterruptionAtTheEdges(t *testing.T) {
	var f *fake
	f = newFake(func(int64, *drivers.Request) drivers.Answer { return f.hang() })
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*ms, cancel)
	run, _ := take(t, ctx, workload.Workload{Open: true, Rate: 1000, Requests: 5, Drain: time.Hour}, f)
	if !run.Interrupted || run.Requests.Unfinished != 5 {
		t.Errorf("interrupted in the drain: %v, %+v; want 5 unfinished", run.Interrupted, run.Requests)
	}
	for _, w := range []workload.Workload{{Open: true, Rate: 10, Length: time.Hour}, {Clients: 3, Length: time.Hour}} {
		f = newFake(func(int64, *drivers.Request) drivers.Answer { return f.after(ms) })
		run, _ = take(t, ctx, w, f) // ctx has ended long since
		if !run.Interrupted || run.Requests.Scheduled > 10 {
			t.Errorf("interrupted before it began: %v, %+v", run.Interrupted, run.Requests)
		}
	}
}

// The keys and service times that reach the driver are those of the seed.
func TestRequestsCarryTheSeedsDraws(t *testing.T) {
	const n = 300
	w := workload.Workload{Open: true, Rate: 20_000, Requests: n, Seed: 5, Drain: soon, Service: law.NewExponential(0.001)}
	seen := make(chan drivers.Request, n)
	f := newFake(func(_ int64, req *drivers.Request) drivers.Answer {
		seen <- *req
		return drivers.Answer{}
	})
	take(t, t.Context(), w, f)
	var got, want []drivers.Request
	draws := w.Client(0)
	for range n {
		got = append(got, <-seen)
		want = append(want, drivers.Request{Key: draws.NextKey(), Service: draws.NextService()})
	}
	byKey := func(a, b drivers.Request) int { return int(a.Key - b.Key) }
	slices.SortFunc(got, byKey) // workers may overtake each other
	slices.SortFunc(want, byKey)
	if !slices.Equal(got, want) {
		t.Error("the driver got other keys or service times than the seed gives")
	}
}
