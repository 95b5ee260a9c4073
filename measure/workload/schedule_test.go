package workload_test

import (
	"math"
	"math/big"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

	"queuelab/measure/workload"
)

// instants are the first n instants of a schedule, fewer when it ends before.
func instants(w workload.Workload, n int) []time.Duration {
	var out []time.Duration
	for s := w.Schedule(); len(out) < n; {
		due, more := s.Next()
		if !more {
			break
		}
		out = append(out, due)
	}
	return out
}

func TestScheduleBeginsAtZero(t *testing.T) {
	for _, arrivals := range []workload.Arrivals{{}, workload.Poisson, workload.Even} {
		got := instants(workload.Workload{Open: true, Rate: 7, Arrivals: arrivals, Requests: 1, Seed: 3}, 2)
		if len(got) != 1 || got[0] != 0 {
			t.Errorf("%q: one request is due at %v, want at 0 alone", arrivals, got)
		}
	}
}

// The k-th even instant is k/rate to the nearest nanosecond however long the
// run: no rounding adds up.
func TestEvenGapsNeverDrift(t *testing.T) {
	const n = 2_000_000
	for _, rate := range []float64{0.3, 3, 100, 169, 7000, 1e6 / 7} {
		w := workload.Workload{Open: true, Rate: rate, Arrivals: workload.Even, Requests: n}
		gap := new(big.Rat).Quo(big.NewRat(1e9, 1), new(big.Rat).SetFloat64(rate)) // exact
		s := w.Schedule()
		for k := range int64(n) {
			due, more := s.Next()
			if !more {
				t.Fatalf("rate %v: the schedule ends after %d requests", rate, k)
			}
			if k > 1000 && k%997 != 0 {
				continue
			}
			want, _ := new(big.Rat).Mul(gap, big.NewRat(k, 1)).Float64()
			// A float64 resolves instants beyond 52 days to a nanosecond or more.
			if math.Abs(float64(due)-want) > 0.5+want*4e-16 {
				t.Fatalf("rate %v: request %d is due at %d ns, want %.1f", rate, k, due, want)
			}
		}
	}
}

// Poisson gaps have the mean 1/rate and an SCV of 1, and successive ones are
// uncorrelated.
func TestPoissonGaps(t *testing.T) {
	const n = 200_000
	due := instants(workload.Workload{Open: true, Rate: 250, Requests: n + 1, Seed: 11}, n+1)
	gaps := make([]float64, n)
	for i := range gaps {
		gaps[i] = float64(due[i+1]-due[i]) / 1e9
	}
	mean, variance := stat.MeanVariance(gaps, nil)
	if math.Abs(mean*250-1) > 5/math.Sqrt(n) {
		t.Errorf("the mean gap at 250/s is %v s, want 0.004", mean)
	}
	if scv := variance / (mean * mean); math.Abs(scv-1) > 0.05 {
		t.Errorf("the SCV of Poisson gaps is %v, want 1", scv)
	}
	if r := stat.Correlation(gaps[1:], gaps[:n-1], nil); math.Abs(r) > 5/math.Sqrt(n) {
		t.Errorf("successive gaps have the correlation %v, want 0", r)
	}
}

func TestScheduleEnds(t *testing.T) {
	even := workload.Workload{Open: true, Rate: 100, Arrivals: workload.Even}
	tests := []struct {
		name     string
		length   time.Duration
		requests int64
		want     int
	}{
		{"requests alone", 0, 17, 17},
		{"a request due at the length is not sent", 100 * time.Millisecond, 0, 10},
		{"one due before it is", 100*time.Millisecond + 1, 0, 11},
		{"the count is reached first", time.Second, 17, 17},
		{"the length is reached first", time.Second, 1000, 100},
		{"shorter than a gap", time.Nanosecond, 0, 1},
	}
	for _, tt := range tests {
		w := even
		w.Length, w.Requests = tt.length, tt.requests
		if got := instants(w, 10_000); len(got) != tt.want {
			t.Errorf("%s: %d requests, want %d", tt.name, len(got), tt.want)
		}
		s := w.Schedule()
		for _, more := s.Next(); more; _, more = s.Next() {
		}
		if due, more := s.Next(); more {
			t.Errorf("%s: after its end the schedule goes on at %v", tt.name, due)
		}
	}
}

// A rate so low that the next instant lies beyond the clock ends the schedule;
// it does not wrap around to instants in the past.
func TestScheduleBeyondTheClock(t *testing.T) {
	for _, rate := range []float64{1e-12, 1e-300, math.SmallestNonzeroFloat64} {
		for _, arrivals := range []workload.Arrivals{workload.Poisson, workload.Even} {
			got := instants(workload.Workload{Open: true, Rate: rate, Arrivals: arrivals, Requests: 100, Seed: 1}, 100)
			for i := 1; i < len(got); i++ {
				if got[i] < got[i-1] {
					t.Fatalf("%s arrivals at %g/s: request %d is due at %v, after one at %v", arrivals, rate, i, got[i], got[i-1])
				}
			}
		}
	}
}

// The seed alone decides the schedule: neither its length nor who else draws
// changes an instant.
func TestSameSeedSameSchedule(t *testing.T) {
	w := workload.Workload{Open: true, Rate: 100, Requests: 1000, Seed: 42}
	want := instants(w, 1000)
	shorter := w
	shorter.Requests, shorter.Length = 0, 3*time.Second
	for _, other := range []workload.Workload{w, shorter} {
		draws := other.Client(0)
		got := instants(other, 1000)
		draws.NextKey()
		for i, due := range got {
			if due != want[i] {
				t.Fatalf("request %d is due at %v and at %v under the same seed", i, want[i], due)
			}
		}
	}
	w.Seed++
	if got := instants(w, 1000); got[1] == want[1] && got[2] == want[2] {
		t.Error("another seed gave the same schedule")
	}
}
