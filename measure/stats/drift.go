package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
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
	_, trend = MannKendall(means)
	first, second := means[:len(means)/2], means[len(means)/2:]
	halves = MannWhitney(first, second)
	return weaken(trend, wander(aboutLine(means))), weaken(halves, wander(slices.Concat(aboutMean(first), aboutMean(second))))
}

// aboutLine is what a slope leaves of a series.
func aboutLine(values []float64) []float64 {
	slope := Slope(values)
	rest := make([]float64, len(values))
	for i, v := range values {
		rest[i] = v - slope*float64(i)
	}
	return aboutMean(rest)
}

func aboutMean(values []float64) []float64 {
	rest, mean := slices.Clone(values), stat.Mean(values, nil)
	floats.AddConst(-mean, rest)
	return rest
}

// wander is by how much the dependence of neighbours widens the variance of what is
// said about the drift of a series of which the drift has been taken out: (1+r)/(1−r)
// for a correlation r of one value with the next; 1 unless r is above what one in
// twenty series of independent values has.
// Source: Yue and Wang, The Mann-Kendall Test Modified by Effective Sample Size to
// Detect Trend in Serially Correlated Hydrological Series, Water Resources Management 18
// (2004) 201–218.
func wander(rest []float64) float64 {
	square := floats.Dot(rest, rest)
	if square == 0 {
		return 1
	}
	n := float64(len(rest))
	r := floats.Dot(rest[1:], rest[:len(rest)-1]) / square
	// This is too low by (1+4r)/n for the mean that was taken out (Kendall, Note on
	// Bias in the Estimation of Autocorrelation, Biometrika 41 (1954)), and by about
	// 1/n more for the drift.
	r = (r*n + 2) / (n - 4)
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
	return 2 * distuv.UnitNormal.CDF(distuv.UnitNormal.Quantile(p/2)/math.Sqrt(excess))
}
