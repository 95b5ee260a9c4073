package reports

import (
	"time"

	"queuelab/analysis"
	"queuelab/measure/record"
)

// ScenarioResult is a scenario on one target.
type ScenarioResult struct {
	Kind        string            `json:"kind"`
	Title       string            `json:"title"`
	Predicted   time.Time         `json:"predicted_utc"`     // before any of its runs
	Calibration CalibrationResult `json:"calibration"`       // right before it: it predicts
	Again       CalibrationResult `json:"calibration_again"` // right after it: shows drift only
	Work        record.Value      `json:"work_drift"`        // of the fixed piece of work in between
	Known       bool              `json:"known"`             // the capacity is given
	Published   string            `json:"published_service,omitempty"`
	Note        string            `json:"published_note,omitempty"`
	Cases       []*CaseResult     `json:"cases"`
}

// CaseResult is one run of a scenario, repeated or not.
type CaseResult struct {
	Name      string           `json:"name"`
	Model     string           `json:"model"`          // in words
	Service   record.Value     `json:"service_ms"`     // mean service time of the model
	Capacity  float64          `json:"capacity_per_s"` // of the model
	Workload  record.Workload  `json:"workload"`
	Quantiles []float64        `json:"quantiles,omitempty"` // of all percentiles below
	Predicted analysis.Outlook `json:"predicted"`           // for any arrivals
	Runs      []CaseRun        `json:"runs"`
	Published *PublishedResult `json:"published,omitempty"`
	// Agreements compare the runs with the simulation of their very arrivals, by
	// figure.
	Agreements map[string]*analysis.Agreement `json:"agreements"`
}

// CaseRun is one repetition: simulated on its own arrivals, then observed.
type CaseRun struct {
	Seed      uint64        `json:"seed"`
	Replay    analysis.Seen `json:"replay"`
	Seen      analysis.Seen `json:"seen"`
	Observed  *record.Run   `json:"observed,omitempty"`
	Collapsed bool          `json:"collapsed,omitempty"` // the server had not recovered
}

// PublishedResult are another machine's figures, and the simulator's at that
// machine's service law and the study's own lengths.
type PublishedResult struct {
	Figures   map[string]float64 `json:"figures"`
	Simulated analysis.Outlook   `json:"simulated"`
}

// figure is the observed value of a figure: the median over runs.
func (c *CaseResult) figure(key string) record.Value {
	var values []record.Value
	for _, run := range c.Runs {
		values = append(values, run.Seen.Figures[key])
	}
	return record.Value(median(finite(values)))
}

// replayed is the same of the simulation of the very arrivals.
func (c *CaseResult) replayed(key string) record.Value {
	var values []record.Value
	for _, run := range c.Runs {
		values = append(values, run.Replay.Figures[key])
	}
	return record.Value(median(finite(values)))
}

// requests are the counts of all observed runs.
func (c *CaseResult) requests() (sum record.Counts) {
	for _, run := range c.Runs {
		n := run.Observed.Requests
		sum.Scheduled += n.Scheduled
		sum.Answered += n.Answered
		sum.Copies += n.Copies
	}
	return sum
}

// collapsed is how many of the observed runs did.
func (c *CaseResult) collapsed() (n int) {
	for _, run := range c.Runs {
		if run.Collapsed {
			n++
		}
	}
	return n
}
