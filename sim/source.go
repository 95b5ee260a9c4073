package sim

import (
	"queuelab/measure/workload"
)

// source says when requests are due. Instants are in nanoseconds.
type source interface {
	// next is the instant of the next request; never when none is to come
	// without a further answer.
	next() int64
	// take is that request: who sends it, and the service time that
	// travels with it, 0 where none does.
	take() (client int32, service int64)
	// ended tells that a client's request has ended.
	ended(client int32, now int64, answered bool)
	// end is the instant at which the schedule ends, from which the drain
	// counts; never while that is not known.
	end() int64
}

func newSource(w *workload.Workload) source {
	if w.Open {
		return newOpen(w)
	}
	return newClosed(w)
}

// limit is an instant that a workload gives as a duration, 0 for none.
func limit(d int64) int64 {
	if d == 0 {
		return never
	}
	return d
}

// open is the source of an open workload: its schedule never waits.
type open struct {
	schedule *workload.Schedule
	draws    *workload.Client
	due      int64 // of the next request
	last     int64 // of the one before
	length   int64
	left     int64 // requests still to come
}

func newOpen(w *workload.Workload) *open {
	o := &open{schedule: w.Schedule(), draws: w.Client(0), length: limit(int64(w.Length)), left: limit(w.Requests)}
	o.advance()
	return o
}

func (o *open) advance() {
	due, more := o.schedule.Next()
	if !more {
		o.due = never
		return
	}
	o.due = int64(due)
	o.left--
}

func (o *open) next() int64 { return o.due }

func (o *open) take() (int32, int64) {
	o.last = o.due
	o.advance()
	return 0, int64(o.draws.NextService())
}

func (o *open) ended(int32, int64, bool) {}

func (o *open) end() int64 {
	if o.due == never && o.left == 0 {
		return o.last
	}
	return o.length
}
