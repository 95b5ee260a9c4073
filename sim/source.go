package sim

import (
	"queuelab/measure/workload"
)

// source says when requests are due. Instants are in nanoseconds.
type source interface {
	// next is the instant of the next request; never when none is to come
	// without a further answer.
	next() int64
	// take is that request: who sends it, a client or a session, and how much service it needs.
	take() (client int32, service int64)
	// ended tells that a request of a client, or of a session, has ended.
	ended(client int32, now int64, answered bool)
	// end is the instant at which the schedule ends, from which the drain
	// counts; never while that is not known.
	end() int64
}

func newSource(w *workload.Workload) source {
	switch {
	case w.InSessions():
		return newSessions(w)
	case w.Open:
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
