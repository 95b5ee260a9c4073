package measure

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// closedLoop lets N clients each send, wait for the answer, think, and send
// again. A client's first request is due after one think time.
type closedLoop struct {
	run     *runner
	pacers  []Pacer       // one a client
	left    atomic.Int64  // requests that may still be scheduled
	unsent  atomic.Int64  // requests that have not come due yet
	stopped atomic.Bool   // halt was called
	over    chan struct{} // closed when nothing more will be scheduled
	finish  func()        // closes over, once
}

func newClosedLoop(r *runner) *closedLoop {
	l := &closedLoop{run: r, over: make(chan struct{})}
	l.finish = sync.OnceFunc(func() { close(l.over) })
	requests := int64(math.MaxInt64)
	if r.workload.Requests > 0 {
		requests = r.workload.Requests
	}
	l.left.Store(requests)
	l.unsent.Store(requests)
	for i := range r.workload.Clients {
		if i < r.mostTimers {
			l.pacers = append(l.pacers, newPacer(r.start, r.spinner))
		} else {
			l.pacers = append(l.pacers, newCoarsePacer(r.start))
		}
	}
	return l
}

// send lets the clients work until the schedule's end; what is open then is
// left to the drain.
func (l *closedLoop) send() {
	for i, pacer := range l.pacers {
		l.run.working.Add(1)
		go func() {
			defer l.run.working.Done()
			defer pacer.Close()
			l.client(i, pacer)
		}()
	}
	end := make(<-chan time.Time) // never, without a length
	if length := l.run.workload.Length; length > 0 {
		end = time.After(length - l.run.now())
	}
	select {
	case <-end:
	case <-l.over:
	}
}

func (l *closedLoop) client(i int, pacer Pacer) {
	s := l.run.newSender()
	defer s.close()
	draws := l.run.workload.Client(i)
	for due := draws.NextThink(); l.admit(due) && pacer.Wait(due); {
		if l.unsent.Add(-1) == 0 {
			l.finish() // the schedule ends when its last request comes due
		}
		l.run.inFlight.Add(1)
		ended, outcome := s.send(nextTask(0, due, draws))
		due = ended + draws.NextThink()
		if outcome != record.Answered {
			due += workload.FailurePause
		}
	}
}

// admit says whether one more request may be scheduled, and takes its place.
func (l *closedLoop) admit(due time.Duration) bool {
	if length := l.run.workload.Length; length > 0 && due >= length || l.stopped.Load() {
		return false
	}
	return l.left.Add(-1) >= 0
}

func (l *closedLoop) halt() {
	l.stopped.Store(true)
	for _, pacer := range l.pacers {
		pacer.Close()
	}
	l.finish()
}
