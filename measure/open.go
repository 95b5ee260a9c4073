package measure

import (
	"time"

	"queuelab/measure/workload"
)

// openLoop hands each request to an idle worker at its instant, or to a new
// worker when all wait for answers: the schedule never waits.
type openLoop struct {
	run   *runner
	pacer Pacer
	tasks chan task
}

// task is one request to be sent.
type task struct {
	number  int64
	due     time.Duration
	key     int64
	service time.Duration
}

func newOpenLoop(r *runner) *openLoop {
	return &openLoop{run: r, pacer: newPacer(r.start, r.spinner), tasks: make(chan task)}
}

func (l *openLoop) send() {
	defer l.pacer.Close()
	defer close(l.tasks) // idle workers leave
	refuser := l.run.newSender()
	defer refuser.close()
	draws := l.run.workload.Client(0)
	schedule := l.run.workload.Schedule()
	for number := int64(0); ; number++ {
		due, more := schedule.Next()
		if !more || !l.pacer.Wait(due) {
			return
		}
		if l.run.late(due) {
			refuser.leaveOut(number, due)
			continue
		}
		t := nextTask(number, due, draws)
		if !l.run.admit() {
			refuser.refuse(t)
			continue
		}
		l.run.inFlight.Add(1)
		l.dispatch(t)
	}
}

func nextTask(number int64, due time.Duration, draws *workload.Client) task {
	return task{number: number, due: due, key: draws.NextKey(), service: draws.NextService()}
}

func (l *openLoop) dispatch(t task) {
	select {
	case l.tasks <- t:
	default:
		l.run.working.Add(1)
		go l.work(t)
	}
}

func (l *openLoop) work(t task) {
	defer l.run.working.Done()
	s := l.run.newSender()
	defer s.close()
	for more := true; more; t, more = <-l.tasks {
		s.send(t)
	}
}

func (l *openLoop) halt() { l.pacer.Close() }
