package sim

import (
	"math"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// level of the intervals.
const level = 0.95

// intervalQuantiles are those that a run gives intervals for.
var intervalQuantiles = []float64{0.5, 0.9, 0.99, 0.999}

// summarise adds what only the simulation knows: utilisation, the sampled
// number in system, and intervals.
func (e *engine) summarise(run *record.Run, w *workload.Workload, servers int) {
	l := &e.ledger
	if e.sampler.n > 0 {
		run.SetSampled(e.sampler.mean())
	}
	if span := e.now - l.warmup; e.warm >= 0 && span > 0 {
		busy := e.station.busyTime(e.now) - e.warm
		run.Utilisation = record.Value(float64(busy) / float64(span) / float64(servers))
	}
	if l.batches != nil && l.batches.Resolved() && e.periods(w.Stall) >= leastPeriods {
		run.Interval = e.intervals()
	}
}

// leastPeriods is how many periods of a stall a run must hold for intervals:
// as many as it has batches at most, so that none is shorter than a period.
// Batches within a period would tell the stall from the time between stalls,
// instead of one batch from the next; and what the period that the end of the
// run cuts off adds to or takes from the figures is then well within what the
// intervals allow for.
const leastPeriods = 32

// periods is how many periods of a stall the recorded schedule holds, +Inf
// without stalls.
func (e *engine) periods(s workload.Stall) float64 {
	if !s.Any() {
		return math.Inf(1)
	}
	return float64(min(e.now, e.source.end())-e.ledger.warmup) / float64(s.Period)
}

// intervals are those of the steady state, in milliseconds.
func (e *engine) intervals() map[string]record.Interval {
	b := e.ledger.batches
	mean, half := b.Mean(level)
	out := map[string]record.Interval{"mean": interval(max(mean-half, 0), mean+half)}
	for _, q := range intervalQuantiles {
		if lo, hi, ok := b.Quantile(q, level); ok {
			out[record.QuantileKey(q)] = interval(lo, hi)
		}
	}
	return out
}

// interval turns nanoseconds into milliseconds.
func interval(lo, hi float64) record.Interval {
	return record.Interval{record.Value(lo / 1e6), record.Value(hi / 1e6)}
}
