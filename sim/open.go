package sim

import (
	"queuelab/measure/workload"
)

// ahead is how many requests an open source draws at a time: since the schedule
// never waits, it can be known ahead, and drawing many in one go is faster than
// one between other things.
const ahead = 64

// open is the source of an open workload: its schedule never waits.
type open struct {
	schedule *workload.Schedule
	draws    *workload.Client
	drawn    [ahead]request
	first, n int   // those of drawn that are still to come
	last     int64 // instant of the request before
	length   int64
	left     int64 // requests that may still be taken
}

// request is one that is due at an instant and needs so much service.
type request struct{ due, service int64 }

func newOpen(w *workload.Workload) *open {
	o := &open{schedule: w.Schedule(), draws: w.Client(0), length: limit(int64(w.Length)), left: w.AtMost()}
	o.draw()
	return o
}

func (o *open) draw() {
	o.first, o.n = 0, 0
	for o.n < ahead {
		due, more := o.schedule.Next()
		if !more {
			return
		}
		o.drawn[o.n] = request{int64(due), int64(o.draws.NextService())}
		o.n++
	}
}

func (o *open) next() int64 {
	if o.first == o.n {
		return never
	}
	return o.drawn[o.first].due
}

func (o *open) take() (int32, int64) {
	r := o.drawn[o.first]
	o.last = r.due
	o.left--
	if o.first++; o.first == ahead {
		o.draw()
	}
	return 0, r.service
}

func (o *open) ended(int32, int64, bool) {}

func (o *open) end() int64 {
	if o.left == 0 {
		return o.last
	}
	return o.length
}
