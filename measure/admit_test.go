package measure_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure"
	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// What comes due while as many requests are in flight as may be is unsent at once and
// counted; nothing else is lost, and nothing is sent later instead.
func TestRequestsInFlightAreCapped(t *testing.T) {
	const most, n = 10, 100
	var f *fake
	f = newFake(func(int64, *drivers.Request) drivers.Answer { return f.hang() })
	var kept sink
	w := workload.Workload{Open: true, Rate: 2000, Requests: n, Drain: 100 * ms, Seed: 3}
	run, capped, err := measure.RunCapped(t.Context(), &w, f, most, &kept)
	if err != nil {
		t.Fatal(err)
	}
	want := record.Counts{Scheduled: n, Unfinished: most, Unsent: n - most, Copies: most}
	if run.Requests != want || capped != n-most || f.sent.Load() != most || f.most.Load() != most {
		t.Errorf("%+v, %d not sent because of the cap, at most %d in flight; want %+v", run.Requests, capped, f.most.Load(), want)
	}
	schedule, due := w.Schedule(), map[time.Duration]bool{}
	for at, more := schedule.Next(); more; at, more = schedule.Next() {
		due[at] = true
	}
	for _, r := range kept {
		if !due[r.Scheduled] {
			t.Errorf("a request at %v, which is not in the schedule", r.Scheduled)
		}
	}
}

// A request that ends makes room for the next.
func TestCapMakesRoom(t *testing.T) {
	var f *fake
	f = newFake(func(int64, *drivers.Request) drivers.Answer { return f.after(20 * ms) })
	w := workload.Workload{Open: true, Rate: 500, Arrivals: workload.Even, Requests: 200, Drain: soon}
	run, capped, err := measure.RunCapped(t.Context(), &w, f, 5)
	if err != nil {
		t.Fatal(err)
	}
	c := run.Requests
	if !c.Balanced() || c.Unsent != capped || capped == 0 || c.Answered <= 5 || f.most.Load() > 5 {
		t.Errorf("%+v, %d capped, at most %d in flight; want five at a time, again and again", c, capped, f.most.Load())
	}
}

// Copies count, and those that lost too, which run on after their request's end.
func TestCapCountsCopies(t *testing.T) {
	const most, copies = 4, 3
	for name, answer := range map[string]func(f *fake, n int64) drivers.Answer{
		"all hang":      func(f *fake, _ int64) drivers.Answer { return f.hang() },
		"losers run on": func(f *fake, n int64) drivers.Answer { return f.after(time.Duration(1+30*(n%2)) * ms) },
	} {
		var f *fake
		f = newFake(func(n int64, _ *drivers.Request) drivers.Answer { return answer(f, n) })
		w := workload.Workload{
			Open: true, Rate: 1000, Requests: 200, Drain: 100 * ms,
			Retry: workload.Retry{After: 2 * ms, Copies: copies},
		}
		run, capped, err := measure.RunCapped(t.Context(), &w, f, most)
		if err != nil {
			t.Fatal(err)
		}
		if c := run.Requests; !c.Balanced() || c.Unsent != capped || capped == 0 || f.most.Load() > most*copies {
			t.Errorf("%s: %+v, %d capped, at most %d copies in flight; want no more than %d", name, c, capped, f.most.Load(), most*copies)
		}
	}
}

// A run that needs more connections than there may be files is refused before
// anything is sent, whoever needs them.
func TestTooFewFilesAreToldBeforeTheRun(t *testing.T) {
	for name, p := range map[string]measure.Plan{
		"clients":             {Driver: "http", Workload: &workload.Workload{Clients: 1_000_000, Requests: 1}},
		"limited connections": {Driver: "http", Workload: &workload.Workload{Open: true, Rate: 1, Requests: 1}, Options: drivers.Options{Connections: 1_000_000}},
	} {
		if limit := fileLimit(t); limit >= 1_000_000 {
			t.Skipf("this process may open %d files", limit)
		}
		p.Options.URL = "http://127.0.0.1:1/" // nobody is there to be asked
		run, err := measure.Take(t.Context(), p)
		var usage *drivers.UsageError
		if run != nil || !errors.As(err, &usage) || !strings.Contains(err.Error(), "ulimit -n") {
			t.Errorf("%s: %+v, %v; want an error that says how to raise the limit", name, run, err)
		}
	}
}

func fileLimit(t *testing.T) uint64 {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Skip(err)
	}
	return uint64(limit.Cur)
}

// The cap leaves an open run as many requests in flight as there are files and ports
// for their connections; where requests share a fixed number of them, neither matters.
func TestCapFollowsFilesAndPorts(t *testing.T) {
	s := knownServer(t, law.NewDeterministic(0.0001), 1)
	limit := int64(fileLimit(t))
	for name, c := range map[string]struct {
		connections, copies int
		most                int64
	}{
		"unlimited":    {0, 0, min(limit/2, 65535)},
		"three copies": {0, 3, min(limit/2, 65535) / 3},
		"a pool":       {4, 0, 100_000},
	} {
		w := workload.Workload{Open: true, Rate: 1000, Requests: 3}
		if c.copies > 0 {
			w.Retry = workload.Retry{After: time.Second, Copies: c.copies}
		}
		p := plan(s.URL(), w)
		p.Options.Connections = c.connections
		run := real(t, p)
		if got := run.Sending.MostInFlight; got > c.most || got < 1 || c.connections > 0 && got != c.most {
			t.Errorf("%s: at most %d requests in flight with %d files and 65,535 ports", name, got, limit)
		}
	}
}

// Timers of closed clients take no file that a connection may need; clients without one
// think and send all the same, and none too early.
func TestClientsWithoutTimersThinkAllTheSame(t *testing.T) {
	for _, timers := range []int{0, 2, 4} {
		f := newFake(func(int64, *drivers.Request) drivers.Answer { return drivers.Answer{} })
		w := workload.Workload{Clients: 4, Requests: 40, Think: law.NewDeterministic(0.005), Drain: time.Second, Seed: 1}
		var kept sink
		run, err := measure.RunTimed(t.Context(), &w, f, timers, &kept)
		if err != nil || run.Requests.Answered != 40 {
			t.Fatalf("%d timers: %+v, %v", timers, run.Requests, err)
		}
		for _, r := range kept {
			if r.Lag() < 0 {
				t.Errorf("%d timers: sent %v too early", timers, -r.Lag())
			}
		}
	}
}
