package measure

import (
	"time"

	"queuelab/drivers"
	"queuelab/measure/record"
)

// returned is a copy of a request that came back.
type returned struct {
	at     time.Duration
	answer drivers.Answer
}

// tradeCopies sends a request, and again whenever the retry's delay has passed
// without an answer. The first copy that comes back ends the request; the others
// run on. Each copy has a goroutine of its own, since a client does not wait for
// those that lost.
func (s *sender) tradeCopies(t task) record.Request {
	r := s.run
	most := r.workload.MostCopies()
	back := make(chan returned, most) // room for all: a copy that lost waits for nobody
	sent := r.now()
	r.sendCopy(r.copyOf(t, sent), back)
	copies := 1
	defer func() { r.places.Add(int64(copies - most)) }() // of the copies that are not needed
	for ; copies < most; copies++ {
		later := time.Duration(copies) * r.workload.Retry.After
		if first, came := s.await(back, sent+later); came {
			return r.ended(t, sent, first, copies)
		}
		if r.ending.Load() {
			break // it is being given up
		}
		r.sendCopy(r.copyOf(t, r.now()), back)
	}
	return r.ended(t, sent, <-back, copies)
}

// await returns the first copy that comes back, or false when none has come by
// the given instant.
func (s *sender) await(back <-chan returned, until time.Duration) (first returned, came bool) {
	wait := until - s.run.now()
	if s.timer == nil {
		s.timer = time.NewTimer(wait)
	} else {
		s.timer.Reset(wait)
	}
	select {
	case first = <-back:
		s.timer.Stop()
		return first, true
	case <-s.timer.C:
	}
	select { // an answer that came while the timer was late counts
	case first = <-back:
		return first, true
	default:
		return returned{}, false
	}
}

// sendCopy sends one copy and does not wait for it.
func (r *runner) sendCopy(request drivers.Request, back chan<- returned) {
	r.copies.Add(1)
	go func() {
		defer r.copies.Done()
		answer := r.driver.Do(&request)
		r.places.Add(-1)
		back <- returned{r.now(), answer}
	}()
}
