package measure

import (
	"time"

	"queuelab/measure/workload"
)

// late says whether the drain is over before a request could be sent that was due:
// the rate is more than this generator can send. What is open is given up then, and
// the rest of the schedule is only counted, so that sending ends with the drain however
// high the rate.
func (r *runner) late(due time.Duration) bool {
	if r.ending.Load() {
		return true
	}
	end := r.workload.Length
	if end == 0 {
		if r.workload.InSessions() {
			return false // they end when all requests were sent, whenever that is
		}
		end = max(due, workload.Nanoseconds(float64(r.workload.Requests)/r.workload.Rate))
	}
	if r.now() <= end+r.workload.Drain {
		return false
	}
	r.giveUp()
	return true
}

// giveUp ends what is open, at the drain's end.
func (r *runner) giveUp() {
	r.connections = r.driver.Connections() // Abort closes those that are established
	r.ending.Store(true)
	r.driver.Abort()
}

// leaveOut records a request that is late, at the least cost: there may be millions.
func (s *sender) leaveOut(number int64, due time.Duration) {
	s.keep(s.run.unsent(task{number: number, due: due}))
}

// drainLeft is how long the drain may still take when nothing more is scheduled. It
// counts from the schedule's end, after which requests may have been sent late.
func (r *runner) drainLeft() time.Duration {
	if r.workload.Length == 0 {
		return r.workload.Drain
	}
	return max(r.workload.Drain-max(r.over-r.workload.Length, 0), 0)
}
