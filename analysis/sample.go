// Package analysis compares two worlds: it calibrates a model of a server from
// measured runs, predicts with it, and says whether an observation agrees.
// Everything in it is a pure function of runs.
package analysis

import (
	"time"

	"queuelab/measure/record"
)

// Sample keeps what a calibration needs of a run: it is a record.Sink.
type Sample struct {
	seen  []float64       // times from sending to answer in seconds
	ended []time.Duration // instants of the answers, in the order of collection
}

var _ record.Sink = (*Sample)(nil)

// Add implements record.Sink.
func (s *Sample) Add(r *record.Request) {
	if r.Outcome == record.Answered {
		s.seen = append(s.seen, r.ClientSeen().Seconds())
		s.ended = append(s.ended, r.Ended)
	}
}
