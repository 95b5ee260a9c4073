package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"queuelab/measure/stats"
)

// The article's writes: a median of 34,366/s, a spread of 6.1 %, runs two to five
// from 34,253 to 34,888/s and the first below them, so at 34,888 - 0.061·34,366.
// Its redirects do not stand apart, although the first of them is the slowest.
func TestStandsApart(t *testing.T) {
	writes := []float64{34253, 34366, 34500, 34888}
	slow := 34888 - 0.061*34366
	for _, c := range []struct {
		name   string
		first  float64
		others []float64
		want   bool
	}{
		{"the article's writes", slow, writes, true},
		{"a first run 6 % below all others", 0.94 * 34253, writes, true},
		{"the article's redirects", redirect[0], redirect[1:], false},
		{"a first run that is too fast", 2*34500 - slow, writes, true},
		{"another run stands apart", 34366, []float64{34253, slow, 34500, 34888}, false},
		{"in the middle", 34400, writes, false},
		{"just below the critical value", -0.641, []float64{0, 0.1, 0.2, 0.359}, false},
		{"just above the critical value", -0.643, []float64{0, 0.1, 0.2, 0.357}, true},
		{"three", 0, []float64{0.942, 1}, true},
		{"three, not enough", 0, []float64{0.940, 1}, false},
		{"two", 0, []float64{100}, false},
		{"one", 0, nil, false},
		{"all equal", 5, []float64{5, 5, 5, 5}, false},
		{"others equal", 4.9, []float64{5, 5, 5, 5}, true},
		{"unknown", math.NaN(), []float64{5, 5, 5, 5}, false},
		{"an unknown other", 1, []float64{5, math.NaN(), 5, 5}, false},
		{"infinite", math.Inf(1), []float64{5, 5, 5, 5}, false},
	} {
		if got := stats.StandsApart(c.first, c.others); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	// More than 30 values are held against the last critical value, 0.260.
	many := make([]float64, 50)
	for i := range many {
		many[i] = float64(i) / 49
	}
	if stats.StandsApart(-0.34, many) || !stats.StandsApart(-0.36, many) {
		t.Error("51 values are not held against the critical value for 30")
	}
}

// Of runs that do not differ, the first stands apart in 10 %/n of all trials, which
// checks the critical values too: 40,000 trials, bounds at five standard errors.
func TestStandsApartByChance(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{3, 4, 5, 6, 7, 10, 20, 30} {
		const trials = 40000
		apart := 0
		for range trials {
			others := make([]float64, n-1)
			for i := range others {
				others[i] = random.NormFloat64()
			}
			if stats.StandsApart(random.NormFloat64(), others) {
				apart++
			}
		}
		share, want := float64(apart)/trials, 0.10/float64(n)
		if bound := 5 * math.Sqrt(want/trials); !near(share, want, bound) {
			t.Errorf("of %d runs the first stands apart in %.4f of the trials, want %.4f ± %.4f", n, share, want, bound)
		}
	}
}
