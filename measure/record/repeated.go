package record

import (
	"math"

	"queuelab/measure/stats"
)

// repeatedLevel is the confidence that an interval of the median is meant to
// have; five runs reach 0.9375 at most, six 0.96875.
const repeatedLevel = 0.95

// NewRepeated is one quantity over the runs of a trial, of which it takes the
// values, one a run; without values nothing is known, and of one value no spread.
func NewRepeated(values []float64) Repeated {
	lo, hi, level := stats.MedianInterval(values, repeatedLevel)
	spread := math.NaN()
	if len(values) > 1 {
		spread = stats.Spread(values)
	}
	return Repeated{
		Median:   Value(stats.Median(values)),
		Spread:   Value(spread),
		Interval: Interval{Value(lo), Value(hi)},
		Level:    Value(level),
	}
}
