package measure

import (
	"time"

	"queuelab/drivers"
	"queuelab/measure/record"
)

// batchSize is how many finished requests a sender keeps before it hands them
// to the collector: large enough that the hand-over costs nothing.
const batchSize = 64

// sender sends requests one after another and keeps what happened to them.
// It serves one goroutine; nothing in it locks or prints, and once its first batch
// is full nothing allocates per request, unless requests may be sent again.
type sender struct {
	run     *runner
	request drivers.Request
	batch   []record.Request // grows with what it holds until the first hand-over
	timer   *time.Timer      // of the next copy; nil until a request is sent that may have one
}

// newSender returns a sender without room for a batch: under overload thousands
// of them wait for their one answer.
func (r *runner) newSender() *sender { return &sender{run: r} }

// emptyBatch is room for a sender that has filled a batch and will fill more.
func (r *runner) emptyBatch() []record.Request {
	if spare, ok := r.spare.Get().(*[]record.Request); ok {
		return *spare
	}
	return make([]record.Request, 0, batchSize)
}

// send sends one request and returns the instant and the outcome of its end.
func (s *sender) send(t task) (time.Duration, record.Outcome) {
	r := s.run
	if r.ending.Load() {
		return s.end(r.unsent(t))
	}
	if r.workload.MostCopies() > 1 {
		return s.end(s.tradeCopies(t))
	}
	sent := r.now()
	s.request = r.copyOf(t, sent)
	answer := r.driver.Do(&s.request)
	return s.end(r.ended(t, sent, returned{r.now(), answer}, 1))
}

// copyOf is one copy of a request, sent at the given instant.
func (r *runner) copyOf(t task, sent time.Duration) drivers.Request {
	request := drivers.Request{Key: t.key, Service: t.service}
	if timeout := r.workload.Timeout; timeout > 0 {
		request.Deadline = r.start.Add(sent + timeout)
	}
	return request
}

// ended is the record of a request that the first copy to come back has ended.
func (r *runner) ended(t task, sent time.Duration, first returned, copies int) record.Request {
	done := record.Request{
		Number:    t.number,
		Scheduled: t.due,
		Sent:      sent,
		Ended:     first.at,
		Pool:      first.answer.Pool,
		Copies:    uint8(copies),
	}
	switch {
	case first.answer.Class == "" && !first.answer.TimedOut:
		done.Outcome = record.Answered
	case r.ending.Load():
		done.Outcome = record.Unfinished
	case first.answer.TimedOut:
		done.Outcome = record.TimedOut
	default:
		done.Outcome, done.Class = record.Failed, first.answer.Class
	}
	return done
}

func (s *sender) end(done record.Request) (time.Duration, record.Outcome) {
	s.run.inFlight.Add(-1)
	s.keep(done)
	return done.Ended, done.Outcome
}

// keep puts a record into the batch, which is handed over when it is full.
func (s *sender) keep(done record.Request) {
	s.batch = append(s.batch, done)
	if len(s.batch) == batchSize {
		s.run.finished <- s.batch
		s.batch = s.run.emptyBatch()
	}
}

// close hands over what is left.
func (s *sender) close() {
	if len(s.batch) > 0 {
		s.run.finished <- s.batch
	}
	s.batch = nil
}
