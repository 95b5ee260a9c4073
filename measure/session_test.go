package measure_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure"
	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// arriving is a workload of so many sessions, 2 ms apart, that ends when the last
// of them is over.
func arriving(t *testing.T, sessions int, perSession float64) workload.Workload {
	t.Helper()
	file := filepath.Join(t.TempDir(), "gaps.txt")
	if err := os.WriteFile(file, []byte(strings.Repeat("2ms\n", sessions-1)), 0o644); err != nil {
		t.Fatal(err)
	}
	a, err := workload.ParseArrivals("gaps:" + file)
	if err != nil {
		t.Fatal(err)
	}
	return workload.Workload{Open: true, Arrivals: a, Rate: a.Rate() * perSession, PerSession: perSession, Requests: 1 << 40, Drain: soon, Seed: 4}
}

// visit is what the seed says of one session: its requests, and how long after the
// end of each the next one is due if all are answered.
type visit struct {
	requests []drivers.Request
	waits    []time.Duration
}

func seeded(w *workload.Workload, k int) (v visit) {
	s := w.Session(k)
	for more := true; more; {
		v.requests = append(v.requests, drivers.Request{Key: s.NextKey(), Service: s.NextService()})
		var wait time.Duration
		if wait, more = s.Next(true); more {
			v.waits = append(v.waits, wait)
		}
	}
	return v
}

// Each session's requests are those of the seed, in their order, the first at an
// instant of the schedule, each further one due its think time after the end of the
// one before, or, after a failure, 10 ms later than that.
func TestSessionsAreTheSeeds(t *testing.T) {
	const sessions = 60
	for name, think := range map[string]law.Law{"at once": nil, "constant": law.NewDeterministic(0.002), "any": law.NewExponential(0.003)} {
		w := arriving(t, sessions, 4)
		w.Think, w.Service = think, law.NewExponential(0.001)
		type sending struct {
			drivers.Request
			failed bool
		}
		var mutex sync.Mutex
		var sent []sending
		f := newFake(func(n int64, req *drivers.Request) drivers.Answer {
			mutex.Lock()
			defer mutex.Unlock()
			sent = append(sent, sending{*req, n%5 == 0})
			if n%5 == 0 {
				return drivers.Answer{Class: "reset"}
			}
			return drivers.Answer{}
		})
		run, kept := take(t, t.Context(), w, f)

		scheduled := map[time.Duration]bool{}
		for _, r := range kept {
			scheduled[r.Scheduled] = true
		}
		schedule, failed := w.Schedule(), map[drivers.Request]bool{}
		for _, s := range sent {
			failed[s.Request] = s.failed
		}
		want := 0
		for k := range sessions {
			due, more := schedule.Next()
			if !more || !scheduled[due] {
				t.Fatalf("%s: no request at %v, when session %d arrives", name, due, k)
			}
			v := seeded(&w, k)
			want += len(v.requests)
			checkCourse(t, name, due, v, failed, kept)
		}
		if run.Requests.Scheduled != int64(want) || len(sent) != want {
			t.Errorf("%s: %d requests in %d sessions, %d sent, want %d", name, run.Requests.Scheduled, sessions, len(sent), want)
		}
	}
}

// checkCourse follows a session through the records from its arrival.
func checkCourse(t *testing.T, name string, due time.Duration, v visit, failed map[drivers.Request]bool, kept sink) {
	t.Helper()
	for i, request := range v.requests {
		bad, sent := failed[request]
		at := slices.IndexFunc(kept, func(r record.Request) bool { return r.Scheduled == due && (r.Outcome == record.Failed) == bad })
		if !sent || at < 0 || kept[at].Number != 0 {
			t.Fatalf("%s: request %d of a session is not due at %v, with the outcome that the server gave it", name, i, due)
		}
		if i < len(v.waits) {
			due = kept[at].Ended + v.waits[i]
			if bad {
				due += workload.FailurePause
			}
		}
	}
}

// The bound on requests is exact, the first of sessions and later ones together.
func TestRequestsBoundSessions(t *testing.T) {
	for name, w := range map[string]workload.Workload{
		"at once":         {PerSession: 3},
		"thinking":        {PerSession: 20, Think: law.NewExponential(0.002)},
		"a length beyond": {PerSession: 3, Length: time.Hour},
		"hardly any":      {PerSession: 1.01},
	} {
		w.Open, w.Rate, w.Requests, w.Drain = true, 5000, 137, soon
		f := newFake(func(int64, *drivers.Request) drivers.Answer { return drivers.Answer{} })
		run, _ := take(t, t.Context(), w, f)
		if run.Requests.Scheduled != 137 || run.Requests.Answered != 137 || f.sent.Load() != 137 {
			t.Errorf("%s: %d requests reached the driver and the counts are %+v, want 137 answered", name, f.sent.Load(), run.Requests)
		}
	}
}

// With a length a session's requests are due before it; what is open then is waited
// for, and given up in the end.
func TestSessionsEndWithTheSchedule(t *testing.T) {
	for name, think := range map[string]law.Law{"at once": nil, "thinking": law.NewExponential(0.005), "for too long": law.NewDeterministic(3000)} {
		var f *fake
		f = newFake(func(n int64, _ *drivers.Request) drivers.Answer {
			if n%20 == 19 {
				return f.hang()
			}
			return f.after(2 * ms)
		})
		w := workload.Workload{Open: true, Rate: 2000, PerSession: 5, Think: think, Length: 200 * ms, Drain: 50 * ms}
		run, kept := take(t, t.Context(), w, f)
		c := run.Requests
		if c.Unfinished != f.sent.Load()/20 || c.Answered+c.Unfinished != f.sent.Load() || run.Interrupted {
			t.Errorf("%s: %d were sent, of which each twentieth hangs, and the counts are %+v", name, f.sent.Load(), c)
		}
		for _, r := range kept {
			if r.Scheduled >= w.Length {
				t.Errorf("%s: a request is due at %v, after the schedule's end", name, r.Scheduled)
			}
		}
	}
}

func TestInterruptedSessions(t *testing.T) {
	for name, w := range map[string]workload.Workload{
		"at once":            {Rate: 2000, PerSession: 1e6, Length: time.Hour},
		"thinking":           {Rate: 2000, PerSession: 10, Length: time.Hour, Think: law.NewExponential(0.01)},
		"for long":           {Rate: 2000, PerSession: 10, Length: time.Hour, Think: law.NewDeterministic(3000)},
		"one session a day":  {Rate: 1, PerSession: 86400, Length: 48 * time.Hour},
		"overloaded":         {Rate: 1e6, PerSession: 2, Length: time.Hour},
		"without a length":   {Rate: 2000, PerSession: 10, Requests: 1 << 40},
		"when all is silent": {Rate: 1000, PerSession: 1e6, Requests: 1 << 40, Think: law.NewDeterministic(3000)},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		var f *fake
		f = newFake(func(n int64, _ *drivers.Request) drivers.Answer {
			if n%7 == 6 && n < 50 {
				return f.hang()
			}
			return f.after(ms)
		})
		w.Open, w.Drain = true, time.Hour
		time.AfterFunc(100*ms, cancel)
		began := time.Now()
		run, _ := take(t, ctx, w, f)
		if took := time.Since(began); took > soon || !run.Interrupted {
			t.Errorf("%s: interrupted %v, after %v", name, run.Interrupted, took)
		}
		if c := run.Requests; c.Scheduled-c.Unsent != f.sent.Load() || c.Scheduled == 0 || c.Failed != 0 {
			t.Errorf("%s: %d requests were sent, and the counts are %+v", name, f.sent.Load(), c)
		}
		cancel()
	}
}

// Sessions keep to the cap on requests in flight like others; what is not sent is
// counted, and the session goes on.
func TestSessionsAreCapped(t *testing.T) {
	const most = 5
	var f *fake
	f = newFake(func(int64, *drivers.Request) drivers.Answer { return f.after(20 * ms) })
	w := workload.Workload{Open: true, Rate: 2000, PerSession: 3, Requests: 300, Drain: soon}
	run, capped, err := measure.RunCapped(t.Context(), &w, f, most)
	if err != nil {
		t.Fatal(err)
	}
	c := run.Requests
	if !c.Balanced() || c.Scheduled != 300 || c.Unsent != capped || capped == 0 || c.Answered <= most || f.most.Load() > most {
		t.Errorf("%+v, %d capped, at most %d in flight; want five at a time, again and again", c, capped, f.most.Load())
	}
}

// A session of one request on average is one of exactly one: an open loop.
func TestSessionsOfOneRequestAreOpen(t *testing.T) {
	open := workload.Workload{Open: true, Rate: 3000, Requests: 200, Seed: 8, Drain: soon}
	single := open
	single.PerSession = 1
	var runs [2][]record.Request
	for i, w := range []workload.Workload{open, single} {
		f := newFake(func(int64, *drivers.Request) drivers.Answer { return drivers.Answer{} })
		_, kept := take(t, t.Context(), w, f)
		runs[i] = kept
		slices.SortFunc(runs[i], func(a, b record.Request) int { return int(a.Number - b.Number) })
	}
	for i := range runs[0] {
		if a, b := runs[0][i], runs[1][i]; a.Scheduled != b.Scheduled || a.Number != b.Number {
			t.Fatalf("request %d is due at %v, and at %v in a session of its own", i, a.Scheduled, b.Scheduled)
		}
	}
}

// Against a real server that is idle half of the time sessions send at their rate.
func TestSessionsAgainstKnownServer(t *testing.T) {
	s := knownServer(t, law.NewExponential(0.001), 1)
	w := workload.Workload{Open: true, Rate: 500, PerSession: 4, Think: law.NewExponential(0.005), Length: time.Second, Seed: 2}
	run := real(t, plan(s.URL(), w))
	// 125 sessions of 4 requests; the standard deviation of their number is that of a
	// compound Poisson sum, √(125·(4²+12)) = 59, and some of them are not over.
	if n := run.Requests.Scheduled; n < 500-5*59-20 || n > 500+5*59 {
		t.Errorf("%d requests at 500/s in 1 s, want 500 within five standard deviations", n)
	}
	if run.Sending == nil || run.Sending.Due != run.Requests.Scheduled || run.Sending.Sent == 0 {
		t.Errorf("%+v of %d scheduled requests", run.Sending, run.Requests.Scheduled)
	}
}
