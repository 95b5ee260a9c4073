package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Median is the middle one of the values, the mean of the two middle ones when
// their number is even; NaN for no values.
func Median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Spread is (max - min) / median: how far the same measurement moved. It is NaN
// where the median is not above zero, and for no values.
func Spread(values []float64) float64 {
	if median := Median(values); median > 0 {
		return (slices.Max(values) - slices.Min(values)) / median
	}
	return math.NaN()
}

// MedianInterval is the interval between the k-th smallest and the k-th largest
// value that covers the median of the law they come from, whatever the law is,
// with at least the probability level, such as 0.95, and achieved is the
// probability with which it does, 1 - 2·P(B ≤ k-1) for a binomial B of n fair
// trials. Of the k that reach the level it takes the largest. Where none does,
// the interval is from the smallest to the largest value: five values cover
// with 0.9375, six with 0.96875. Below two values all results are NaN.
// Source: David and Nagaraja, Order Statistics, 3rd ed. (2003), section 7.1.
func MedianInterval(values []float64, level float64) (lo, hi, achieved float64) {
	n := len(values)
	if n < 2 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	fair := distuv.Binomial{N: float64(n), P: 0.5}
	covers := func(k int) float64 { return 1 - 2*fair.CDF(float64(k-1)) }
	k := 1
	for 2*k < n && covers(k+1) >= level {
		k++
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[k-1], sorted[n-k], covers(k)
}
