package analysis

import (
	"context"
	"math"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// View says what of a run is looked at beyond its figures.
type View struct {
	Quantiles []float64     // of latency, ascending, below 1
	Cell      time.Duration // length of the cells over time; 0 for none
	Cells     int
}

// Figures are the names of a run's figures in their order: throughput in
// answers per second, latencies in ms, and the requests that were not answered
// and the copies as counts.
var Figures = []string{"throughput", "mean", "p50", "p99", "max", "failed", "copies"}

// courseParts is how many values a cell of the course has.
const courseParts = 4

// Moment is one cell of a run's course. T is the cell's middle in seconds, rates
// are per second, and latency is the mean in ms over requests due in the cell.
type Moment[V record.Value | Estimate] struct {
	T        float64 `json:"t_s"`
	Goodput  V       `json:"goodput_per_s"`
	Attempts V       `json:"attempts_per_s"`
	Failures V       `json:"failures_per_s"`
	Latency  V       `json:"latency_ms"`
}

// Seen is one run in a view.
type Seen struct {
	Figures     map[string]record.Value `json:"figures"`
	Percentiles []record.Value          `json:"percentiles_ms,omitempty"` // at the view's quantiles
	Course      []Moment[record.Value]  `json:"course,omitempty"`
}

// Outlook is the prediction of a workload in a view.
type Outlook struct {
	Figures     map[string]Estimate `json:"figures"`
	Percentiles []Estimate          `json:"percentiles_ms,omitempty"`
	Course      []Moment[Estimate]  `json:"course,omitempty"`
	Collapse    *Collapse           `json:"collapse,omitempty"` // where the server stalls often enough to tell
}

// Trace is an empty trace that can be seen in the view.
func (v View) Trace(w *workload.Workload) *Trace { return NewTrace(w, v.Cell) }

// See puts a run and its trace into the view.
func (v View) See(run Replayed, t *Trace) Seen {
	n := run.Requests
	s := Seen{Figures: map[string]record.Value{
		"throughput": run.Throughput,
		"failed":     record.Value(n.Scheduled - n.Answered),
		"copies":     record.Value(n.Copies),
	}}
	for _, key := range []string{"mean", "p50", "p99", "max"} {
		s.Figures[key] = run.Latency.Get(key)
	}
	for _, q := range t.Quantiles(v.Quantiles) {
		s.Percentiles = append(s.Percentiles, record.Value(q))
	}
	seconds := v.Cell.Seconds()
	for i, c := range t.Cells(v.Cells) {
		s.Course = append(s.Course, Moment[record.Value]{
			T:        (float64(i) + 0.5) * seconds,
			Goodput:  record.Value(float64(c.Answered) / seconds),
			Attempts: record.Value(float64(c.Copies) / seconds),
			Failures: record.Value(float64(c.Lost) / seconds),
			Latency:  record.Value(c.Latency()),
		})
	}
	return s
}

// values are all that was seen in one row, which View.outlook reads back.
func (s Seen) values() []float64 {
	var out []float64
	for _, key := range Figures {
		out = append(out, float64(s.Figures[key]))
	}
	for _, p := range s.Percentiles {
		out = append(out, float64(p))
	}
	for _, m := range s.Course {
		out = append(out, float64(m.Goodput), float64(m.Attempts), float64(m.Failures), float64(m.Latency))
	}
	return out
}

func (v View) outlook(estimates []Estimate) Outlook {
	o := Outlook{Figures: map[string]Estimate{}}
	for i, key := range Figures {
		o.Figures[key] = estimates[i]
	}
	rest := estimates[len(Figures):]
	o.Percentiles, rest = rest[:len(v.Quantiles)], rest[len(v.Quantiles):]
	for i := range v.Cells {
		e := rest[i*courseParts:]
		o.Course = append(o.Course, Moment[Estimate]{
			T:       (float64(i) + 0.5) * v.Cell.Seconds(),
			Goodput: e[0], Attempts: e[1], Failures: e[2], Latency: e[3],
		})
	}
	return o
}

// Outlook predicts the workload in the view from replications.
func (m Model) Outlook(ctx context.Context, w workload.Workload, v View, replications int) (Outlook, error) {
	collapsed, told := 0, 0
	estimates, err := m.Ensemble(ctx, w, replications, func(replica Model, w workload.Workload) ([]float64, error) {
		trace := v.Trace(&w)
		run, err := replica.Replay(ctx, w, trace)
		if fell, ok := trace.Collapsed(); ok {
			told++
			if fell {
				collapsed++
			}
		}
		return v.See(run, trace).values(), err
	})
	if err != nil {
		return Outlook{}, err
	}
	o := v.outlook(estimates)
	if told > 0 {
		c := NewCollapse(collapsed, told)
		o.Collapse = &c
	}
	return o, nil
}

// QuantileGrid are quantiles that divide each nine of an axis of −log₁₀(1−q)
// into equally many steps, from 0 to 1−1/n.
func QuantileGrid(n float64, perNine int) []float64 {
	var out []float64
	for i := 0; float64(i) <= math.Log10(n)*float64(perNine); i++ {
		out = append(out, 1-math.Pow(10, -float64(i)/float64(perNine)))
	}
	return out
}
