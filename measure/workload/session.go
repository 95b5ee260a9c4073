package workload

import (
	"math/rand/v2"
	"time"
)

// Session is one visit to a partly open workload (B. Schroeder, A. Wierman and
// M. Harchol-Balter, "Open Versus Closed: A Cautionary Tale", NSDI 2006): it arrives
// whatever the server does, but its later requests wait for the answers to those
// before, as a closed client's do. After each request, however it ended, it goes on
// with the probability 1 - 1/N, so that it has N requests on average, with a
// geometric law.
type Session struct {
	*Client
	lengths *rand.Rand
	goesOn  float64
}

// MaxPerSession bounds the mean number of requests in a session.
const MaxPerSession = 1e9

// InSessions says whether requests come in sessions of more than one on average;
// sessions of one request each are an open workload like any other.
func (w *Workload) InSessions() bool { return w.PerSession > 1 }

// Session returns the draws of session k in the order of arrival. They are its own:
// how many requests it has, and what they carry, depends on no other session and on
// no answer.
func (w *Workload) Session(k int) *Session {
	return &Session{w.Client(k), Stream(w.Seed, "session", k), 1 - 1/w.PerSession}
}

// Next is how long after a request's end the session's next one is due, and false
// when that was the last: the think time, and after a failure the pause of a client
// whose request was not answered.
func (s *Session) Next(answered bool) (time.Duration, bool) {
	if s.lengths.Float64() >= s.goesOn {
		return 0, false
	}
	wait := s.NextThink()
	if !answered {
		wait += FailurePause
	}
	return wait, true
}
