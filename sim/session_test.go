package sim_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
	"queuelab/sim"
)

// feedbackLatency is the mean latency of a request at one FIFO server to which
// sessions of n requests on average come back at once: exactly. The number in system
// is that of M/G/1 with a session's services as one, since who is served next does
// not change the work there is, and the remaining requests are geometric again
// (L. Takács, "A Single-Server Queue with Feedback", Bell System Technical Journal 42
// (1963) 505–519); their SCV is 1 + (SCV-1)/n, which turns M/G/1 into M/M/1 as n
// grows. Then Little's law.
func feedbackLatency(rate float64, service law.Law, n float64) float64 {
	rho, scv := rate*service.Mean(), 1+(service.SCV()-1)/n
	return service.Mean() * (1 + rho*(1+scv)/(2*(1-rho)))
}

// Sessions whose requests follow each other at once, at ρ = 0.8. The variability of
// the service times counts the less the more requests a session has, as in a closed
// system, where the mean latency does not depend on it at all: it falls for a variable
// service, rises for a constant one, and stays for an exponential one (as B. Schroeder,
// A. Wierman and M. Harchol-Balter saw, "Open Versus Closed: A Cautionary Tale", NSDI
// 2006).
func TestSessionsBetweenOpenAndClosed(t *testing.T) {
	const mean, rate = 0.005, 160
	closed := mean / (1 - rate*mean) * 1e3 // that of sessions without end
	for name, service := range map[string]law.Law{"constant": det(5 * ms), "exponential": law.NewExponential(mean), "variable": hyper(t, mean)} {
		apart := math.Inf(1)
		for _, n := range []float64{1, 10} {
			w := &workload.Workload{Open: true, Rate: rate, PerSession: n, Requests: 120_000, Seed: 3, Drain: 10e9}
			got := run(t, w, sim.Station{Servers: 1, Service: service}, sim.Options{Warmup: 20e9})
			want := feedbackLatency(rate, service, n) * 1e3
			if i, known := got.Interval["mean"]; !known || !holds(i, want) || float64(i[1]-i[0]) > 0.4*want {
				t.Errorf("%s, %v a session: mean in %v ms, want %v", name, n, i, want)
			}
			if service.SCV() != 1 {
				now := math.Abs(float64(got.Latency["mean"]) - closed)
				if now >= apart {
					t.Errorf("%s, %v a session: the mean is %v ms off the %v ms of endless sessions, and was %v off with fewer requests", name, n, now, closed, apart)
				}
				apart = now
			}
			near(t, "throughput", got.Throughput, rate, 0.03)
			near(t, "utilisation", got.Utilisation, rate*mean, 0.03)
			near(t, "Little's law", got.Little.XW, float64(got.Little.Sampled), 0.01)
		}
	}
}

// With exponential services, think times of whatever law leave the mean latency as it
// is at any N: a station of a Jackson network (F. Baskett et al., "Open, Closed, and
// Mixed Networks of Queues with Different Classes of Customers", Journal of the ACM 22
// (1975) 248–260: the thinking is at a station of infinitely many servers).
func TestThinkingSessions(t *testing.T) {
	const mean, rate = 0.005, 160
	for _, think := range []law.Law{det(100 * ms), hyper(t, 0.05)} {
		w := &workload.Workload{Open: true, Rate: rate, PerSession: 8, Think: think, Requests: 120_000, Seed: 5, Drain: 10e9}
		got := run(t, w, sim.Station{Servers: 1, Service: law.NewExponential(mean)}, sim.Options{Warmup: 20e9})
		if i, known := got.Interval["mean"]; !known || !holds(i, 25) || i[1]-i[0] > 12 {
			t.Errorf("thinking %v: mean in %v ms, want 25", think, i)
		}
		near(t, "throughput", got.Throughput, rate, 0.03)
		if want := "M/M/1 with sessions that come back"; got.Model != want {
			t.Errorf("the model is %s, want %s", got.Model, want)
		}
	}
}

// Each session has the requests that the seed gives it, whatever the station does; the
// first is due at an instant of the schedule.
func TestSessionsAreTheSeeds(t *testing.T) {
	const sessions = 200
	file := filepath.Join(t.TempDir(), "gaps.txt")
	if err := os.WriteFile(file, []byte(strings.Repeat("0.01\n", sessions-1)), 0o644); err != nil {
		t.Fatal(err)
	}
	w := &workload.Workload{
		Open: true, Arrivals: parsed(t, "gaps:"+file), PerSession: 4, Requests: 1 << 20, Drain: time.Hour, Seed: 9,
		Think: law.NewExponential(0.003), Service: law.NewExponential(0.001),
	}
	w.SetRecorded()
	var want []time.Duration
	for k := range sessions {
		for s, more := w.Session(k), true; more; _, more = s.Next(true) {
			want = append(want, s.NextService())
		}
	}
	slices.Sort(want)
	for _, timeout := range []time.Duration{0, ms} {
		w.Timeout = timeout
		for _, station := range []sim.Station{{Servers: 1}, {Servers: 3, Discipline: "ps"}} {
			got, _ := requests(t, w, station, sim.Options{})
			var services []time.Duration
			due := map[time.Duration]bool{}
			for _, r := range got {
				services, due[r.Scheduled] = append(services, r.Service), true
			}
			slices.Sort(services)
			if !slices.Equal(services, want) {
				t.Errorf("%+v, timeout %v: %d requests, want the %d of the seed", station, timeout, len(services), len(want))
			}
			schedule := w.Schedule()
			for k := range sessions {
				if at, more := schedule.Next(); !more || !due[at] {
					t.Fatalf("%+v: no request at %v, when session %d arrives", station, at, k)
				}
			}
		}
	}
}

// A session of one request on average is one of exactly one: an open run to the byte.
func TestSessionsOfOneRequestAreOpen(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 100, Requests: 2000, Seed: 1, Drain: time.Hour}
	s := sim.Station{Servers: 1, Service: law.NewExponential(0.005)}
	open := run(t, w, s, sim.Options{})
	w.PerSession = 1
	single := run(t, w, s, sim.Options{})
	if single.Workload.Session != 1 {
		t.Errorf("the run says %v requests a session", single.Workload.Session)
	}
	single.Workload.Session = 0
	if a, b := asJSON(t, open), asJSON(t, single); !bytes.Equal(a, b) {
		t.Errorf("open\n%s\nin sessions of one\n%s", a, b)
	}
}

// The bound on requests is exact and its last instant ends the schedule; with a length
// nothing is due at its end or later.
func TestSessionsEnd(t *testing.T) {
	exp := law.NewExponential(0.005)
	w := &workload.Workload{Open: true, Rate: 1000, PerSession: 10, Think: exp, Requests: 137, Seed: 1, Drain: 20 * ms}
	got, _ := requests(t, w, sim.Station{Servers: 1, Service: exp}, sim.Options{})
	last := slices.MaxFunc(got, func(a, b record.Request) int { return int(a.Scheduled - b.Scheduled) }).Scheduled
	for _, r := range got {
		if r.Ended > last+w.Drain {
			t.Errorf("a request ended at %v, with the last due at %v and a drain of %v", r.Ended, last, w.Drain)
		}
	}
	if len(got) != 137 {
		t.Errorf("%d requests, want 137", len(got))
	}
	w.Requests, w.Length = 0, 300*ms
	got, _ = requests(t, w, sim.Station{Servers: 4, Service: exp}, sim.Options{})
	for _, r := range got {
		if r.Scheduled >= w.Length || r.Ended > w.Length+w.Drain {
			t.Errorf("a request from %v to %v, in a schedule of %v", r.Scheduled, r.Ended, w.Length)
		}
	}
	if len(got) < 50 {
		t.Errorf("only %d requests in %v at 1000/s", len(got), w.Length)
	}
}
