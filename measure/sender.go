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
// is full nothing allocates per request.
type sender struct {
	run     *runner
	request drivers.Request
	batch   []record.Request // grows with what it holds until the first hand-over
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

// send sends one request that was due at the given instant and returns the
// instant and the outcome of its end.
func (s *sender) send(due time.Duration, key int64, service time.Duration) (time.Duration, record.Outcome) {
	r := s.run
	if r.ending.Load() {
		return s.end(record.Request{Scheduled: due, Ended: r.now(), Outcome: record.Unsent})
	}
	sent := r.now()
	s.request = drivers.Request{Key: key, Service: service}
	if timeout := r.workload.Timeout; timeout > 0 {
		s.request.Deadline = r.start.Add(sent + timeout)
	}
	answer := r.driver.Do(&s.request)
	done := record.Request{
		Scheduled: due,
		Sent:      sent,
		Ended:     r.now(),
		Pool:      answer.Pool,
		Copies:    1,
	}
	switch {
	case answer.Class == "" && !answer.TimedOut:
		done.Outcome = record.Answered
	case r.ending.Load():
		done.Outcome = record.Unfinished
	case answer.TimedOut:
		done.Outcome = record.TimedOut
	default:
		done.Outcome, done.Class = record.Failed, answer.Class
	}
	return s.end(done)
}

func (s *sender) end(done record.Request) (time.Duration, record.Outcome) {
	s.run.inFlight.Add(-1)
	s.batch = append(s.batch, done)
	if len(s.batch) == batchSize {
		s.run.finished <- s.batch
		s.batch = s.run.emptyBatch()
	}
	return done.Ended, done.Outcome
}

// close hands over what is left.
func (s *sender) close() {
	if len(s.batch) > 0 {
		s.run.finished <- s.batch
	}
	s.batch = nil
}
