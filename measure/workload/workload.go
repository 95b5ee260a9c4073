// Package workload says what is offered: when requests arrive, who waits for
// whom, what each request carries. A workload is written once and executed in
// two worlds, against a real server and against a model of one; the same seed
// gives the same schedule in both.
package workload

import (
	"errors"
	"fmt"
	"math"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/record"
)

// Workload is offered either openly, at a rate whatever the server does, or by
// a closed set of clients that each wait for their answer. Partly open, sessions
// arrive whatever the server does, in which requests wait for one another.
type Workload struct {
	Open     bool
	Rate     float64       // open: requests per second, in sessions or not
	Arrivals Arrivals      // open: of requests, or of sessions; Poisson when empty
	Clients  int           // closed: N
	Think    law.Law       // closed or in sessions: from an answer to the next request; nil for none
	Service  law.Law       // service times that travel with the requests; nil for none
	Length   time.Duration // requests due at or after it are not sent; 0 for no limit
	Requests int64         // at most so many requests; 0 for no limit
	Timeout  time.Duration // of a copy, from its own sending; 0 for none
	Retry    Retry         // further copies of a request that is not answered
	Stall    Stall         // of the server, again and again
	Drain    time.Duration // how long to wait for what is open at the end
	Seed     uint64

	// PerSession makes an open workload partly open: sessions arrive, with so many
	// requests each on average, that wait for one another. 0 and 1 are for requests
	// that arrive one by one.
	PerSession float64
}

// MaxClients bounds a closed workload, so that a slip of the finger is refused
// instead of filling the memory.
const MaxClients = 1_000_000

// DefaultDrain is the larger of 10 s and twice the length, as far as the clock goes.
func DefaultDrain(length time.Duration) time.Duration {
	return max(10*time.Second, 2*min(length, longestDraw/2))
}

// Validate says what makes a workload impossible.
func (w *Workload) Validate() error {
	switch {
	case w.Length < 0 || w.Requests < 0 || w.Timeout < 0 || w.Drain < 0:
		return errors.New("lengths, counts and timeouts must not be below zero")
	case w.outlastsClock():
		return fmt.Errorf("the arrivals of %s go on for more than some 31 years at %.4g requests/s, which the clock does not hold: raise -rate, or give -seconds for less", w.Arrivals.trace.file, w.Rate)
	case max(w.Length, w.Timeout, w.Drain, w.Retry.After) > longestDraw:
		return errors.New("lengths, timeouts and the time to a retry must be at most some 31 years, which the clock holds")
	case w.Length == 0 && w.Requests == 0:
		return errors.New("a workload needs an end: give -seconds, -requests or both")
	case w.Open && !(w.Rate > 0 && !math.IsInf(w.Rate, 0)):
		return fmt.Errorf("the rate is %g: an open workload needs -rate with requests per second above zero", w.Rate)
	case w.Open && w.Rate > 1e9:
		return fmt.Errorf("the rate is %g: more than one request per nanosecond cannot be scheduled", w.Rate)
	case w.Open && w.Clients != 0:
		return errors.New("an open workload has no clients: leave -clients out, or use -closed")
	case w.Open && w.Think != nil && w.PerSession == 0:
		return errors.New("an open workload has no think time: leave -think out, or use -closed, or give -session for a think time inside sessions")
	case !w.Open && w.PerSession != 0:
		return errors.New("a closed workload has no sessions: leave -session out, or use -open")
	case w.PerSession != 0 && !(w.PerSession >= 1 && w.PerSession <= MaxPerSession):
		return fmt.Errorf("sessions of %g requests on average: give -session a number from 1 to %g", w.PerSession, MaxPerSession)
	case !w.Open && w.Clients < 1:
		return fmt.Errorf("%d clients: a closed workload needs -clients of at least 1", w.Clients)
	case w.Clients > MaxClients:
		return fmt.Errorf("%d clients: a closed workload has at most %d", w.Clients, MaxClients)
	case !w.Open && w.Rate != 0:
		return errors.New("a closed workload has no rate: leave -rate out, or use -open")
	case !w.Open && w.Arrivals != Arrivals{}:
		return errors.New("a closed workload has no arrival law: leave -even and -arrivals out, or use -open")
	}
	return errors.Join(w.Retry.validate(), w.Stall.validate(), w.validateFirstStall())
}

// validateFirstStall refuses a stall that could not happen in the run, which would
// be recorded as if it had.
func (w *Workload) validateFirstStall() error {
	if first := w.Stall.Begin(0); w.Stall.Any() && w.Length > 0 && first >= w.Length {
		return fmt.Errorf("the first stall begins %v into the run, after its schedule of %v: make the run longer, or the stall's period shorter", first, w.Length)
	}
	return nil
}

// Describe is the workload in the spelling of the command line.
func (w *Workload) Describe() record.Workload {
	d := record.Workload{
		Loop:     "closed",
		Rate:     w.Rate,
		Clients:  w.Clients,
		Seconds:  w.Length.Seconds(),
		Requests: w.Requests,
		Timeout:  w.Timeout.Seconds(),
		Drain:    w.Drain.Seconds(),
		Retry:    w.Retry.After.Seconds(),
		Copies:   w.Retry.Copies,
		Stall:    w.Stall.String(),
	}
	if w.Open {
		d.Loop = "open"
		d.Arrivals = w.Arrivals.String()
		d.Session = w.PerSession
		if w.Arrivals.Recorded() {
			d.ArrivalsSHA256 = w.Arrivals.trace.sha256
		}
	}
	if w.Think != nil {
		d.Think = w.Think.String()
	}
	if w.Service != nil {
		d.Service = w.Service.String()
	}
	return d
}

// Warmup is the same workload for a warm-up of the given length: it has a seed
// stream of its own, so that the recorded run sends other requests, and no
// stall, which counts from the start of the recorded run.
func (w *Workload) Warmup(length time.Duration) *Workload {
	warm := *w
	warm.Length, warm.Requests, warm.Stall = length, 0, Stall{}
	warm.Seed = Stream(w.Seed, "warm-up", 0).Uint64()
	return &warm
}
