package sim_test

import (
	"slices"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
	"queuelab/sim"
)

// kept is a sink that keeps every request.
type kept []record.Request

func (k *kept) Add(r *record.Request) { *k = append(*k, *r) }

// requests simulates and returns every request in the order of its schedule.
func requests(t *testing.T, w *workload.Workload, s sim.Station, o sim.Options) ([]record.Request, *record.Run) {
	t.Helper()
	var k kept
	o.Sinks = append(o.Sinks, &k)
	r := run(t, w, s, o)
	if int64(len(k)) != r.Requests.Scheduled {
		t.Fatalf("%d requests recorded, %d scheduled", len(k), r.Requests.Scheduled)
	}
	slices.SortStableFunc(k, func(a, b record.Request) int { return int(a.Scheduled - b.Scheduled) })
	return k, r
}

// times names what matters of a request.
type times struct {
	scheduled, ended time.Duration
	outcome          record.Outcome
}

func check(t *testing.T, got []record.Request, want []times) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d requests, want %d", len(got), len(want))
	}
	for i, w := range want {
		if g := (times{got[i].Scheduled, got[i].Ended, got[i].Outcome}); g != w {
			t.Errorf("request %d: scheduled, ended, outcome %v, want %v", i, g, w)
		}
	}
}

const ms = time.Millisecond

func det(d time.Duration) law.Law { return law.NewDeterministic(d.Seconds()) }

// TestKieferWolfowitz computes every wait by the recursion on the servers'
// workloads (Lindley's for one server), from the same seeded arrivals and
// service times, and demands the same nanoseconds.
func TestKieferWolfowitz(t *testing.T) {
	for _, servers := range []int{1, 3} {
		service := law.NewExponential(0.005)
		w := &workload.Workload{Open: true, Rate: 180 * float64(servers), Requests: 20_000, Seed: 5, Drain: time.Hour}
		got, _ := requests(t, w, sim.Station{Servers: servers, Service: service}, sim.Options{})
		schedule, draws := w.Schedule(), workload.Stream(w.Seed, "service", 0)
		free := make([]time.Duration, servers) // when each server will be free, ascending
		for i, r := range got {
			due, _ := schedule.Next()
			need := workload.Nanoseconds(service.Draw(draws))
			start := max(due, free[0])
			free[0] = start + need
			slices.Sort(free)
			if r.Scheduled != due || r.Service != need || r.Wait != start-due || r.Ended != start+need {
				t.Fatalf("%d servers, customer %d: %+v, want start %v after %v, service %v", servers, i, r, start, due, need)
			}
		}
	}
}

// TestWorkConservation reads from the records that a server never rests while
// someone waits: whoever waited began at the instant of a departure, in the
// order of arrival, with no more in service than there are servers.
func TestWorkConservation(t *testing.T) {
	const servers = 4
	w := &workload.Workload{Clients: 12, Think: law.NewExponential(0.01), Requests: 20_000, Seed: 6, Drain: time.Hour}
	got, _ := requests(t, w, sim.Station{Servers: servers, Service: law.NewExponential(0.01)}, sim.Options{})
	departures := map[time.Duration]bool{}
	for _, r := range got {
		departures[r.Ended] = true
	}
	type change struct {
		at    time.Duration
		delta int
	}
	var changes []change
	lastStart := time.Duration(0)
	waited := 0
	for _, r := range got {
		start := r.Scheduled + r.Wait
		if r.Wait > 0 {
			waited++
			if !departures[start] {
				t.Fatalf("%+v waited, but did not begin at a departure", r)
			}
		}
		if start < lastStart {
			t.Fatalf("%+v began before one that came earlier", r)
		}
		lastStart = start
		changes = append(changes, change{start, +1}, change{r.Ended, -1})
	}
	if waited < 1000 {
		t.Fatalf("only %d of %d requests waited: the test says nothing", waited, len(got))
	}
	slices.SortFunc(changes, func(a, b change) int {
		if a.at != b.at {
			return int(a.at - b.at)
		}
		return a.delta - b.delta
	})
	inService := 0
	for _, c := range changes {
		if inService += c.delta; inService > servers {
			t.Fatalf("%d in service at %v", inService, c.at)
		}
	}
}

// TestDD1: departures come before arrivals at one instant, so a fully loaded
// queue of constants never waits.
func TestDD1(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 200, Arrivals: workload.Even, Requests: 1000, Seed: 1, Drain: time.Hour}
	got, r := requests(t, w, sim.Station{Servers: 1, Service: det(5 * ms)}, sim.Options{})
	for i, q := range got {
		if q.Wait != 0 || q.Latency() != 5*ms || q.Scheduled != time.Duration(i)*5*ms {
			t.Fatalf("request %d: %+v", i, q)
		}
	}
	if !*r.Stable || r.Model != "D/D/1" {
		t.Errorf("model %s, stable %v: D/D/1 is stable at ρ = 1", r.Model, *r.Stable)
	}
	near(t, "utilisation", r.Utilisation, 1, 1e-12)
	near(t, "sampled number in system", r.Little.Sampled, 1, 1e-12)
}

// TestSimultaneous: closed clients that all ask at 0 are served one by one, in
// the order of their numbers, and stay in that order.
func TestSimultaneous(t *testing.T) {
	w := &workload.Workload{Clients: 3, Requests: 9, Seed: 1, Drain: time.Hour}
	got, _ := requests(t, w, sim.Station{Servers: 1, Service: det(10 * ms)}, sim.Options{})
	check(t, got, []times{
		{0, 10 * ms, 0}, {0, 20 * ms, 0}, {0, 30 * ms, 0},
		{10 * ms, 40 * ms, 0}, {20 * ms, 50 * ms, 0}, {30 * ms, 60 * ms, 0},
		{40 * ms, 70 * ms, 0}, {50 * ms, 80 * ms, 0}, {60 * ms, 90 * ms, 0},
	})
	// Two servers finish at once, and both next ones begin at that instant.
	w = &workload.Workload{Clients: 4, Requests: 6, Seed: 1, Drain: time.Hour}
	got, _ = requests(t, w, sim.Station{Servers: 2, Service: det(10 * ms)}, sim.Options{})
	check(t, got, []times{
		{0, 10 * ms, 0}, {0, 10 * ms, 0}, {0, 20 * ms, 0}, {0, 20 * ms, 0},
		{10 * ms, 30 * ms, 0}, {10 * ms, 30 * ms, 0},
	})
}

// TestHorizon: what is due at the end of the schedule is not sent, and what
// departs at the very end of the drain counts.
func TestHorizon(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 10, Arrivals: workload.Even, Length: time.Second, Seed: 1, Drain: 50 * ms}
	// The tenth request is due at 900 ms and departs at 1050 ms.
	got, _ := requests(t, w, sim.Station{Servers: 2, Service: det(150 * ms)}, sim.Options{})
	if len(got) != 10 || got[9].Outcome != record.Answered || got[9].Ended != 1050*ms {
		t.Fatalf("%d requests, the last one %+v", len(got), got[len(got)-1])
	}
	w.Drain = 50*ms - 1
	got, r := requests(t, w, sim.Station{Servers: 2, Service: det(150 * ms)}, sim.Options{})
	if last := got[9]; last.Outcome != record.Unfinished || last.Ended != 1050*ms-1 {
		t.Errorf("a departure 1 ns after the drain: %+v", last)
	}
	if r.Requests.Unfinished != 1 || r.Requests.Answered != 9 {
		t.Errorf("counts %+v", r.Requests)
	}
	// All departures of one instant at the horizon happen.
	w = &workload.Workload{Clients: 2, Length: 15 * ms, Seed: 1, Drain: 5 * ms}
	got, _ = requests(t, w, sim.Station{Servers: 2, Service: det(10 * ms)}, sim.Options{})
	check(t, got, []times{{0, 10 * ms, 0}, {0, 10 * ms, 0}, {10 * ms, 20 * ms, 0}, {10 * ms, 20 * ms, 0}})
	// With a count, the drain begins at the last request.
	w = &workload.Workload{Open: true, Rate: 1, Arrivals: workload.Even, Requests: 3, Seed: 1, Drain: time.Second}
	got, _ = requests(t, w, sim.Station{Servers: 2, Service: det(1500 * ms)}, sim.Options{})
	check(t, got, []times{
		{0, 1500 * ms, record.Answered}, {1000 * ms, 2500 * ms, record.Answered}, {2000 * ms, 3000 * ms, record.Unfinished},
	})
}

// TestTimeouts: the first expiry ends the request for its client; the server
// works on; an answer at the instant of the timeout counts.
func TestTimeouts(t *testing.T) {
	// Two at once-ish: the second waits behind the first, which is abandoned.
	w := &workload.Workload{Open: true, Rate: 1000, Arrivals: workload.Even, Requests: 3, Timeout: 12 * ms, Seed: 1, Drain: time.Hour}
	got, r := requests(t, w, sim.Station{Servers: 1, Service: det(6 * ms)}, sim.Options{})
	check(t, got, []times{{0, 6 * ms, record.Answered}, {1 * ms, 12 * ms, record.Answered}, {2 * ms, 14 * ms, record.TimedOut}})
	if r.Requests.TimedOut != 1 {
		t.Errorf("counts %+v", r.Requests)
	}
	near(t, "utilisation", r.Utilisation, 1, 1e-12)

	// A tie goes to the answer, and 1 ns less to the timeout. The client
	// pauses 10 ms after it, while the server still works.
	w = &workload.Workload{Clients: 1, Requests: 3, Timeout: 20 * ms, Seed: 1, Drain: time.Hour}
	got, _ = requests(t, w, sim.Station{Servers: 1, Service: det(20 * ms)}, sim.Options{})
	check(t, got, []times{{0, 20 * ms, record.Answered}, {20 * ms, 40 * ms, record.Answered}, {40 * ms, 60 * ms, record.Answered}})
	w.Timeout--
	got, _ = requests(t, w, sim.Station{Servers: 1, Service: det(20 * ms)}, sim.Options{})
	check(t, got, []times{
		{0, 20*ms - 1, record.TimedOut}, {30*ms - 1, 50*ms - 2, record.TimedOut}, {60*ms - 2, 80*ms - 3, record.TimedOut},
	})
}

// TestTimeoutsLeaveTheClock: the timeout of an answered request is no event.
func TestTimeoutsLeaveTheClock(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 100, Arrivals: workload.Even, Requests: 100, Seed: 1, Drain: 2 * time.Hour}
	station := sim.Station{Servers: 1, Service: det(5 * ms)}
	_, without := requests(t, w, station, sim.Options{})
	w.Timeout = time.Hour
	_, with := requests(t, w, station, sim.Options{})
	if with.Utilisation != without.Utilisation || with.Elapsed != without.Elapsed || with.InSystem != without.InSystem {
		t.Errorf("utilisation, elapsed, in system: %v, %v, %v with timeouts, %v, %v, %v without",
			with.Utilisation, with.Elapsed, with.InSystem, without.Utilisation, without.Elapsed, without.InSystem)
	}
	near(t, "utilisation", with.Utilisation, 100*0.005/0.995, 1e-9)
}

// TestThink: a client's first request comes after one think time, and each next
// one a think time after the answer; none is scheduled past the length.
func TestThink(t *testing.T) {
	w := &workload.Workload{Clients: 1, Think: det(7 * ms), Length: 27 * ms, Seed: 1, Drain: time.Hour}
	got, _ := requests(t, w, sim.Station{Servers: 1, Service: det(3 * ms)}, sim.Options{})
	check(t, got, []times{{7 * ms, 10 * ms, 0}, {17 * ms, 20 * ms, 0}})
}

// TestWarmup: what was scheduled before it is dropped, and the system goes on
// as it is.
func TestWarmup(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 100, Arrivals: workload.Even, Requests: 100, Seed: 1, Drain: time.Hour}
	station := sim.Station{Servers: 1, Service: det(15 * ms)} // a queue that grows
	all, _ := requests(t, w, station, sim.Options{})
	rest, r := requests(t, w, station, sim.Options{Warmup: 500 * ms})
	if len(rest) != 50 || !slices.Equal(rest, all[50:]) {
		t.Errorf("%d requests after the warm-up, or not the same ones", len(rest))
	}
	near(t, "utilisation", r.Utilisation, 1, 1e-12)
	near(t, "throughput", r.Throughput, 50/(1.5-0.5), 1e-9)
}
