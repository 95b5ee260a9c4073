package workload

import (
	"math"
	"math/rand/v2"
	"time"

	"queuelab/measure/law"
)

// Schedule is the sequence of instants at which an open workload's requests
// are due. It is absolute and depends on the seed alone: it never waits for an
// answer and is never moved.
type Schedule struct {
	gaps   law.Law
	draws  *rand.Rand
	end    time.Duration // requests due at or after it are not sent
	left   int64         // requests still to come
	next   float64       // ns since the run began; a float keeps fractions, so that gaps do not drift
}

// Schedule returns the schedule of an open workload from its beginning.
func (w *Workload) Schedule() *Schedule {
	s := &Schedule{
		gaps:  w.Gaps(),
		draws: Stream(w.Seed, "arrivals", 0),
		end:   w.Length,
		left:  w.Requests,
	}
	if s.end == 0 {
		s.end = math.MaxInt64
	}
	if s.left == 0 {
		s.left = math.MaxInt64
	}
	return s
}

// Next returns the next instant, and false after the last one. The first
// request is due at 0.
func (s *Schedule) Next() (time.Duration, bool) {
	due := time.Duration(math.Round(s.next))
	if s.left == 0 || due >= s.end {
		return 0, false
	}
	s.left--
	s.next += s.gaps.Draw(s.draws) * 1e9
	return due, true
}
