package stats_test

import (
	"math"
	"testing"

	"queuelab/measure/stats"
)

func TestProportionInterval(t *testing.T) {
	for _, c := range []struct {
		k, n   int
		lo, hi float64
	}{
		// Without successes the upper end solves (1−p)^n = 0.025.
		{0, 10, 0, 1 - math.Pow(0.025, 0.1)},
		{10, 10, math.Pow(0.025, 0.1), 1},
		// Half of ten, as tables of binomial limits have it.
		{5, 10, 0.1870860, 0.8129140},
		{0, 0, 0, 1},
	} {
		lo, hi := stats.ProportionInterval(c.k, c.n, 0.95)
		if math.Abs(lo-c.lo) > 1e-6 || math.Abs(hi-c.hi) > 1e-6 {
			t.Errorf("%d of %d: [%.7f, %.7f], want [%.7f, %.7f]", c.k, c.n, lo, hi, c.lo, c.hi)
		}
	}
}
