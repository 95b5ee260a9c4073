package sim_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/workload"
	"queuelab/sim"
)

// parsed are arrivals in the spelling of the command line.
func parsed(t *testing.T, text string) workload.Arrivals {
	t.Helper()
	a, err := workload.ParseArrivals(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// sigma is the root in (0, 1) of σ = A*(μ(1-σ)), at which a request of a GI/M/1 queue
// finds the server busy; A* is the Laplace transform of the gaps (L. Kleinrock,
// Queueing Systems, volume 1, section 6.4).
func sigma(transform func(s float64) float64, mu float64) float64 {
	low, high := 0.0, 1-1e-9 // A*(μ(1-σ)) - σ is above 0 at 0, convex, and 0 at 1
	for range 200 {
		if middle := (low + high) / 2; transform(mu*(1-middle)) > middle {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// gammaTransform is that of gamma gaps, hyperTransform that of hyperexponential ones
// with balanced means.
func gammaTransform(mean, scv float64) func(float64) float64 {
	return func(s float64) float64 { return math.Pow(1+scv*mean*s, -1/scv) }
}

func hyperTransform(mean, scv float64) func(float64) float64 {
	p := (1 + math.Sqrt((scv-1)/(scv+1))) / 2
	return func(s float64) float64 {
		return p/(1+mean/(2*p)*s) + (1-p)/(1+mean/(2*(1-p))*s)
	}
}

// Published: D/M/1 at ρ = 0.5 and 0.8, and M/M/1, where σ is ρ.
func TestSigma(t *testing.T) {
	for _, tt := range []struct {
		transform func(float64) float64
		want      float64
	}{
		{func(s float64) float64 { return math.Exp(-2 * s) }, 0.2031879},
		{func(s float64) float64 { return math.Exp(-s / 0.8) }, 0.6286298},
		{gammaTransform(1/0.8, 1), 0.8},
		{hyperTransform(1/0.8, 1), 0.8},
		{gammaTransform(1/0.8, 1e-8), 0.6286298},
	} {
		if got := sigma(tt.transform, 1); math.Abs(got-tt.want) > 2e-7 {
			t.Errorf("σ is %.7f, want %.7f", got, tt.want)
		}
	}
}

// The latency of GI/M/1 is exponential with the rate μ(1-σ).
func TestAgainstGIM1(t *testing.T) {
	const mean, rho = 0.005, 0.7
	gap := mean / rho
	for text, transform := range map[string]func(float64) float64{
		"even":       func(s float64) float64 { return math.Exp(-gap * s) },
		"gamma:0.25": gammaTransform(gap, 0.25),
		"gamma:4":    gammaTransform(gap, 4),
		"hyper:4":    hyperTransform(gap, 4),
	} {
		w := &workload.Workload{Open: true, Rate: 1 / gap, Arrivals: parsed(t, text), Requests: 150_000, Seed: 1, Drain: 10e9}
		got := run(t, w, sim.Station{Servers: 1, Service: law.NewExponential(mean)}, sim.Options{Warmup: 10e9})
		latency := mean / (1 - sigma(transform, 1/mean)) * 1e3 // ms
		for key, want := range map[string]float64{"mean": latency, "p50": latency * math.Ln2, "p99": latency * math.Log(100)} {
			i, known := got.Interval[key]
			if !known || !holds(i, want) {
				t.Errorf("%s: %s in %v ms, want %v", text, key, i, want)
			}
			if width := float64(i[1]-i[0]) / want; width > 0.35 {
				t.Errorf("%s: the interval %v of %s is too wide to say anything", text, i, key)
			}
		}
		if want := map[string]string{"even": "D/M/1", "gamma:0.25": "G/M/1", "gamma:4": "G/M/1", "hyper:4": "H2/M/1"}[text]; got.Model != want {
			t.Errorf("%s: the model is %s, want %s", text, got.Model, want)
		}
	}
}

// A recorded trace is replayed to its end, where the drain begins.
func TestRecordedArrivals(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.txt")
	if err := os.WriteFile(file, []byte("7\n7.010\n7.010\n8\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	want := []time.Duration{0, 10 * ms, 10 * ms, time.Second}
	for _, most := range []int64{0, 1000} { // by its length, or by more than there are
		w := &workload.Workload{Open: true, Arrivals: parsed(t, "trace:"+file), Requests: most, Drain: 50 * ms, Seed: 1}
		w.SetRecorded()
		got, summary := requests(t, w, sim.Station{Servers: 1, Service: det(500 * ms)}, sim.Options{})
		var due []time.Duration
		for _, r := range got {
			due = append(due, r.Scheduled)
		}
		slices.Sort(due)
		if !slices.Equal(due, want) {
			t.Errorf("requests are due at %v, want %v", due, want)
		}
		// The first and the second are answered at 0.5 and 1 s; the third would be at
		// 1.5 s, and the schedule ends at 1 s or, by its length, a mean gap later.
		if c := summary.Requests; c.Answered != 2 || c.Unfinished != 2 {
			t.Errorf("%d requests at most: %+v", most, c)
		}
	}
}
