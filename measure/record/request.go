package record

import (
	"fmt"
	"time"
)

// Outcome says how a request ended; every scheduled request has exactly one.
type Outcome uint8

const (
	Answered   Outcome = iota // the first answer of any copy was read whole
	Failed                    // an error ended it; Request.Class says which
	TimedOut                  // the first copy's timeout expired
	Unfinished                // still open when the drain ended
	Unsent                    // scheduled but never handed to the driver
	outcomes                  // how many there are
)

var outcomeNames = [outcomes]string{"answered", "failed", "timed_out", "unfinished", "unsent"}

// String is the outcome's name in files and tables.
func (o Outcome) String() string {
	if o < outcomes {
		return outcomeNames[o]
	}
	return fmt.Sprintf("outcome(%d)", uint8(o))
}

// ParseOutcome is the inverse of Outcome.String.
func ParseOutcome(name string) (Outcome, error) {
	for i, n := range outcomeNames {
		if n == name {
			return Outcome(i), nil
		}
	}
	return 0, fmt.Errorf("%q is not an outcome: use one of %v", name, outcomeNames)
}

// Request is what happened to one request. Instants are nanoseconds since the
// run began, on one monotonic clock.
type Request struct {
	Number    int64         // its place in an open schedule, from 0; 0 in a closed one
	Scheduled time.Duration // when it was due
	Sent      time.Duration // when its first copy was handed to the driver
	Ended     time.Duration // when it was answered, failed, timed out, or given up at the end of the drain
	Pool      time.Duration // spent waiting for a pooled connection; part of latency
	Wait      time.Duration // waiting time in queue; known to a model only
	Service   time.Duration // service time; known to a model only
	Class     string        // failure class such as "refused" or "status_503"; "" unless Failed
	Outcome   Outcome
	Copies    uint8 // copies sent, the first included
}

// Latency is the time from the schedule to the end: coordinated omission
// cannot hide in it.
func (r *Request) Latency() time.Duration { return r.Ended - r.Scheduled }

// Lag is how late the generator sent it: the generator's own fault.
func (r *Request) Lag() time.Duration { return r.Sent - r.Scheduled }

// ClientSeen is the time from sending to the end.
func (r *Request) ClientSeen() time.Duration { return r.Ended - r.Sent }

// inSystem is how long it was in the system: the generator's lag is no part of
// that, since nobody in the system could have seen it. One that was never sent was
// not there.
func (r *Request) inSystem() time.Duration {
	if r.Outcome == Unsent {
		return 0
	}
	return r.ClientSeen()
}
