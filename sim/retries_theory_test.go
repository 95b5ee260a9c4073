package sim_test

import (
	"math"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
	"queuelab/sim"
)

// TestRetriesByRecursion computes the departure of every copy at one FIFO server
// by Lindley's recursion over first and further copies in the order of their
// sending, from the same seeded arrivals and service times, and demands the same
// nanoseconds and numbers of copies. The departure of a first copy is known when
// it comes, and with it the instants of the further ones.
func TestRetriesByRecursion(t *testing.T) {
	const after, most = 30 * ms, 3
	service := law.NewExponential(0.010)
	w := &workload.Workload{
		Open: true, Rate: 30, Requests: 20_000, Seed: 5, Drain: time.Hour,
		Retry: workload.Retry{After: after, Copies: most},
	}
	got, _ := requests(t, w, sim.Station{Servers: 1, Service: service}, sim.Options{})
	schedule, draws := w.Schedule(), workload.Stream(w.Seed, "service", 0)
	type sending struct{ at, need time.Duration }
	var due [most][]sending // of second, third … copies, each in order
	free := time.Duration(0)
	late := 0
	for i, r := range got {
		now, _ := schedule.Next()
		for {
			first := 0
			for k := 1; k < most; k++ {
				if len(due[k]) > 0 && (first == 0 || due[k][0].at < due[first][0].at) {
					first = k
				}
			}
			if first == 0 || due[first][0].at > now {
				break
			}
			free = max(free, due[first][0].at) + due[first][0].need
			due[first] = due[first][1:]
		}
		need := workload.Nanoseconds(service.Draw(draws))
		free = max(free, now) + need
		copies := 1
		for k := 1; k < most; k++ {
			if at := now + time.Duration(k)*after; at < free {
				due[k] = append(due[k], sending{at, need})
				copies++
			}
		}
		if r.Scheduled != now || r.Ended != free || int(r.Copies) != copies {
			t.Fatalf("request %d: %+v, want an answer at %v and %d copies", i, r, free, copies)
		}
		if copies > 1 {
			late++
		}
	}
	if late < 1000 {
		t.Fatalf("only %d requests had copies: the test says nothing", late)
	}
}

// TestRetriesInClosedLoop: the client goes on at the first answer, and its next
// request waits for what is left of the one before.
func TestRetriesInClosedLoop(t *testing.T) {
	w := &workload.Workload{Clients: 1, Requests: 3, Seed: 1, Drain: time.Hour, Retry: workload.Retry{After: 10 * ms, Copies: 2}}
	got, r := requests(t, w, sim.Station{Servers: 1, Service: det(15 * ms)}, sim.Options{})
	check(t, got, []times{{0, 15 * ms, record.Answered}, {15 * ms, 45 * ms, record.Answered}, {45 * ms, 75 * ms, record.Answered}})
	if r.Requests.Copies != 6 || r.Requests.Answered != 3 || !*r.Stable {
		t.Errorf("counts %+v, stable %v", r.Requests, *r.Stable)
	}
	near(t, "utilisation", r.Utilisation, 1, 1e-12)
	near(t, "Little's law", r.Little.XW, float64(r.Little.Sampled), 0.01)
}

// TestFewRetries: far below capacity the number of copies of a request is near
// the fixed point of the mean-field M/M/1, A = 1 + f + f² + f³ with
// f = exp(-(μ-λA)τ), and above it, since a long request is the likelier to be
// sent again and then brings its long service once more.
func TestFewRetries(t *testing.T) {
	const rate, mu, copies = 2.0, 100.0, 4
	const after = 20 * ms
	w := &workload.Workload{
		Open: true, Rate: rate, Requests: 200_000, Seed: 1, Drain: time.Hour,
		Retry: workload.Retry{After: after, Copies: copies},
	}
	r := run(t, w, sim.Station{Servers: 1, Service: law.NewExponential(1 / mu)}, sim.Options{})
	want := 1.0
	for range 100 {
		f := math.Exp(-(mu - rate*want) * after.Seconds())
		want = (1 - math.Pow(f, copies)) / (1 - f)
	}
	got := float64(r.Requests.Copies) / float64(r.Requests.Scheduled)
	if got < want || got > 1.04*want {
		t.Errorf("%v copies of a request, want %v to 4 %% more", got, want)
	}
	if !*r.Stable || r.Interval == nil {
		t.Errorf("stable %v with intervals %v, though even all copies fit", *r.Stable, r.Interval)
	}
}

// collapse is when a run with three further copies, 100 ms apart, at a server of
// 100/s begins to leave its clients waiting for seconds; false if it never does.
func collapse(t *testing.T, rate float64, seed uint64) (at time.Duration, collapsed bool) {
	t.Helper()
	w := &workload.Workload{
		Open: true, Rate: rate, Length: 200 * time.Second, Seed: seed, Drain: time.Second,
		Retry: workload.Retry{After: 100 * ms, Copies: 4},
	}
	watch := sinkFunc(func(q *record.Request) {
		if !collapsed && q.Latency() > 3*time.Second {
			at, collapsed = q.Scheduled, true
		}
	})
	r := run(t, w, sim.Station{Servers: 1, Service: law.NewExponential(0.01)}, sim.Options{Sinks: []record.Sink{watch}})
	if even := rate*4 < 100; (r.Stable == nil) == even || (r.Interval == nil) == even {
		t.Errorf("at %v/s: stable %v, intervals %v", rate, r.Stable, r.Interval)
	}
	return at, collapsed
}

// TestMetastable: at 60/s a server of 100/s works well until a burst sets off
// more copies than it can ever serve, after some tens of seconds; at 20/s even
// all copies fit, and nothing of the kind happens.
func TestMetastable(t *testing.T) {
	const seeds = 25
	var sum time.Duration
	for seed := range uint64(seeds) {
		at, collapsed := collapse(t, 60, seed)
		if !collapsed {
			t.Errorf("seed %d: 60/s held for 200 s", seed)
		}
		sum += at
		if _, collapsed := collapse(t, 20, seed); collapsed {
			t.Errorf("seed %d: 20/s collapsed", seed)
		}
	}
	// The mean of 25 exponential times of some 15 s has a deviation of 3 s. (If
	// further copies had service times of their own, it would be about 20 s.)
	if mean := sum / seeds; mean < 5*time.Second || mean > 30*time.Second {
		t.Errorf("60/s held for %v on average", mean)
	}
}
