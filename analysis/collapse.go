package analysis

import (
	"time"

	"queuelab/measure/record"
	"queuelab/measure/stats"
	"queuelab/measure/workload"
)

// Collapse is how probable it is that a server does not recover from stalls:
// over seeds, because where retries keep it saturated the same load has two
// states, and chance decides between them.
type Collapse struct {
	Runs      int          `json:"runs"`
	Collapsed int          `json:"collapsed"`
	Share     record.Value `json:"probability"`
	Lo        record.Value `json:"lo"` // 95 % interval
	Hi        record.Value `json:"hi"`
}

// NewCollapse counts runs that collapsed.
func NewCollapse(collapsed, runs int) Collapse {
	lo, hi := stats.ProportionInterval(collapsed, runs, 0.95)
	return Collapse{runs, collapsed, record.Value(float64(collapsed) / float64(runs)), record.Value(lo), record.Value(hi)}
}

// recovered is the share of answered requests below which a server has not
// recovered.
const recovered = 0.5

// Collapsed says whether the server had not recovered from the stall before by
// the end of the last working period that lies within the schedule: fewer than
// half of the requests due in that period's last quarter were ever answered. A
// schedule without such a period cannot tell: ok is false.
func (t *Trace) Collapsed(w *workload.Workload) (collapsed, ok bool) {
	from, to, ok := lastRecovery(w)
	if !ok {
		return false, false
	}
	return t.share(from, to) < recovered, true
}

// lastRecovery is the last quarter of the last whole working period after a
// stall.
func lastRecovery(w *workload.Workload) (from, to time.Duration, ok bool) {
	s := w.Stall
	if s.Period == 0 || s.Begin(1) > w.Length {
		return 0, 0, false
	}
	last := int64(1)
	for s.Begin(last+1) <= w.Length {
		last++
	}
	to = s.Begin(last)
	return to - (s.Period-s.Length)/4, to, true
}
