package sim_test

import (
	"context"
	"testing"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
	"queuelab/sim"
	"queuelab/sim/kendall"
	"queuelab/sim/theory"
)

// run simulates a workload that the test knows to be possible.
func run(t *testing.T, w *workload.Workload, s sim.Station, o sim.Options) *record.Run {
	t.Helper()
	r, err := sim.Run(context.Background(), w, s, o)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Requests.Balanced() {
		t.Fatalf("the outcomes do not add up: %+v", r.Requests)
	}
	return r
}

// joint widens a 95 % interval so that twenty intervals hold their truths all
// at once with a probability of at least 99 % (Bonferroni): the ratio of the
// Student t quantiles 1-0.01/40 and 0.975 with 15 degrees of freedom, the
// fewest that an interval has.
const joint = 4.417 / 2.131

// holds says whether an interval, widened to the joint level, holds the truth.
func holds(i record.Interval, truth float64) bool {
	lo, hi := float64(i[0]), float64(i[1])
	centre, half := (lo+hi)/2, (hi-lo)/2*joint
	return centre-half <= truth && truth <= centre+half
}

// TestAgainstTheory compares mean, median and p99 with the closed forms, judged
// by the simulation's own intervals, all of them together at 99 %.
func TestAgainstTheory(t *testing.T) {
	exp := law.NewExponential(0.005)
	tests := []struct {
		workload workload.Workload
		station  sim.Station
		params   theory.Params
	}{
		{workload.Workload{Open: true, Rate: 160}, sim.Station{Servers: 1, Service: exp}, theory.Params{Rate: 160, Mean: 0.005}},
		{workload.Workload{Open: true, Rate: 160}, sim.Station{Servers: 1, Service: law.NewDeterministic(0.005)}, theory.Params{Rate: 160, Mean: 0.005}},
		{workload.Workload{Open: true, Rate: 480}, sim.Station{Servers: 3, Service: exp}, theory.Params{Rate: 480, Mean: 0.005}},
		{workload.Workload{Clients: 10, Think: law.NewExponential(0.05)}, sim.Station{Servers: 1, Service: exp}, theory.Params{Mean: 0.005, Think: 0.05}},
		{workload.Workload{Clients: 10, Think: law.NewExponential(0.01)}, sim.Station{Servers: 3, Service: exp}, theory.Params{Mean: 0.005, Think: 0.01}},
	}
	for _, tt := range tests {
		tt.workload.Requests, tt.workload.Seed, tt.workload.Drain = 600_000, 1, 10e9
		got := run(t, &tt.workload, tt.station, sim.Options{Warmup: 10e9})
		k, err := kendall.Parse(got.Model)
		if err != nil {
			t.Fatal(err)
		}
		m, err := theory.New(k, tt.params)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(got.Model, func(t *testing.T) { compare(t, got, m) })
	}
}

func compare(t *testing.T, got *record.Run, m theory.Model) {
	want := map[string]float64{}
	var err error
	if want["mean"], err = m.MeanLatency(); err != nil {
		t.Fatal(err)
	}
	for _, q := range []float64{0.5, 0.99} {
		if want[record.QuantileKey(q)], err = m.LatencyQuantile(q); err != nil {
			t.Fatal(err)
		}
	}
	for key, seconds := range want {
		interval, known := got.Interval[key]
		if !known {
			t.Errorf("%s has no interval", key)
			continue
		}
		if !holds(interval, seconds*1e3) {
			t.Errorf("%s is %v ms in %v, and %v ms by theory", key, got.Latency[key], interval, seconds*1e3)
		}
		if width := float64(interval[1]-interval[0]) / seconds / 1e3; width > 0.25 {
			t.Errorf("%s: the interval %v is too wide to say anything", key, interval)
		}
		if v := got.Latency.Get(key); v < interval[0]*0.998 || v > interval[1]*1.002 {
			t.Errorf("%s: %v ms lies outside its own interval %v", key, v, interval)
		}
	}
	near(t, "utilisation", got.Utilisation, m.Utilisation(), 0.02)
	near(t, "throughput", got.Throughput, m.Throughput(), 0.02)
	near(t, "number in system", got.InSystem, m.InSystem(), 0.1)
	near(t, "Little's law", got.Little.XW, float64(got.Little.Sampled), 0.01)
}

// near asserts a relative difference of at most so much.
func near(t *testing.T, what string, got record.Value, want, tolerance float64) {
	t.Helper()
	if !(float64(got) >= want*(1-tolerance) && float64(got) <= want*(1+tolerance)) {
		t.Errorf("%s is %v, want %v within %v %%", what, got, want, tolerance*100)
	}
}

// TestAgainstPublished covers laws whose quantiles have no closed form here:
// latency of M/E2/1 and M/H2/1 (SCV 4, balanced means) with S = 1 and ρ = 0.8,
// by M/PH/1, and the mean of M/G/1 by Pollaczek–Khinchine.
func TestAgainstPublished(t *testing.T) {
	erlang, err := law.NewErlang(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	hyper, err := law.NewHyperexponential(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		service   law.Law
		mean, p99 float64 // seconds
	}{
		{erlang, 4, 17.20586},
		{hyper, 11, 61.2103},
		{law.NewGamma(1, 0.25), 3.5, 0},
	} {
		w := &workload.Workload{Open: true, Rate: 0.8, Requests: 400_000, Seed: 2, Drain: 1e13}
		got := run(t, w, sim.Station{Servers: 1, Service: tt.service}, sim.Options{Warmup: 1e12})
		if i := got.Interval["mean"]; !holds(i, tt.mean*1e3) {
			t.Errorf("%v: mean in %v ms, want %v", tt.service, i, tt.mean*1e3)
		}
		if i := got.Interval["p99"]; tt.p99 > 0 && !holds(i, tt.p99*1e3) {
			t.Errorf("%v: p99 in %v ms, want %v", tt.service, i, tt.p99*1e3)
		}
	}
}

// TestSaturated: clients that never think keep the server busy, whatever its
// law, and share it.
func TestSaturated(t *testing.T) {
	for _, service := range []law.Law{law.NewDeterministic(0.004), law.NewExponential(0.004), law.NewGamma(0.004, 0.3)} {
		for _, clients := range []int{1, 8} {
			w := &workload.Workload{Clients: clients, Requests: 50_000, Seed: 3, Drain: 10e9}
			got := run(t, w, sim.Station{Servers: 1, Service: service}, sim.Options{Warmup: 1e9})
			near(t, "throughput", got.Throughput, 250, 0.03)
			near(t, "mean latency", got.Latency.Get("mean"), float64(clients)*4, 0.03)
			near(t, "utilisation", got.Utilisation, 1, 1e-9)
			near(t, "Little's law", got.Little.XW, float64(clients), 0.001)
			near(t, "number in system", got.InSystem, float64(clients), 0.001)
		}
	}
	// The spread of exponential FIFO: p99 of the sum of eight services is
	// 16.00 of them.
	w := &workload.Workload{Clients: 8, Requests: 200_000, Seed: 4, Drain: 10e9}
	got := run(t, w, sim.Station{Servers: 1, Service: law.NewExponential(0.001)}, sim.Options{Warmup: 1e9})
	if i := got.Interval["p99"]; !holds(i, 16.00) {
		t.Errorf("p99 in %v ms, want 16.00", i)
	}
}
