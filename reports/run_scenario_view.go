package reports

import (
	"time"

	"queuelab/analysis"
	"queuelab/measure/workload"
)

// stepsPerNine is how many points a percentile curve has between 0 and 90 %, 90
// and 99 %, and so on.
const stepsPerNine = 8

// view is what the figure of a scenario needs of one of its runs.
func (e Experiment) view(w *workload.Workload, capacity float64) analysis.View {
	switch e.Kind {
	case StallKind, SpacingKind:
		rate := capacity
		if w.Open {
			rate = w.Rate
		}
		return analysis.View{Quantiles: analysis.QuantileGrid(rate*w.Length.Seconds(), stepsPerNine)}
	case OverloadKind, RetriesKind:
		whole := w.Length + w.Timeout
		cell := cellOf(whole)
		return analysis.View{Cell: cell, Cells: int((whole + cell - 1) / cell)}
	}
	return analysis.View{}
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
