// Package stats holds the estimators that runs are judged with.
package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// MeanInterval is the mean of independent values and half the width of its
// two-sided Student t interval at the given level, such as 0.95; the half width
// is +Inf for fewer than two values.
func MeanInterval(values []float64, level float64) (mean, half float64) {
	if len(values) < 2 {
		return stat.Mean(values, nil), math.Inf(1)
	}
	mean, sd := stat.MeanStdDev(values, nil)
	n := float64(len(values))
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile((1 + level) / 2)
	return mean, t * sd / math.Sqrt(n)
}
