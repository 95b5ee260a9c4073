package peer

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// points is how many quantiles of the lateness are kept.
const points = 512

// judge compares instants, in nanoseconds and in any order, with the even schedule at
// the rate that fits them best without being later than any of them.
func judge(stamps []int64, rate float64) (Lateness, error) {
	if len(stamps) < 3 { // two gaps, the least that have a variance
		return Lateness{}, fmt.Errorf("%d requests were received, too few to judge: make the run longer or the rate higher", len(stamps))
	}
	sorted := slices.Sorted(slices.Values(stamps))
	first, n := sorted[0], len(sorted)
	late, gaps := make([]float64, n), make([]float64, n-1)
	offset := math.Inf(1)
	for k, at := range sorted {
		// From the first: nanoseconds since 1970 are more than a float64 holds.
		late[k] = float64(at-first)/1e3 - float64(k)/rate*1e6
		offset = min(offset, late[k])
		if k > 0 {
			gaps[k-1] = float64(at - sorted[k-1])
		}
	}
	for k := range late {
		late[k] -= offset
	}
	slices.Sort(late)
	l := Lateness{Rate: rate, Requests: int64(n), Max: late[n-1]}
	l.P50, l.P90, l.P99 = nearest(late, 0.5), nearest(late, 0.9), nearest(late, 0.99)
	mean, variance := stat.MeanVariance(gaps, nil)
	if mean == 0 {
		return Lateness{}, fmt.Errorf("all %d requests were received at the same instant", n)
	}
	l.Offered, l.SCV = 1e9/mean, variance/(mean*mean)
	l.Sorted = late
	if n > points {
		l.Sorted = make([]float64, points)
		for i := range points {
			l.Sorted[i] = nearest(late, float64(i+1)/points)
		}
	}
	return l, nil
}

// nearest is a quantile by nearest rank, ⌈qn⌉. The factor keeps a product that is
// whole from being rounded up: 0.99*100 may be a little more than 99.
func nearest(sorted []float64, q float64) float64 {
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))*(1-1e-15)))-1)]
}
