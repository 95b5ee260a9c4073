package validity

import (
	"time"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// Watch gathers from the requests of a run what its verdict rests on. It is a
// record.Sink and serves one goroutine; requests may come in any order, and its memory
// is bounded: some 600 kB, whatever the run.
type Watch struct {
	workload  *workload.Workload
	scheduled bool          // whether requests are due at instants of an open schedule
	counts    record.Counts // its own, which the run's must equal
	course    cells         // of the latencies of answered requests, by their schedule
	sends     cells         // of an open run
	dues      cells         // of a run in sessions, whose schedule is not known beforehand
	ends      cells         // of the open run's requests that an answer, an error or a timeout ended
	peak      peak
	gaps      *gaps
}

// sendCells bound the cells in which sends are counted: a run's end is known to a
// 2,048th of its length.
const sendCells = 4096

// NewWatch begins to watch a run of a workload.
func NewWatch(w *workload.Workload) *Watch {
	return &Watch{
		workload:  w,
		scheduled: w.Open,
		course:    newCourse(w.Stall.Period),
		sends:     cells{length: time.Microsecond, most: sendCells},
		dues:      cells{length: time.Microsecond, most: sendCells},
		ends:      cells{length: time.Microsecond, most: sendCells},
		peak:      newPeak(),
		gaps:      newGaps(),
	}
}

// Add implements record.Sink.
func (w *Watch) Add(r *record.Request) {
	w.counts.Scheduled++
	w.counts.Copies += int64(r.Copies)
	switch r.Outcome {
	case record.Answered:
		w.counts.Answered++
		w.course.add(r.Scheduled, float64(r.Latency()))
	case record.Failed:
		w.counts.Failed++
	case record.TimedOut:
		w.counts.TimedOut++
	case record.Unfinished:
		w.counts.Unfinished++
	default:
		w.counts.Unsent++
	}
	if w.workload.InSessions() {
		w.dues.add(r.Scheduled, 0)
	}
	if !w.scheduled || r.Outcome == record.Unsent {
		return
	}
	w.sends.add(r.Sent, 0)
	w.peak.add(r.Sent)
	if !w.workload.InSessions() {
		w.gaps.add(r.Number, r.Scheduled, r.Sent)
	}
	if r.Outcome != record.Unfinished {
		w.ends.add(r.Ended, 0)
	}
}
