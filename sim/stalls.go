package sim

import "queuelab/measure/workload"

// stalls are the instants at which the station stops and goes on again.
type stalls struct {
	at       int64 // of the next change; never without stalls
	standing bool
	kind     workload.StallKind
	work     int64 // ns from the end of a stall to the next
	length   int64 // ns
}

func newStalls(s workload.Stall) stalls {
	if !s.Any() {
		return stalls{at: never}
	}
	return stalls{at: int64(s.Begin(0)), kind: s.Kind, work: int64(s.Period - s.Length), length: int64(s.Length)}
}

// change makes the station stop or go on.
func (s *stalls) change(station discipline) {
	if s.standing {
		station.resume(s.at)
		s.at = after(s.at, s.work)
	} else {
		station.stall(s.at, s.kind)
		s.at = after(s.at, s.length)
	}
	s.standing = !s.standing
}
