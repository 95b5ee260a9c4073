package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	moremath "github.com/aclements/go-moremath/stats"

	"queuelab/measure/stats"
)

// redirect are the throughputs of five runs of a URL shortener's redirect, in
// requests per second, as an article on repeatable baselines gives them.
var redirect = []float64{41837, 42364, 42424, 42511, 42948}

func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance || math.IsNaN(got) && math.IsNaN(want)
}

func TestMedianAndSpread(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		values         []float64
		median, spread float64
	}{
		{redirect, 42424, 0.026}, // which the article quotes as 42,424 and 2.6 %
		{[]float64{3, 1, 2, 10}, 2.5, 3.6},
		{[]float64{7}, 7, 0},
		{[]float64{0, 0, 0}, 0, nan},
		{nil, nan, nan},
	} {
		before := slices.Clone(c.values)
		if got := stats.Median(c.values); !near(got, c.median, 1e-12) {
			t.Errorf("median of %v is %v, want %v", c.values, got, c.median)
		}
		if got := stats.Spread(c.values); !near(got, c.spread, 0.0005) {
			t.Errorf("spread of %v is %v, want %v", c.values, got, c.spread)
		}
		if !slices.Equal(before, c.values) {
			t.Errorf("%v became %v", before, c.values)
		}
	}
}

// Ranks and levels as tables of the sign test's intervals have them.
func TestMedianInterval(t *testing.T) {
	same := 0
	for _, c := range []struct {
		n      int
		level  float64
		k      int // the k-th smallest and largest
		actual float64
	}{
		{2, 0.95, 1, 0.5},
		{3, 0.95, 1, 0.75},
		{5, 0.95, 1, 0.9375},
		{6, 0.95, 1, 0.96875},
		{8, 0.95, 1, 0.9921875},
		{9, 0.95, 2, 0.9609375},
		{10, 0.95, 2, 0.978515625},
		{12, 0.95, 3, 0.96142578},
		{15, 0.95, 4, 0.96484375},
		{20, 0.95, 6, 0.95861053},
		{30, 0.95, 10, 0.95722606},
		{20, 0.99, 4, 0.99742317},
		{5, 0.5, 2, 0.625},
	} {
		values := make([]float64, c.n)
		for i := range values {
			values[i] = float64(c.n - i) // the value is its rank
		}
		lo, hi, actual := stats.MedianInterval(values, c.level)
		if lo != float64(c.k) || hi != float64(c.n+1-c.k) || !near(actual, c.actual, 1e-8) {
			t.Errorf("%d values at %v: [%v, %v] with %.8f; want [%d, %d] with %.8f", c.n, c.level, lo, hi, actual, c.k, c.n+1-c.k, c.actual)
		}
		// An independent implementation, whose intervals may lie to one side.
		if theirs := moremath.QuantileCI(c.n, 0.5, c.level); theirs.LoOrder == c.k && theirs.HiOrder == c.n+1-c.k {
			same++
			if !near(theirs.Confidence, actual, 1e-12) {
				t.Errorf("%d values at %v: the level is %v, go-moremath says %v", c.n, c.level, actual, theirs.Confidence)
			}
		}
	}
	if same < 5 {
		t.Errorf("go-moremath took the same ends only %d times", same)
	}
	for _, few := range [][]float64{nil, {1}} {
		if lo, hi, actual := stats.MedianInterval(few, 0.95); !math.IsNaN(lo) || !math.IsNaN(hi) || !math.IsNaN(actual) {
			t.Errorf("%v has the interval [%v, %v] with %v, want none", few, lo, hi, actual)
		}
	}
}

// The interval covers the true median as often as its level says, for a law that
// is far from normal: 4000 trials of five runs, bounds at four standard errors.
func TestMedianIntervalCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const trials = 4000
	covered := 0
	for range trials {
		values := make([]float64, 5)
		for i := range values {
			values[i] = random.ExpFloat64()
		}
		if lo, hi, _ := stats.MedianInterval(values, 0.95); lo <= math.Ln2 && math.Ln2 <= hi {
			covered++
		}
	}
	share, level := float64(covered)/trials, 0.9375
	if bound := 4 * math.Sqrt(level*(1-level)/trials); !near(share, level, bound) {
		t.Errorf("the interval covers the median in %.4f of the trials, want %.4f ± %.4f", share, level, bound)
	}
}
