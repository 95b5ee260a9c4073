package reports

import (
	"math"

	"queuelab/measure/record"
	"queuelab/measure/stats"
)

// TrialResult is a trial of a target's endpoints.
type TrialResult struct {
	Title     string            `json:"title"`
	Ceiling   string            `json:"ceiling,omitempty"` // the endpoint that the others are read against
	Note      string            `json:"published_note,omitempty"`
	Endpoints []*EndpointResult `json:"endpoints"`
	Work      record.Value      `json:"work_drift"` // of the fixed piece of work since the first run
	Known     bool              `json:"known"`      // the server's speed is given: it cannot drift
}

// EndpointResult is what the runs of one endpoint gave.
type EndpointResult struct {
	Name   string       `json:"name"`
	Folder string       `json:"folder"` // of the trial, in the report's
	Run    *record.Run  `json:"trial"`
	Rows   *record.Rows `json:"rows,omitempty"` // of the table that it wrote to
	// Published are another machine's figures, by the names of the quantities; nil
	// for none.
	Published map[string]float64 `json:"published,omitempty"`
}

// quantity is one quantity of the endpoint's trial, unknown where it has none.
func (e *EndpointResult) quantity(key string) record.Repeated {
	if q, ok := e.Run.Trial.Quantities[key]; ok {
		return q
	}
	unknown := record.Unknown()
	return record.Repeated{Median: unknown, Spread: unknown, Interval: record.Interval{unknown, unknown}, Level: unknown}
}

// rate is the endpoint's median throughput.
func (e *EndpointResult) rate() record.Value { return e.quantity(record.ThroughputKey).Median }

// published is a figure of the other machine.
func (e *EndpointResult) published(key string) record.Value {
	if v, ok := e.Published[key]; ok {
		return record.Value(v)
	}
	return record.Unknown()
}

// failed is how many of the endpoint's requests were not answered.
func (e *EndpointResult) failed() int64 { return e.Run.Requests.Scheduled - e.Run.Requests.Answered }

// ceiling is the endpoint that the others are read against, nil for none.
func (t *TrialResult) ceiling() *EndpointResult {
	for _, e := range t.Endpoints {
		if e.Name == t.Ceiling {
			return e
		}
	}
	return nil
}

// against reads a throughput against the ceiling's: the share of it, and what a
// request costs above it, in µs. Both are unknown without a ceiling.
func against(rate, ceiling record.Value) (share, cost record.Value) {
	share, cost = rate/ceiling, 1e6/rate-1e6/ceiling
	if math.IsInf(float64(share), 0) || math.IsInf(float64(cost), 0) {
		return record.Unknown(), record.Unknown()
	}
	return share, cost
}

// against reads an endpoint against the ceiling.
func (t *TrialResult) against(e *EndpointResult) (share, cost record.Value) {
	if c := t.ceiling(); c != nil {
		return against(e.rate(), c.rate())
	}
	return record.Unknown(), record.Unknown()
}

// uncertain is what the noise of the runs leaves of an endpoint's share of the
// ceiling and of its cost above it in µs: the Hodges–Lehmann interval of the ratio
// of two samples of runs, and its level; the cost is that of the share, with the
// ceiling at its median. All is unknown without a ceiling, and of the ceiling itself.
func (t *TrialResult) uncertain(e *EndpointResult) (share, cost record.Interval, level record.Value) {
	unknown := record.Unknown()
	share, cost, level = record.Interval{unknown, unknown}, record.Interval{unknown, unknown}, unknown
	c := t.ceiling()
	if c == nil || c == e || !c.rate().Known() || !e.rate().Known() {
		return share, cost, level
	}
	shift := stats.HodgesLehmann(c.rates(), e.rates(), 0.95)
	if !(shift.Level > 0) {
		return share, cost, level
	}
	share = record.Interval{record.Value(1 + shift.Lo), record.Value(1 + shift.Hi)}
	for i, s := range []record.Value{share[1], share[0]} {
		cost[i] = (1/s - 1) * 1e6 / c.rate()
	}
	return share, cost, record.Value(shift.Level)
}

// rates are the throughputs of the endpoint's runs.
func (e *EndpointResult) rates() []float64 {
	var out []float64
	for _, r := range e.Run.Reps {
		out = append(out, float64(r.Throughput))
	}
	return out
}

// againstPublished is the same of the other machine.
func (t *TrialResult) againstPublished(e *EndpointResult) (share, cost record.Value) {
	if c := t.ceiling(); c != nil {
		return against(e.published(record.ThroughputKey), c.published(record.ThroughputKey))
	}
	return record.Unknown(), record.Unknown()
}

// runs is how many runs the endpoints have.
func (t *TrialResult) runs() int { return len(t.Endpoints[0].Run.Reps) }

// requests is how many requests all runs had.
func (t *TrialResult) requests() (n int64) {
	for _, e := range t.Endpoints {
		n += e.Run.Requests.Scheduled
	}
	return n
}

// trust is what the machine's drift makes of the comparison of endpoints: SUSPECT,
// INVALID, or "".
func (t *TrialResult) trust() string {
	if t.Known {
		return ""
	}
	return trust(t.Work)
}
