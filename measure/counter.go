package measure

import (
	"context"
	"strings"
	"time"

	"queuelab/measure/record"
)

// Counter is a server's own count of the requests that it has taken.
type Counter interface {
	// Source names what counts, such as "nginx stub_status".
	Source() string
	// Begin notes the count before the first connection is opened.
	Begin(ctx context.Context) error
	// End returns how many requests the server has counted since Begin. It is called
	// when every connection has been closed again; opened is how many there were,
	// for a server that counts those as well.
	End(ctx context.Context, opened int64) (int64, error)
}

// tallyBound is how long a server may take to tell its count: an ornament of the run.
const tallyBound = 10 * time.Second

// beginBound is the same before the run, where a server that does not answer is then
// waited for again, by the driver.
const beginBound = 3 * time.Second

// tally is a server's count of a run's requests under way.
type tally struct {
	counter Counter // nil when the server keeps none
	failed  error   // of its beginning
}

func beginTally(ctx context.Context, counter Counter) tally {
	if counter == nil {
		return tally{}
	}
	ctx, cancel := context.WithTimeout(ctx, beginBound)
	defer cancel()
	return tally{counter, counter.Begin(ctx)}
}

// end compares the server's count with what was sent: the runs, of which any may be
// nil. It also tells of a run that ctx has ended.
func (t tally) end(ctx context.Context, opened int64, runs ...*record.Run) *record.ServerCount {
	if t.counter == nil {
		return nil
	}
	out := &record.ServerCount{Source: t.counter.Source()}
	for _, run := range runs {
		if run != nil {
			out.Least += served(run)
			out.Most += run.Requests.Copies
		}
	}
	err := t.failed
	if err == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tallyBound)
		defer cancel()
		out.Counted, err = t.counter.End(ctx, opened)
	}
	if err != nil {
		out.Error = err.Error()
	}
	return out
}

// served counts the requests of a run that its server has answered, with an error
// too.
func served(run *record.Run) int64 {
	n := run.Requests.Answered
	for class, failed := range run.Failures {
		// A PostgreSQL server that takes no connection has had no request.
		refused := strings.HasPrefix(class, "sqlstate_53") || strings.HasPrefix(class, "sqlstate_57P")
		if strings.HasPrefix(class, "status_") || strings.HasPrefix(class, "sqlstate_") && !refused {
			n += failed
		}
	}
	return n
}
