package validity

import (
	"time"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// Watch gathers from the requests of a run what its verdict rests on. It is a
// record.Sink and serves one goroutine; requests may come in any order, and its memory
// is constant.
type Watch struct {
	workload *workload.Workload
}

// NewWatch begins to watch a run of a workload.
func NewWatch(w *workload.Workload) *Watch { return &Watch{workload: w} }

// Add implements record.Sink.
func (w *Watch) Add(*record.Request) {}

// Sending says how the generator kept to an open workload's schedule until end, the
// schedule's end or the instant of an interruption; nil for a closed workload. What a
// cap on requests in flight did is for the caller to add.
func (w *Watch) Sending(time.Duration) *record.Sending { return nil }
