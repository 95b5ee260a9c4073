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
	gaps  law.Law
	draws *rand.Rand
	rate  float64       // of even arrivals, 0 for others
	end   time.Duration // requests due at or after it are not sent
	left  int64         // requests still to come
	given int64         // requests handed out
	next  float64       // ns since the run began; a float keeps the fractions of gaps
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
	if w.arrivals() == Even {
		s.rate = w.Rate
	}
	return s
}

// Next returns the next instant, and false after the last one. The first
// request is due at 0. A schedule also ends where the clock would, after some
// 31 years.
func (s *Schedule) Next() (time.Duration, bool) {
	if s.left == 0 || s.next >= longestDraw {
		return 0, false
	}
	due := time.Duration(math.Round(s.next))
	if due >= s.end {
		return 0, false
	}
	s.left--
	s.given++
	if s.rate > 0 {
		// A sum of equal gaps would add up its roundings and drift.
		s.next = float64(s.given) / s.rate * 1e9
	} else {
		s.next += s.gaps.Draw(s.draws) * 1e9
	}
	return due, true
}
