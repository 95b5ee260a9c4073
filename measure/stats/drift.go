package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// fewestDrift is how many values a test for drift takes: of five in the clearest order
// Mann–Kendall's p is 0.017.
const fewestDrift = 6

// Drift tests whether the batch means of one long run move from its beginning to its
// end, in two ways: whether they have a trend (Mann–Kendall), and whether the second
// half differs from the first (Mann–Whitney), which sees a step and not only a slope.
// Both p-values are two-sided. They are weakened where neighbouring means resemble each
// other, as those of latencies do whose queue outlasts a batch: such means wander
// without any cause. Both are 1 for fewer than six values.
func Drift(means []float64) (trend, halves float64) {
	if len(means) < fewestDrift {
		return 1, 1
	}
	excess := wander(means)
	_, trend = MannKendall(means)
	halves = MannWhitney(means[:len(means)/2], means[len(means)/2:])
	return weaken(trend, excess), weaken(halves, excess)
}

// wander is by how much the dependence of a series' neighbours widens the variance of
// what is said about its drift: (1+r)/(1−r) for a correlation r of one value with the
// next, once a slope is taken out; 1 unless r is above what one in twenty series of
// independent values has.
// Source: Yue and Wang, The Mann-Kendall Test Modified by Effective Sample Size to
// Detect Trend in Serially Correlated Hydrological Series, Water Resources Management 18
// (2004) 201–218.
func wander(values []float64) float64 {
	n := float64(len(values))
	slope := Slope(values)
	rest, mean := make([]float64, len(values)), 0.0
	for i, v := range values {
		rest[i] = v - slope*float64(i)
		mean += rest[i] / n
	}
	var square, product float64
	for i, v := range rest {
		square += (v - mean) * (v - mean)
		if i > 0 {
			product += (v - mean) * (rest[i-1] - mean)
		}
	}
	if square == 0 {
		return 1
	}
	// The estimate from n values less their line is too low by (2+4r)/n (Kendall, Note
	// on Bias in the Estimation of Autocorrelation, Biometrika 41 (1954), for the mean
	// and as much again for the slope).
	r := (product/square*n + 2) / (n - 4)
	if r < distuv.UnitNormal.Quantile(0.95)/math.Sqrt(n) {
		return 1
	}
	r = min(r, mostCorrelated)
	return (1 + r) / (1 - r)
}

// mostCorrelated bounds the estimated correlation, which passes 1 in short series.
const mostCorrelated = 0.9

// weaken is the two-sided p-value of a normal statistic whose variance is in truth so
// many times the one that p was computed with.
func weaken(p, excess float64) float64 {
	if excess == 1 || p >= 1 {
		return p
	}
	return 2 * distuv.UnitNormal.Survival(distuv.UnitNormal.Quantile(1-p/2)/math.Sqrt(excess))
}
