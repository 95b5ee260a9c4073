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

// recovery counts the requests due in the last quarter of the last whole working
// period after a stall, in which a server should be itself again.
type recovery struct {
	from, to  time.Duration // the same for a schedule without such a period
	due, kept int64
}

func lastRecovery(w *workload.Workload) recovery {
	s := w.Stall
	if !s.Any() || s.Begin(1) > w.Length {
		return recovery{}
	}
	last := int64(w.Length/s.Period) + 1
	for s.Begin(last) > w.Length {
		last--
	}
	to := s.Begin(last)
	return recovery{from: to - (s.Period-s.Length)/4, to: to}
}

func (c *recovery) add(r *record.Request) {
	if r.Scheduled < c.from || r.Scheduled >= c.to {
		return
	}
	c.due++
	if r.Outcome == record.Answered {
		c.kept++
	}
}

// recovered is the share of answered requests below which a server has not
// recovered.
const recovered = 0.5

// Collapsed says whether the server had not recovered from the stall before by
// the end of the last working period that lies within the schedule: fewer than
// half of the requests due in that period's last quarter were ever answered. A
// schedule without such a period, or without a request in it, cannot tell: ok is
// false.
func (t *Trace) Collapsed() (collapsed, ok bool) {
	c := t.recovery
	return float64(c.kept) < recovered*float64(c.due), c.due > 0
}
