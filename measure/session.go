package measure

import (
	"sync"
	"sync/atomic"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// sessionLoop lets sessions arrive at the instants of an open schedule, whatever the
// server does, and each of them send, wait for the answer, think, and send again.
type sessionLoop struct {
	run      *runner
	pacer    Pacer // of the sessions' arrivals
	idle     chan *visit
	thinking *thinking
	left     atomic.Int64  // requests that may still come due
	alive    atomic.Int64  // sessions that are not over, and one as long as more may arrive
	stopped  atomic.Bool   // halt was called
	over     chan struct{} // closed when nothing more will be scheduled
	finish   func()        // closes over, once
}

// visit is a session and its next request.
type visit struct {
	task
	session *workload.Session
}

func newSessionLoop(r *runner) *sessionLoop {
	l := &sessionLoop{
		run: r, pacer: newPacer(r.start, r.spinner), thinking: newThinking(r.start, r.spinner),
		idle: make(chan *visit), over: make(chan struct{}),
	}
	l.finish = sync.OnceFunc(func() {
		close(l.over)
		l.pacer.Close()
	})
	l.left.Store(r.workload.AtMost())
	l.alive.Store(1)
	return l
}

// send lets sessions arrive and go on until the schedule's end; what is open then is
// left to the drain.
func (l *sessionLoop) send() {
	var resuming sync.WaitGroup
	resuming.Go(l.resume)
	l.arrive()
	l.leave()
	end := make(<-chan time.Time) // never, without a length
	if length := l.run.workload.Length; length > 0 {
		end = time.After(length - l.run.now())
	}
	select {
	case <-end:
	case <-l.over:
	}
	l.thinking.close()
	resuming.Wait()
	close(l.idle) // idle workers leave
}

// arrive sends the sessions' first requests.
func (l *sessionLoop) arrive() {
	defer l.pacer.Close()
	s := l.run.newSender()
	defer s.close()
	schedule := l.run.workload.Schedule()
	for k := 0; ; k++ {
		due, more := schedule.Next()
		if !more || !l.pacer.Wait(due) {
			return
		}
		if l.run.late(due) {
			if !l.take() {
				return
			}
			s.leaveOut(0, due)
			continue
		}
		session := l.run.workload.Session(k)
		l.alive.Add(1)
		l.dispatch(&visit{nextTask(0, due, session.Client), session}, s)
	}
}

// resume sends the requests of sessions that have thought.
func (l *sessionLoop) resume() {
	s := l.run.newSender()
	defer s.close()
	for v, more := l.thinking.next(); more; v, more = l.thinking.next() {
		l.dispatch(v, s)
	}
}

// dispatch hands a request that is due to an idle worker, or to a new one when all
// wait for answers; s records it if it may not be sent.
func (l *sessionLoop) dispatch(v *visit, s *sender) {
	if !l.admit(v, s) {
		return
	}
	select {
	case l.idle <- v:
	default:
		l.run.working.Add(1)
		go l.work(v)
	}
}

func (l *sessionLoop) work(v *visit) {
	defer l.run.working.Done()
	s := l.run.newSender()
	defer s.close()
	for more := true; more; v, more = <-l.idle {
		for again := true; again; {
			ended, outcome := s.send(v.task)
			// What is due at once needs nobody who waits for its instant.
			if again = l.plan(v, ended, outcome == record.Answered); again {
				if again = v.due <= l.run.now(); again {
					again = l.admit(v, s)
				} else {
					l.think(v)
				}
			}
		}
	}
}

// plan says when the session's next request is due; false when the session is over,
// or the schedule before that instant.
func (l *sessionLoop) plan(v *visit, ended time.Duration, answered bool) bool {
	wait, more := v.session.Next(answered)
	due := ended + wait
	if length := l.run.workload.Length; !more || length > 0 && due >= length {
		l.leave()
		return false
	}
	v.task = nextTask(0, due, v.session.Client)
	return true
}

// think keeps a session until its next request is due.
func (l *sessionLoop) think(v *visit) {
	if !l.thinking.push(v) {
		l.leave()
	}
}

// admit says whether a request that is due may be sent, and takes its place. One that
// may not, since too many are in flight, is recorded as unsent, and its session goes
// on as after a failure.
func (l *sessionLoop) admit(v *visit, s *sender) bool {
	if !l.take() {
		l.leave()
		return false
	}
	if l.run.admit() {
		l.run.inFlight.Add(1)
		return true
	}
	s.refuse(v.task)
	if l.plan(v, l.run.now(), false) {
		l.think(v)
	}
	return false
}

// take counts a request that comes due; false when the schedule is over. It ends
// when its last request comes due.
func (l *sessionLoop) take() bool {
	if l.stopped.Load() {
		return false
	}
	left := l.left.Add(-1)
	if left == 0 {
		l.finish()
	}
	return left >= 0
}

// leave notes that a session is over, or that no more will arrive.
func (l *sessionLoop) leave() {
	if l.alive.Add(-1) == 0 {
		l.finish()
	}
}

func (l *sessionLoop) halt() {
	l.stopped.Store(true)
	l.thinking.close()
	l.finish()
}
