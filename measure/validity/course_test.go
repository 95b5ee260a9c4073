package validity_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/validity"
	"queuelab/measure/workload"
)

// queue is one server, first come, first served, by Lindley's recursion: service says
// how long each request is in service.
func queue(service func(due time.Duration) time.Duration) act {
	free := time.Duration(0)
	return func(_ int64, due time.Duration) (lag, seen time.Duration) {
		free = max(free, due) + service(due)
		return 0, free - due
	}
}

// judged is the verdict on an open run of which only the latencies are looked at, and
// the run.
func judged(w *workload.Workload, act act) (*record.Run, *record.Validity) {
	watch := validity.NewWatch(w)
	run := record.NewRun(record.Measured)
	var latencies []time.Duration
	visit(w, act, func(r *record.Request) {
		watch.Add(r)
		latencies = append(latencies, r.Latency())
	})
	slices.Sort(latencies)
	n := int64(len(latencies))
	run.Requests = record.Counts{Scheduled: n, Answered: n, Copies: n}
	run.NearestRank = record.Quantities{"p50": record.Milliseconds(latencies[n/2])}
	run.Sending = watch.Sending(time.Hour)
	return run, validity.Judge(run, watch)
}

const (
	unsteady   = "latency is not steady"
	overloaded = "overloaded: latency grows"
)

// exponential draws a service time.
func exponential(random *rand.Rand, mean float64) time.Duration {
	return time.Duration(random.ExpFloat64() * mean)
}

// An M/M/1 queue at ρ = 0.8 is steady, although its latencies depend on each other for
// a hundred requests: of 20,000 requests about one run in a hundred is flagged, of ever
// fewer not many more, and at ρ = 1.2 it is overloaded.
func TestSteadyQueue(t *testing.T) {
	for _, c := range []struct {
		rho            float64
		requests       int64
		seeds          uint64
		mostFlagged    int
		leastOverloads int
	}{
		{0.8, 20_000, 20, 3, 0},
		{0.8, 2000, 50, 6, 0},
		{0.95, 20_000, 10, 3, 0},
		{1.2, 2000, 30, 30, 29},
	} {
		flagged, overloads := 0, 0
		for seed := range c.seeds {
			w := &workload.Workload{Open: true, Rate: 1000, Requests: c.requests, Seed: seed}
			random := rand.New(rand.NewPCG(seed, 11))
			_, v := judged(w, queue(func(time.Duration) time.Duration { return exponential(random, c.rho*1e6) }))
			if found(v, unsteady) || found(v, overloaded) {
				flagged++
			}
			if found(v, overloaded) {
				overloads++
			}
		}
		if flagged > c.mostFlagged || overloads < c.leastOverloads {
			t.Errorf("ρ = %g, %d requests: %d of %d runs flagged, %d overloaded", c.rho, c.requests, flagged, c.seeds, overloads)
		}
	}
}

// A server that becomes slower, or changes at once, is seen, if it is more than by
// chance and more than it matters.
func TestDriftingServer(t *testing.T) {
	line := func(growth float64) func(float64) float64 {
		return func(at float64) float64 { return 1 + growth*at }
	}
	step := func(growth float64) func(float64) float64 {
		return func(at float64) float64 {
			if at < 0.5 {
				return 1
			}
			return 1 + growth
		}
	}
	for _, c := range []struct {
		name        string
		course      func(at float64) float64
		noise       float64 // standard deviation relative to the mean
		least, most int     // of 6 runs
	}{
		{"steady", line(0), 1, 0, 1},
		{"10 % slower in the end", line(0.1), 1, 3, 6},
		{"20 % slower in the end", line(0.2), 1, 5, 6},
		{"20 % quicker in the end", line(-0.2), 1, 5, 6},
		{"10 % slower from the middle on", step(0.1), 1, 5, 6},
		{"3 % slower in the end, for certain", line(0.03), 0.01, 0, 0},
		{"7 % slower in the end, for certain", line(0.07), 0.01, 6, 6},
		{"one slow stretch", func(at float64) float64 {
			if at > 0.4 && at < 0.43 {
				return 3
			}
			return 1
		}, 1, 0, 1},
	} {
		flagged := 0
		for seed := range uint64(6) {
			w := &workload.Workload{Open: true, Rate: 1000, Requests: 20_000, Seed: seed}
			random := rand.New(rand.NewPCG(seed, 13))
			_, v := judged(w, func(_ int64, due time.Duration) (lag, seen time.Duration) {
				noise := 1 - c.noise + c.noise*random.ExpFloat64()
				return 0, time.Duration(3e6 * c.course(due.Seconds()/20) * noise)
			})
			if found(v, unsteady) {
				flagged++
			}
			if found(v, overloaded) {
				t.Errorf("%s: %q", c.name, v.Reasons)
			}
		}
		if flagged < c.least || flagged > c.most {
			t.Errorf("%s: %d of 6 runs are flagged, want %d to %d", c.name, flagged, c.least, c.most)
		}
	}
}

// Overload is told with the rate at which latency grows: a server that needs 1.25 ms
// for what comes each millisecond is a quarter of a second behind after each second.
// Only that is an overload, and not a server that becomes slower and keeps up.
func TestOverload(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 1000, Arrivals: workload.Even, Length: 3 * time.Second}
	run, v := judged(w, queue(func(time.Duration) time.Duration { return 1250 * time.Microsecond }))
	if v.Verdict != record.Suspect || !found(v, "overloaded: latency grows by 250 ms each second, so every figure depends on the run's length") {
		t.Errorf("%s %q", v.Verdict, v.Reasons)
	}
	if found(v, unsteady) || run.Stable == nil || *run.Stable || math.Abs(float64(run.Growth)-250) > 5 {
		t.Errorf("stable %v, growth %v ms/s, %q", run.Stable, run.Growth, v.Reasons)
	}
	run, v = judged(w, queue(func(due time.Duration) time.Duration { return due / 4000 }))
	if !found(v, unsteady+": it rises by") || found(v, overloaded) || run.Stable != nil || run.Growth.Known() {
		t.Errorf("a server that needs 0.75 ms in the end of what comes each millisecond: %q, stable %v", v.Reasons, run.Stable)
	}
	run, v = judged(w, queue(func(time.Duration) time.Duration { return 900 * time.Microsecond }))
	if v.Verdict != record.Valid || run.Stable != nil {
		t.Errorf("a server that keeps up: %s %q", v.Verdict, v.Reasons)
	}
}

// A server that is made to stand still again and again is as unsteady as was asked
// for; a trend beneath is seen all the same.
func TestStallsAreNoDrift(t *testing.T) {
	for _, c := range []struct {
		name        string
		growth      float64
		stall       workload.Stall
		length      time.Duration
		least, most int // of 8 runs
	}{
		{"steady between stalls", 0, workload.Stall{Length: 300 * ms, Period: time.Second}, 10 * time.Second, 0, 1},
		{"steady between stalls that do not divide the run", 0, workload.Stall{Length: 500 * ms, Period: 1430 * ms}, 13 * time.Second, 0, 1},
		{"twice as slow in the end", 1, workload.Stall{Length: 300 * ms, Period: time.Second}, 10 * time.Second, 7, 8},
		{"too few stalls to say", 0, workload.Stall{Length: 2 * time.Second, Period: 5 * time.Second}, 10 * time.Second, 0, 0},
	} {
		flagged := 0
		for seed := range uint64(8) {
			w := &workload.Workload{Open: true, Rate: 500, Length: c.length, Stall: c.stall, Seed: seed}
			random := rand.New(rand.NewPCG(seed, 17))
			free := time.Duration(0)
			_, v := judged(w, func(_ int64, due time.Duration) (lag, seen time.Duration) {
				free = max(free, due) + exponential(random, 0.3e6)
				if phase := free % c.stall.Period; phase > c.stall.Period-c.stall.Length {
					free += c.stall.Period - phase
				}
				slower := 1 + c.growth*due.Seconds()/c.length.Seconds()
				return 0, time.Duration(slower * float64(free-due))
			})
			if found(v, unsteady) || found(v, overloaded) {
				flagged++
			}
		}
		if flagged < c.least || flagged > c.most {
			t.Errorf("%s: %d of 8 runs are flagged, want %d to %d", c.name, flagged, c.least, c.most)
		}
	}
}
