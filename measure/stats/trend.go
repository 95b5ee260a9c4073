package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// mostExactTrend is the length of a series up to which the distribution of the trend
// test's statistic is exact.
const mostExactTrend = 40

// MannKendall is the test for a trend of a series: s counts the pairs in which the later
// value is the larger, less those in which it is the smaller, and p is the two-sided
// probability of an s at least as far from zero for values in an order that says
// nothing. It asks nothing of the values' law, and no single value weighs much. It is
// exact for up to 40 values without ties; otherwise it is the normal approximation with
// the corrections for ties and continuity. p is NaN for fewer than three values or when
// one is a NaN, and 1 when all are equal.
// Sources: Mann, Nonparametric Tests Against Trend, Econometrica 13 (1945); Kendall,
// Rank Correlation Methods, 4th ed. (1970), chapters 1 and 4.
func MannKendall(values []float64) (s int, p float64) {
	if len(values) < 3 || slices.ContainsFunc(values, math.IsNaN) {
		return 0, math.NaN()
	}
	for i, v := range values {
		for _, earlier := range values[:i] {
			s += cmp.Compare(v, earlier)
		}
	}
	ties := tied(values)
	if len(ties) == 0 && len(values) <= mostExactTrend {
		return s, exactTrend(len(values), max(s, -s))
	}
	variance := trendVariance(len(values))
	for _, t := range ties {
		variance -= trendVariance(t)
	}
	if variance == 0 {
		return s, 1
	}
	z := (math.Abs(float64(s)) - 1) / math.Sqrt(variance)
	return s, min(2*distuv.UnitNormal.Survival(z), 1)
}

// trendVariance is that of s for n different values in random order; n equal ones
// take so much of it away.
func trendVariance(n int) float64 { return float64(n*(n-1)*(2*n+5)) / 18 }

// tied are the sizes of the groups of equal values.
func tied(values []float64) (sizes []int) {
	sorted := slices.Sorted(slices.Values(values))
	for from := 0; from < len(sorted); {
		to := from + 1
		for to < len(sorted) && sorted[to] == sorted[from] {
			to++
		}
		if to-from > 1 {
			sizes = append(sizes, to-from)
		}
		from = to
	}
	return sizes
}

// exactTrend is the probability that |s| of n different values in random order is at
// least distance. The number of pairs out of order is a sum of independent numbers,
// the k-th uniform on 0 … k−1: how many of the earlier values the k-th is below.
func exactTrend(n, distance int) float64 {
	pairs := n * (n - 1) / 2
	share := make([]float64, pairs+1) // of all orders, by pairs out of order
	share[0] = 1
	for k := 2; k <= n; k++ {
		next := make([]float64, pairs+1)
		window := 0.0
		for out := range next {
			window += share[out]
			if out >= k {
				window -= share[out-k]
			}
			next[out] = window / float64(k)
		}
		share = next
	}
	// The shares are the same from both ends; from this one they have lost nothing to
	// the window's subtractions.
	tail := 0.0
	for out := 0; pairs-2*out >= distance && 2*out <= pairs; out++ {
		tail += share[out]
	}
	return min(2*tail, 1)
}

// Slope is the Theil–Sen estimate of a series' trend a step: the median of the slopes
// of all pairs. Almost a third of the values may be anything without moving it far. It
// is NaN for fewer than two values.
// Source: Sen, Estimates of the Regression Coefficient Based on Kendall's Tau, Journal
// of the American Statistical Association 63 (1968) 1379–1389.
func Slope(values []float64) float64 {
	var slopes []float64
	for i, v := range values {
		for k, earlier := range values[:i] {
			slopes = append(slopes, (v-earlier)/float64(i-k))
		}
	}
	return Median(slopes)
}
