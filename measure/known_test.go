package measure_test

import (
	"context"
	"math"
	"net"
	"strings"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure"
	"queuelab/measure/lab/known"
	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// knownServer starts a known-answer server and returns it.
func knownServer(t *testing.T, service law.Law, servers int) *known.Server {
	t.Helper()
	s, err := known.Start(known.Config{Addr: "127.0.0.1:0", Service: service, Servers: servers, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop() })
	return s
}

// plan is a run against a URL over HTTP.
func plan(url string, w workload.Workload, sinks ...record.Sink) measure.Plan {
	w.Drain = soon
	return measure.Plan{
		Workload: &w, Driver: "http", CPU: -1, Sinks: sinks,
		Options: drivers.Options{URL: url, ServiceParameter: w.Service != nil},
	}
}

// real takes a run and checks that every request was answered.
func real(t *testing.T, p measure.Plan) *record.Run {
	t.Helper()
	run, err := measure.Take(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if c := run.Requests; c.Answered != c.Scheduled || !c.Balanced() {
		t.Fatalf("not everything was answered: %+v, %v", c, run.Failures)
	}
	return run
}

// 200 requests of 2 ms by 4 clients keep one server busy for 400 ms: never
// less, since departures are absolute, and not much more, since a late timer
// delays one answer and not the queue.
func TestClosedAgainstKnownServer(t *testing.T) {
	s := knownServer(t, law.NewDeterministic(0.002), 1)
	best := math.Inf(1)
	for range 3 { // the machine may be busy with something else
		run := real(t, plan(s.URL(), workload.Workload{Clients: 4, Requests: 200}))
		elapsed := float64(run.Elapsed)
		if elapsed < 0.4 {
			t.Fatalf("200 services of 2 ms, one after the other, took %v s", elapsed)
		}
		// Clients in a closed loop wait for each other: R = N/X, but for the
		// last N requests.
		if mean := float64(run.Latency.Get("mean")); math.Abs(mean-4000*elapsed/200) > 0.1*mean {
			t.Errorf("mean latency %v ms, want clients/throughput = %v", mean, 4000*elapsed/200)
		}
		best = min(best, elapsed)
	}
	if best > 0.6 {
		t.Errorf("200 services of 2 ms took %v s at best, want 0.4", best)
	}
}

// Servers work side by side.
func TestServersWorkSideBySide(t *testing.T) {
	s := knownServer(t, law.NewDeterministic(0.02), 4)
	run := real(t, plan(s.URL(), workload.Workload{Clients: 4, Requests: 40}))
	if elapsed := float64(run.Elapsed); elapsed < 0.2 || elapsed > 0.6 {
		t.Errorf("40 services of 20 ms by 4 servers took %v s, want 0.2", elapsed)
	}
}

// Little's law: the sampled number in system agrees with X·W. The server is
// slow, so that the edges and the sampling weigh little.
func TestLittlesLaw(t *testing.T) {
	s := knownServer(t, law.NewDeterministic(0.004), 1)
	loops := map[string]workload.Workload{
		"closed": {Clients: 8, Requests: 150},
		"open":   {Open: true, Rate: 200, Arrivals: workload.Even, Requests: 120},
	}
	for name, w := range loops {
		run := real(t, plan(s.URL(), w))
		if gap := float64(run.Little.Gap); !(math.Abs(gap) < 0.2) {
			t.Errorf("%s: %v in system by sampling, %v by Little's law", name, run.Little.Sampled, run.Little.XW)
		}
	}
}

// A service time that travels with the request is what the server takes.
func TestServiceTravelsWithTheRequest(t *testing.T) {
	s := knownServer(t, law.NewDeterministic(3600), 1) // an hour, if it were drawn
	w := workload.Workload{Clients: 1, Requests: 20, Service: law.NewDeterministic(0.005)}
	run := real(t, plan(s.URL(), w))
	if elapsed := float64(run.Elapsed); elapsed < 0.1 {
		t.Errorf("20 services of 5 ms took %v s", elapsed)
	}
}

// Timeouts and failures of a real server are counted as such, and the identity
// holds.
func TestFailuresOfARealServer(t *testing.T) {
	s := knownServer(t, law.NewDeterministic(0.05), 1)
	timeouts := plan(s.URL(), workload.Workload{Open: true, Rate: 200, Requests: 20, Timeout: 120 * ms})
	run, err := measure.Take(t.Context(), timeouts)
	if err != nil {
		t.Fatal(err)
	}
	if c := run.Requests; !c.Balanced() || c.Scheduled != 20 || c.TimedOut < 10 || c.TimedOut+c.Answered != 20 {
		t.Errorf("20 requests of 50 ms within some 100 ms and a timeout of 120 ms: %+v", c)
	}
	if least := float64(run.Failed.Get("mean")); least < 120 {
		t.Errorf("timeouts of 120 ms lasted %v ms on average", least)
	}
	bad := plan(s.URL()+"?service=fast", workload.Workload{Clients: 3, Requests: 10})
	if run, err = measure.Take(t.Context(), bad); err != nil {
		t.Fatal(err)
	}
	if run.Requests.Failed != 10 || run.Failures["status_400"] != 10 {
		t.Errorf("10 bad requests: %+v, %v", run.Requests, run.Failures)
	}
}

// A server that goes away in the middle of a run fails the rest of it, and is
// not hammered.
func TestServerDiesInTheMiddle(t *testing.T) {
	s := knownServer(t, law.NewDeterministic(0.001), 1)
	p := plan(s.URL(), workload.Workload{Clients: 2, Length: 600 * ms})
	p.Started = func(time.Time) { time.AfterFunc(300*ms, func() { s.Stop() }) }
	run, err := measure.Take(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	c := run.Requests
	if !c.Balanced() || c.Answered == 0 || c.Failed == 0 || c.Failed > 2*61 {
		t.Errorf("a server that dies after 300 ms of 600: %+v, %v", c, run.Failures)
	}
}

// A dead target is an error before the run, not a run.
func TestTakeRefusesADeadTarget(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + listener.Addr().String() + "/"
	listener.Close()
	if run, err := measure.Take(t.Context(), plan(url, workload.Workload{Clients: 1, Requests: 1})); err == nil {
		t.Errorf("a dead target gave %+v", run.Requests)
	}
}

// The warm-up is thrown away, the header says when and how fast, and the start
// is told after the warm-up.
func TestTake(t *testing.T) {
	s := knownServer(t, law.NewDeterministic(0.001), 1)
	var kept sink
	p := plan(s.URL(), workload.Workload{Clients: 2, Requests: 10}, &kept)
	p.Warmup = 100 * ms
	p.Header = record.Header{Command: "queuelab bench", Commit: "abc"}
	began, told := time.Now(), []time.Time(nil)
	p.Started = func(at time.Time) { told = append(told, at) }
	run := real(t, p)
	if len(kept) != 10 || run.Requests.Scheduled != 10 || run.Workload.Warmup != 0.1 {
		t.Errorf("%d records, %+v, warm-up %v s; want 10 requests after a warm-up of 0.1", len(kept), run.Requests, run.Workload.Warmup)
	}
	if len(told) != 1 || told[0].Sub(began) < 100*ms {
		t.Errorf("the start was told %d times, %v", len(told), told)
	}
	h := run.Header
	if h == nil || h.Command != "queuelab bench" || h.Commit != "abc" || !(h.SpeedBefore > 0) || !(h.SpeedAfter > 0) || h.Host == nil {
		t.Fatalf("the header is %+v", h)
	}
	from, err1 := time.Parse(time.RFC3339, h.Start)
	to, err2 := time.Parse(time.RFC3339, h.End)
	if err1 != nil || err2 != nil || to.Before(from) {
		t.Errorf("the run lasted from %q to %q", h.Start, h.End)
	}
	if !strings.Contains(run.Target, s.URL()) {
		t.Errorf("the target is %q, want %q in it", run.Target, s.URL())
	}
}

// Ctrl-C during the warm-up gives no run.
func TestTakeInterruptedInTheWarmup(t *testing.T) {
	s := knownServer(t, law.NewDeterministic(0.001), 1)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*ms, cancel)
	p := plan(s.URL(), workload.Workload{Clients: 2, Requests: 10})
	p.Warmup = time.Hour
	began := time.Now()
	run, err := measure.Take(ctx, p)
	if run != nil || err == nil || time.Since(began) > soon {
		t.Errorf("interrupted in the warm-up: %+v, %v after %v", run, err, time.Since(began))
	}
}
