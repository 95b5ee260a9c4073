package validity

import (
	"time"

	"queuelab/measure/record"
)

// Sending says how the generator kept to an open workload's schedule until end, the
// schedule's end or the instant of an interruption; nil for a closed workload. An end
// later than a mean gap after the schedule's last request counts as that. What was due
// is counted anew from the seed, but in sessions, whose later requests are due after
// answers, from the records. What was sent in the 2,048th part of the run that holds
// the end counts as sent by then. The peak is over aligned tenths of a second.
// What a cap on requests in flight did is for the caller to add.
func (w *Watch) Sending(end time.Duration) *record.Sending {
	if !w.scheduled {
		return nil
	}
	due, end := w.due(end)
	due = min(due, w.counts.Scheduled) // of a schedule that was interrupted, as far as it was followed
	s := &record.Sending{
		Due: due, Sent: min(w.sends.until(end), due),
		Scheduled: record.Unknown(), Achieved: record.Unknown(),
		Peak: record.Value(w.peak.perSecond()),
	}
	if length := end.Seconds(); length > 0 {
		s.Scheduled, s.Achieved = record.Value(float64(s.Due)/length), record.Value(float64(s.Sent)/length)
	}
	return s
}

// due counts the requests of the schedule until its end or the given one, and returns
// the earlier of the two.
func (w *Watch) due(end time.Duration) (n int64, until time.Duration) {
	if w.workload.InSessions() {
		return w.dues.until(end), end
	}
	schedule, last := w.workload.Schedule(), time.Duration(0)
	for {
		at, more := schedule.Next()
		if !more {
			return n, min(end, last+w.meanGap())
		}
		if at > end {
			return n, end
		}
		n, last = n+1, at
	}
}

// longestGap keeps the mean gap of an absurdly low rate on the clock: some 31 years.
const longestGap = 1e18

// meanGap is that of a schedule with a rate.
func (w *Watch) meanGap() time.Duration {
	if w.workload.Rate <= 0 {
		return 0
	}
	return time.Duration(min(float64(time.Second)/w.workload.Rate, longestGap))
}

const (
	peakLength = 100 * time.Millisecond
	// peakCells are 27 minutes of them. In a longer run the peak is the most of those
	// that were there before, and of cells of twice the length.
	peakCells = 1 << 14
)

// peak finds the stretch of a run in which most requests were sent.
type peak struct {
	sends  cells
	before float64 // the peak rate of cells that have been merged since
}

func newPeak() peak { return peak{sends: cells{length: peakLength, most: peakCells}} }

func (p *peak) add(sent time.Duration) {
	if sent >= peakCells*p.sends.length {
		p.before = p.perSecond()
	}
	p.sends.add(sent, 0)
}

// perSecond is the rate of the fullest cell.
func (p *peak) perSecond() float64 {
	most := int64(0)
	for _, c := range p.sends.cells {
		most = max(most, c.n)
	}
	return max(p.before, float64(most)/p.sends.length.Seconds())
}
