package reports

import (
	"time"

	"queuelab/analysis"
	"queuelab/measure/record"
)

// Results is everything a report is written from; data/results.json holds it.
// Rates are per second, times named MS milliseconds.
type Results struct {
	Study   string          `json:"study"`
	Hash    string          `json:"study_sha256"`
	Profile string          `json:"profile"`
	Set     []string        `json:"overridden,omitempty"` // of the study's trials, and by whom
	Margin  float64         `json:"margin"`
	Start   time.Time       `json:"start_utc"`
	End     time.Time       `json:"end_utc"`
	Header  record.Header   `json:"header"`
	Targets []*TargetResult `json:"targets"`
	Peers   *PeersResult    `json:"peers,omitempty"`
}

// TargetResult is what was predicted and observed on one target.
type TargetResult struct {
	Name        string            `json:"name"`
	Address     string            `json:"address,omitempty"`
	Server      map[string]string `json:"server,omitempty"`
	Predicted   time.Time         `json:"predicted_utc,omitzero"` // before anything of the next parts was measured; zero where nothing is predicted
	Calibration CalibrationResult `json:"calibration,omitzero"`
	Again       CalibrationResult `json:"calibration_again,omitzero"` // after the last run of Closed and Open: shows drift only
	Known       bool              `json:"known"`                      // a known-answer server, whose capacity is given
	Closed      []*ClosedResult   `json:"closed,omitempty"`
	Open        []*OpenResult     `json:"open,omitempty"`
	Scenarios   []*ScenarioResult `json:"scenarios,omitempty"`
	Trials      []*TrialResult    `json:"trials,omitempty"`
	Speeds      speeds            `json:"speeds"`
	Verdicts    []VerdictResult   `json:"verdicts,omitempty"`
}

// CalibrationResult is a calibration in the units of tables.
type CalibrationResult struct {
	IdleMS      record.Value `json:"idle_ms"`    // R(1)
	DemandMS    record.Value `json:"demand_ms"`  // D = 1/Xmax, the bottleneck's per server
	ServiceMS   record.Value `json:"service_ms"` // what a request occupies one server for: D times the servers
	Servers     int          `json:"servers"`
	DelayMS     record.Value `json:"delay_ms"` // R(1) - D
	Capacity    record.Value `json:"capacity_per_s"`
	DemandError record.Value `json:"demand_relative_error"`
}

// SpeedResult is the time of the fixed piece of work around one run.
type SpeedResult struct {
	Run    string       `json:"run"`
	Before record.Value `json:"before_ms"`
	After  record.Value `json:"after_ms"`
}

// ClosedResult is a closed experiment on one target.
type ClosedResult struct {
	Title      string        `json:"title"`
	Discipline string        `json:"discipline"` // of the model, in words
	Points     []ClosedPoint `json:"points"`
	Line       []ClosedPoint `json:"line"` // predicted only
}

// ClosedPoint is a closed run with N clients.
type ClosedPoint struct {
	Clients   int                 `json:"clients"`
	Predicted analysis.Prediction `json:"predicted"`
	Observed  *record.Run         `json:"observed,omitempty"`
}

// OpenResult is an open experiment on one target.
type OpenResult struct {
	Title    string       `json:"title"`
	Even     bool         `json:"even"`
	Capacity float64      `json:"capacity_per_s"` // of the model that ρ refers to
	Model    string       `json:"model"`          // in words
	Service  record.Value `json:"service_ms"`     // mean service time of the model
	DelayMS  record.Value `json:"delay_ms"`
	Servers  int          `json:"servers"`
	Points   []OpenPoint  `json:"points"`
	Line     []LinePoint  `json:"line"`
}

// LinePoint is a predicted point of latency against load.
type LinePoint struct {
	Load      float64             `json:"load"` // ρ
	Rate      float64             `json:"rate_per_s"`
	Predicted analysis.Prediction `json:"predicted"`
}

// OpenPoint is all repetitions at one load.
type OpenPoint struct {
	LinePoint
	Runs []OpenRun `json:"runs"`
	// Mean and P99 compare the observation with the simulation of the very
	// same arrivals, run by run.
	Mean analysis.Agreement `json:"mean"`
	P99  analysis.Agreement `json:"p99"`
}

// OpenRun is one repetition: observed, and simulated on the same arrivals
// before it was measured.
type OpenRun struct {
	Seed     uint64            `json:"seed"`
	Replay   analysis.Replayed `json:"replay"`
	Observed *record.Run       `json:"observed,omitempty"`
}
