package analysis

import (
	"math"
	"sort"
)

// holmAdjusted are the p-values as Holm's step-down procedure leaves them among
// each other: the i-th smallest of k becomes the largest of (k-j)·p_j over the j
// up to it, counted from 0. Those that are at most α can be called significant
// together. NaN is no test, and stays.
// Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure,
// Scandinavian Journal of Statistics 6 (1979).
func holmAdjusted(p []float64) []float64 {
	out := make([]float64, len(p))
	var order []int
	for i := range p {
		out[i] = p[i]
		if !math.IsNaN(p[i]) {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return p[order[i]] < p[order[j]] })
	largest := 0.0
	for j, i := range order {
		largest = max(largest, float64(len(order)-j)*p[i])
		out[i] = min(largest, 1)
	}
	return out
}
