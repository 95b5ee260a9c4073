package analysis

import (
	"math"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// Trace keeps what figures over percentiles and over time need of a run, and
// whether the server recovered from its stalls: it is a record.Sink. Its memory
// depends on the run's length in cells, not on the number of requests.
type Trace struct {
	retry    time.Duration // from one copy of a request to the next
	cell     time.Duration // 0 for no cells
	cells    []Cell
	answers  *record.Histogram
	recovery recovery
}

var _ record.Sink = (*Trace)(nil)

// Cell is what happened in one cell of time. Each event counts where it
// happened; only latency stands at the instant for which the request was
// scheduled, since that is what it counts from.
type Cell struct {
	Scheduled int64 // requests due in it
	Kept      int64 // those of them that were answered, whenever
	Copies    int64 // sent in it
	Answered  int64 // answers that came in it
	Lost      int64 // requests that ended in it without an answer

	latency time.Duration // of the kept ones, summed
}

// Latency is the mean latency in ms of the answered requests that were due in
// the cell, NaN without any.
func (c Cell) Latency() float64 {
	if c.Kept == 0 {
		return math.NaN()
	}
	return float64(c.latency) / float64(c.Kept) / 1e6
}

// longestTrace bounds the cells that a trace keeps: what comes later counts in
// the last one.
const longestTrace = 100_000

// NewTrace returns an empty trace of a run of the workload, in cells of the
// given length, or without cells for 0.
func NewTrace(w *workload.Workload, cell time.Duration) *Trace {
	return &Trace{retry: w.Retry.After, cell: cell, answers: record.NewHistogram(), recovery: lastRecovery(w)}
}

// Add implements record.Sink.
func (t *Trace) Add(r *record.Request) {
	t.recovery.add(r)
	if r.Outcome == record.Answered {
		t.answers.Add(r.Latency())
	}
	if t.cell > 0 {
		t.count(r)
	}
}

// count enters a request into the cells in which it did something.
func (t *Trace) count(r *record.Request) {
	due := t.at(r.Scheduled)
	due.Scheduled++
	if r.Outcome == record.Answered {
		due.Kept++
		due.latency += r.Latency()
		t.at(r.Ended).Answered++
	} else {
		t.at(r.Ended).Lost++
	}
	for i := range r.Copies {
		t.at(r.Sent+time.Duration(i)*t.retry).Copies++
	}
}

// at is the cell of an instant.
func (t *Trace) at(instant time.Duration) *Cell {
	i := min(int(max(instant, 0)/t.cell), longestTrace-1)
	for i >= len(t.cells) {
		t.cells = append(t.cells, Cell{})
	}
	return &t.cells[i]
}

// Cells are the first n cells, whether or not anything happened in them.
func (t *Trace) Cells(n int) []Cell {
	out := make([]Cell, n)
	copy(out, t.cells)
	return out
}

// Quantiles are the quantiles q, ascending and below 1, of the latencies of
// answered requests in ms; NaN where the run has too few requests for one of
// them to lie above it.
func (t *Trace) Quantiles(qs []float64) []float64 {
	out := make([]float64, len(qs))
	for i, d := range t.answers.Quantiles(qs...) {
		out[i] = float64(d) / 1e6
		if float64(t.answers.Count())*(1-qs[i]) < 1-1e-9 {
			out[i] = math.NaN()
		}
	}
	return out
}
