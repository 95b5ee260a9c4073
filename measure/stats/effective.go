package stats

import "gonum.org/v1/gonum/stat/distuv"

// dependenceLevel is the chance at which independent values are taken for dependent
// ones: an estimate from some twenty batches scatters by a third, and a sample that
// is as good as its size must not lose part of it to that.
const dependenceLevel = 0.01

// EffectiveSize is how many independent values tell as much as these about the share
// of values with a mark, such as those beyond a quantile. Batches follow one another
// in time; batch i holds total[i] values, of which marked[i] have the mark. It is the
// number of values unless the batches' shares differ by more than independent values
// would let them (a chi-squared test), and then p(1-p)/v, where v is the variance of
// the share p by batch means (Law, Simulation Modeling and Analysis, section 9.5.3,
// with the ratio estimator's weights for batches of unequal size).
func EffectiveSize(marked, total []float64) float64 {
	var m, n, batches float64
	for i := range total {
		if total[i] > 0 {
			m, n, batches = m+marked[i], n+total[i], batches+1
		}
	}
	if m == 0 || m == n || batches < 2 {
		return n
	}
	p := m / n
	var squares float64
	for i := range total {
		d := marked[i] - p*total[i]
		squares += d * d
	}
	// The variance of the share against that of n independent values.
	excess := squares / (batches - 1) * batches / n / (p * (1 - p))
	chi := distuv.ChiSquared{K: batches - 1}
	if excess <= chi.Quantile(1-dependenceLevel)/(batches-1) {
		return n
	}
	return max(n/excess, 1)
}
