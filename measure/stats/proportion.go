package stats

import "gonum.org/v1/gonum/stat/distuv"

// ProportionInterval is the exact two-sided interval of a probability of which n
// independent trials gave k successes, at the given level, such as 0.95; [0, 1]
// for no trials.
// Source: Clopper and Pearson, The use of confidence or fiducial limits
// illustrated in the case of the binomial, Biometrika 26 (1934).
func ProportionInterval(k, n int, level float64) (lo, hi float64) {
	tail := (1 - level) / 2
	lo, hi = 0, 1
	if k > 0 {
		lo = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(tail)
	}
	if k < n {
		hi = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(1 - tail)
	}
	return lo, hi
}
