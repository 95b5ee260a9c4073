package measure_test

// What users of other load generators ran into, where no other test of this package
// holds the right behaviour. The tool and the number of the report stand with each.

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
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

// wrk 99, boom 100, and scylla-bench 46 for the other extreme: a server that stands
// still for half of the time is charged to every request that was due then, each once,
// and nothing is made up besides.
func TestStandstillIsChargedToEveryArrival(t *testing.T) {
	g := newGate()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { g.pass() }))
	defer server.Close()
	var kept sink
	w := workload.Workload{
		Open: true, Rate: 100, Length: 2 * time.Second, Seed: 1,
		Stall: workload.Stall{Kind: workload.Freeze, Length: 500 * ms, Period: time.Second},
	}
	p := plan(server.URL, w, &kept)
	p.Staller = g
	run := real(t, p)
	var within, outside []time.Duration // latencies of requests that were due in a stall, and of the others
	for _, r := range kept {
		due, inStall := r.Scheduled.Seconds(), false
		for _, s := range run.Stalls {
			if due >= s.Begin && due < s.End {
				inStall = true
				if r.Ended.Seconds() < s.End {
					t.Errorf("a request that was due at %v s was answered at %v, before the end of the stall at %v s", r.Scheduled, r.Ended, s.End)
				}
			}
		}
		if inStall {
			within = append(within, r.Latency())
		} else {
			outside = append(outside, r.Latency())
		}
	}
	var due int64
	for schedule := w.Schedule(); ; due++ {
		if _, more := schedule.Next(); !more {
			break
		}
	}
	if n := int64(len(kept)); n != due || run.Requests.Answered != due {
		t.Errorf("%d records and %+v of %d arrivals", n, run.Requests, due)
	}
	slices.Sort(within)
	slices.Sort(outside)
	if len(within) < len(kept)/4 || within[len(within)/2] < 150*ms || outside[len(outside)/2] >= within[len(within)/2] {
		t.Errorf("%d of %d requests were due in a stall of 500 ms; their median is %v, that of the others %v; want about half of them, and 250 ms",
			len(within), len(kept), within[len(within)/2], outside[len(outside)/2])
	}
}

// hey 55, vegeta 404 and 555: when everything times out there is a whole report, which
// counts the timeouts apart, times them from their sending, and tells no latency.
func TestEverythingTimedOutIsAReport(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // which takes connections and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	const n = 40
	w := workload.Workload{Open: true, Rate: 400, Requests: n, Timeout: 80 * ms}
	run, err := measure.Take(t.Context(), plan("http://"+listener.Addr().String()+"/", w))
	if err != nil {
		t.Fatal(err)
	}
	if want := (record.Counts{Scheduled: n, TimedOut: n, Copies: n}); run.Requests != want {
		t.Errorf("%+v, want %+v", run.Requests, want)
	}
	lasted := run.FailedTimes[record.TimedOutKey]
	if lasted.Get("count") != n || lasted.Get("p50") < 79 || lasted.Get("max") > 5000 {
		t.Errorf("timeouts of 80 ms: %v", lasted)
	}
	var text strings.Builder
	run.WriteText(&text)
	for _, part := range []string{"timed out 40 (given up 80ms after their sending)", "mean none, p50 none, p99 none, max none; 40 failed\n", "\nlag "} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("%q is not in the report:\n%s", part, text.String())
		}
	}
	if _, err := json.Marshal(run); err != nil {
		t.Error(err)
	}
}

// wrk2 138, 117 and 147: a run that is shorter than anything, and a rate of less than
// one a second, are runs like any other, in finite numbers.
func TestShortestRunsAreSound(t *testing.T) {
	for name, c := range map[string]struct {
		workload  workload.Workload
		scheduled int64 // 0: not known beforehand
	}{
		"open for 1 ms":          {workload.Workload{Open: true, Rate: 2000, Arrivals: workload.Even, Length: ms}, 2},
		"open for 1 ns":          {workload.Workload{Open: true, Rate: 50, Length: 1}, 1},
		"closed for 1 ms":        {workload.Workload{Clients: 3, Length: ms}, 0},
		"one request":            {workload.Workload{Open: true, Rate: 5, Requests: 1}, 1},
		"one request of 9":       {workload.Workload{Clients: 9, Requests: 1}, 1},
		"one in five seconds":    {workload.Workload{Open: true, Rate: 0.2, Arrivals: workload.Even, Length: 300 * ms}, 1},
		"one in a million years": {workload.Workload{Open: true, Rate: 3e-14, Length: 300 * ms}, 1},
	} {
		c.workload.Drain = soon
		run, _ := take(t, t.Context(), c.workload, newFake(func(int64, *drivers.Request) drivers.Answer { return drivers.Answer{} }))
		if n := run.Requests; c.scheduled > 0 && n.Scheduled != c.scheduled {
			t.Errorf("%s: %d requests were scheduled, want %d", name, n.Scheduled, c.scheduled)
		}
		text, err := json.Marshal(run) // which fails for what is not finite
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := record.ParseRun(name, text); err != nil {
			t.Error(err)
		}
		if x, elapsed := float64(run.Throughput), float64(run.Elapsed); run.Throughput.Known() && (x < 0 || x*elapsed > float64(run.Requests.Answered)*1.001) {
			t.Errorf("%s: %v answers/s over %v s of %d answers", name, x, elapsed, run.Requests.Answered)
		}
	}
}

// hey 140 and 72: a rate is that of the whole run, however many connections share it;
// k6 3052: the same seed offers the same number of requests each time. What was asked
// for and what was reached are both told.
func TestRateIsGlobalAndCountIsSeeded(t *testing.T) {
	s := knownServer(t, law.NewDeterministic(0.0001), 8)
	w := workload.Workload{Open: true, Rate: 300, Length: 400 * ms, Seed: 17}
	var want int64
	for schedule := w.Schedule(); ; want++ {
		if _, more := schedule.Next(); !more {
			break
		}
	}
	for _, connections := range []int{0, 3} {
		p := plan(s.URL(), w)
		p.Options.Connections = connections
		run := real(t, p)
		if run.Requests.Scheduled != want {
			t.Errorf("with %d connections %d requests, want the %d of the seed", connections, run.Requests.Scheduled, want)
		}
		var text strings.Builder
		run.WriteText(&text)
		if !strings.Contains(text.String(), "300 requests/s") || !strings.Contains(text.String(), " answered/s over ") {
			t.Errorf("the rates that were asked for and reached are not in\n%s", text.String())
		}
	}
}

// FalkorDB's benchmark 179: the wait for a request's instant is in none of its times.
func TestPacingIsInNoLatency(t *testing.T) {
	f := newFake(func(int64, *drivers.Request) drivers.Answer { return drivers.Answer{} })
	w := workload.Workload{Open: true, Rate: 20, Arrivals: workload.Even, Requests: 11, Drain: soon}
	_, kept := take(t, t.Context(), w, f)
	for name, times := range map[string]func(*record.Request) time.Duration{
		"latency": (*record.Request).Latency, "client-seen time": (*record.Request).ClientSeen, "lag": (*record.Request).Lag,
	} {
		var all []time.Duration
		for i := range kept {
			all = append(all, times(&kept[i]))
		}
		slices.Sort(all)
		if middle := all[len(all)/2]; middle > 25*ms {
			t.Errorf("the median %s is %v, where requests are 50 ms apart and answered at once", name, middle)
		}
	}
}

// Go 13801: connections are kept for as many clients as there are; a pool that is
// smaller opens and closes them again and again until no port is left.
func TestConnectionsAreKept(t *testing.T) {
	s := knownServer(t, law.NewDeterministic(0.0001), 8)
	run := real(t, plan(s.URL(), workload.Workload{Clients: 20, Requests: 2000}))
	if c := run.Connections; c["opened"] != 20 || c["lost"] != 0 || c["established"] != 20 {
		t.Errorf("20 clients sent 2,000 requests over the connections %v; want 20, which stay open", c)
	}
}
