package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// ExponentialAt1 is the value that the statistic of [Exponential] exceeds in 1 % of
// samples of an exponential law, whatever its mean.
// Source: Stephens, EDF Statistics for Goodness of Fit and Some Comparisons, Journal of
// the American Statistical Association 69 (1974) 730–737.
const ExponentialAt1 = 1.957

// Exponential is the Anderson–Darling statistic A² of a sample against the exponential
// law with the sample's own mean, modified for the size of the sample: A²·(1 + 0.6/n).
// Values below smallest, which must be above zero and is the resolution of the clock
// that measured them, count as that: the law has no mass at zero, and one value there
// would make the statistic infinite. It is NaN for fewer than two values.
//
// A² = n ∫ (Fn − F)²/(F(1−F)) dF: the distance between the distribution functions of
// sample and law, with as much weight at both ends as in the middle.
func Exponential(values []float64, smallest float64) float64 {
	n := float64(len(values))
	if n < 2 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	for i := range sorted {
		sorted[i] = max(sorted[i], smallest)
	}
	mean := stat.Mean(sorted, nil)
	sum := 0.0
	for i, v := range sorted {
		// ln F of the i-th smallest, and ln(1−F) of the i-th largest.
		below, above := math.Log(-math.Expm1(-v/mean)), -sorted[len(sorted)-1-i]/mean
		sum += float64(2*i+1) * (below + above)
	}
	return (-n - sum/n) * (1 + 0.6/n)
}
