package reports

import (
	"time"

	"queuelab/analysis"
	"queuelab/measure/workload"
)

// stepsPerNine is how many points a percentile curve has between 0 and 90 %, 90
// and 99 %, and so on.
const stepsPerNine = 8

// percentilesView is for latency at each percentile.
func percentilesView(w *workload.Workload, capacity float64) analysis.View {
	rate := capacity
	if w.Open {
		rate = w.Rate
	}
	return analysis.View{Quantiles: analysis.QuantileGrid(rate*w.Length.Seconds(), stepsPerNine)}
}

// courseView is for what happens over time, up to the last timeout.
func courseView(w *workload.Workload, _ float64) analysis.View {
	whole := w.Length + w.Timeout
	cell := cellOf(whole)
	return analysis.View{Cell: cell, Cells: int((whole + cell - 1) / cell)}
}

// mostCells is how many cells of time a figure shows at the most.
const mostCells = 60

// cellOf is a round length of the cells that a length is divided into.
func cellOf(whole time.Duration) time.Duration {
	for decade := time.Millisecond; ; decade *= 10 {
		for _, digit := range []time.Duration{1, 2, 5} {
			if cell := digit * decade; whole <= mostCells*cell {
				return cell
			}
		}
	}
}
