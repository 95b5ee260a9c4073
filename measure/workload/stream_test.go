package workload_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"queuelab/measure/workload"
)

// Streams of different purposes, indices and seeds are uncorrelated, position
// by position and one position apart.
func TestStreamsAreIndependent(t *testing.T) {
	const n = 20_000
	var names []string
	var streams [][]float64
	for _, seed := range []uint64{0, 1, 1 << 52} {
		for _, purpose := range []string{"arrivals", "key", "service", "think"} {
			for _, index := range []int{0, 1, 2, 64, 4096} {
				r := workload.Stream(seed, purpose, index)
				values := make([]float64, n)
				for i := range values {
					values[i] = r.Float64()
				}
				names = append(names, fmt.Sprintf("%d/%s/%d", seed, purpose, index))
				streams = append(streams, values)
			}
		}
	}
	// Some 5,400 correlations of standard deviation 1/√n: six deviations are
	// reached by chance once in 10⁵ such tests.
	bound := 6 / math.Sqrt(n)
	for i := range streams {
		for j := range i {
			same := stat.Correlation(streams[i], streams[j], nil)
			next := stat.Correlation(streams[i][1:], streams[j][:n-1], nil)
			if math.Abs(same) > bound || math.Abs(next) > bound {
				t.Errorf("streams %s and %s have the correlations %.3f and %.3f, want 0 within %.3f", names[i], names[j], same, next, bound)
			}
		}
	}
}

func TestStreamRepeats(t *testing.T) {
	a, b := workload.Stream(5, "key", 3), workload.Stream(5, "key", 3)
	for range 100 {
		if x, y := a.Uint64(), b.Uint64(); x != y {
			t.Fatalf("the same stream gave %d and %d", x, y)
		}
	}
}

func TestNewSeedIsExactInJSON(t *testing.T) {
	seen := map[uint64]bool{}
	for range 1000 {
		s := workload.NewSeed()
		if s >= workload.MaxSeed || uint64(float64(s)) != s {
			t.Fatalf("seed %d is not kept by a reader of JSON", s)
		}
		seen[s] = true
	}
	if len(seen) < 999 {
		t.Errorf("1000 seeds hold only %d different ones", len(seen))
	}
}
