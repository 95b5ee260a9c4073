package workload

import (
	"math"
	"math/rand/v2"
	"time"

	"queuelab/measure/law"
)

// Schedule is the sequence of instants at which an open workload's requests, or
// the first requests of its sessions, are due. It is absolute and depends on the
// seed and on what was recorded alone: it never waits for an answer and is never
// moved.
type Schedule struct {
	gaps  law.Law // nil for recorded instants
	draws *rand.Rand
	rate  float64         // of even arrivals, 0 for others
	trace []time.Duration // recorded instants; nil for others
	scale float64         // of recorded instants
	end   time.Duration   // requests due at or after it are not sent
	left  int64           // requests still to come
	given int64           // requests handed out
	next  float64         // ns since the run began; a float keeps the fractions of gaps
}

// Schedule returns the schedule of an open workload from its beginning.
func (w *Workload) Schedule() *Schedule {
	rate := w.arrivalRate()
	s := &Schedule{
		gaps:  w.Arrivals.gaps(1 / rate),
		draws: Stream(w.Seed, "arrivals", 0),
		end:   w.Length,
		left:  math.MaxInt64,
	}
	if s.end == 0 {
		s.end = math.MaxInt64
	}
	if w.Requests > 0 {
		s.left = w.Requests
	}
	switch {
	case w.Arrivals == Even:
		s.rate = rate
	case w.Arrivals.Recorded():
		s.trace, s.scale = w.Arrivals.trace.instants, w.stretch()
		s.left = min(s.left, int64(len(s.trace)))
	}
	return s
}

// arrivalRate is how many arrivals there are a second, of requests or of sessions.
func (w *Workload) arrivalRate() float64 {
	if w.InSessions() {
		return w.Rate / w.PerSession
	}
	return w.Rate
}

// stretch is by how much recorded gaps are lengthened so that they have the
// workload's rate.
func (w *Workload) stretch() float64 { return w.Arrivals.Rate() / w.arrivalRate() }

// SetRecorded gives an open workload what it leaves to its recorded arrivals: the
// rate, if it has none, and the length that they go on for at its rate if it has no
// end. That is a mean gap beyond the last arrival, so that it holds them all, and
// their number over it is their rate.
func (w *Workload) SetRecorded() {
	if w.Rate == 0 {
		w.Rate = w.Arrivals.Rate()
		if w.InSessions() {
			w.Rate *= w.PerSession
		}
	}
	if w.Length == 0 && w.Requests == 0 {
		w.Length = max(Nanoseconds(w.recordedLength()), 1)
	}
}

// recordedLength is how long recorded arrivals go on at the workload's rate, in
// seconds: a mean gap beyond the last one.
func (w *Workload) recordedLength() float64 {
	instants := w.Arrivals.trace.instants
	return instants[len(instants)-1].Seconds()*w.stretch() + 1/w.arrivalRate()
}

// outlastsClock says whether a workload goes on for as long as its recorded arrivals
// and these for longer than the clock.
func (w *Workload) outlastsClock() bool {
	return w.Arrivals.Recorded() && w.Rate > 0 && w.Length >= longestDraw && w.recordedLength()*1e9 > longestDraw
}

// AtMost is how many requests a workload has at the most, math.MaxInt64 where
// nothing but its length bounds them.
func (w *Workload) AtMost() int64 {
	most := int64(math.MaxInt64)
	if w.Requests > 0 {
		most = w.Requests
	}
	if w.Arrivals.Recorded() && !w.InSessions() {
		most = min(most, int64(len(w.Arrivals.trace.instants)))
	}
	return most
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
	if s.left > 0 {
		s.advance()
	}
	return due, true
}

// advance moves on to the next instant.
func (s *Schedule) advance() {
	switch {
	case s.trace != nil:
		s.next = float64(s.trace[s.given]) * s.scale
	case s.rate > 0:
		// A sum of equal gaps would add up its roundings and drift.
		s.next = float64(s.given) / s.rate * 1e9
	default:
		s.next += s.gaps.Draw(s.draws) * 1e9
	}
}
