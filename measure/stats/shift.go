package stats

import (
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// Shift says by which factor one sample lies above another.
type Shift struct {
	// Change is the factor less one: 0.03 for 3 % more.
	Change float64
	// Lo and Hi bound the change with the confidence Level.
	Lo, Hi, Level float64
	// Reach is the smallest change that these samples could have shown, in either
	// direction: how far the farther end of the interval lies from the estimate.
	// Had the second sample been larger or smaller by more than that factor and
	// scattered as it did, the interval would have left 0 out.
	Reach float64
}

// HodgesLehmann is by which factor b's values lie above a's: the median of all
// b_j/a_i, on a logarithmic scale, after Hodges and Lehmann. Its interval is that
// of the changes which the Mann–Whitney test does not reject, between the k-th
// smallest and the k-th largest of the factors. Level is its true confidence
// without ties, 1 - 2·P(U ≤ k-1), and a lower bound of it with ties; it is the
// least that reaches the wanted one. Samples too small for that give the widest
// interval with its level: 0.9 for three and three values.
//
// All results are NaN when a sample is empty or a value has no logarithm.
// Sources: Hodges and Lehmann, Estimates of Location Based on Rank Tests, Annals
// of Mathematical Statistics 34 (1963); Hollander and Wolfe, Nonparametric
// Statistical Methods, sections 4.2 and 4.3.
func HodgesLehmann(a, b []float64, level float64) Shift {
	unknown := math.NaN()
	logs := make([]float64, 0, len(a)*len(b))
	for _, from := range a {
		for _, to := range b {
			d := math.Log(to) - math.Log(from)
			if math.IsNaN(d) || math.IsInf(d, 0) {
				return Shift{unknown, unknown, unknown, unknown, unknown}
			}
			logs = append(logs, d)
		}
	}
	if len(logs) == 0 {
		return Shift{unknown, unknown, unknown, unknown, unknown}
	}
	slices.Sort(logs)
	k, achieved := orders(len(a), len(b), level)
	centre, lo, hi := Median(logs), logs[k-1], logs[len(logs)-k]
	return Shift{
		Change: math.Expm1(centre), Lo: math.Expm1(lo), Hi: math.Expm1(hi), Level: achieved,
		Reach: math.Expm1(max(centre-lo, hi-centre)),
	}
}

// orders is the largest k for which the k-th smallest and the k-th largest of
// the m·n differences bound the shift with at least the wanted level, and the
// level with which they do; k is 1 where none reaches it.
func orders(m, n int, wanted float64) (k int, level float64) {
	covers := func(k int) float64 { return 1 - 2*atMost(m, n, k-1) }
	k, beyond := 1, (m*n+1)/2+1
	for beyond-k > 1 {
		if middle := (k + beyond) / 2; covers(middle) >= wanted {
			k = middle
		} else {
			beyond = middle
		}
	}
	return k, max(covers(k), 0)
}

// atMost is P(U ≤ u) of the Mann–Whitney statistic without ties.
func atMost(m, n, u int) float64 {
	if max(m, n) <= mostExact {
		return stats.UDist{N1: m, N2: n}.CDF(float64(u))
	}
	mean := float64(m) * float64(n) / 2
	sd := math.Sqrt(mean * float64(m+n+1) / 6)
	return stats.StdNormal.CDF((float64(u) + 0.5 - mean) / sd)
}
