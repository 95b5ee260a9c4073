package measure

import (
	"time"

	"queuelab/measure/host"
	"queuelab/measure/record"
)

// account completes a run with what the generator did and what that cost, since an
// earlier look at its CPU time.
func (r *runner) account(run *record.Run, before host.Usage, interrupted bool) {
	run.Generator = generator(before, r.now(), r.spinner.Spun())
	run.Sending = r.watch.Sending(r.scheduleEnd(interrupted))
	if run.Sending != nil {
		run.Sending.Capped, run.Sending.MostInFlight = r.capped.Load(), r.mostInFlight
	}
}

// scheduleEnd is the instant by which every request of an open schedule should have
// been sent: a mean gap after the last one was due, or that of an interruption.
func (r *runner) scheduleEnd(interrupted bool) time.Duration {
	if interrupted {
		return r.over
	}
	return r.lastDue + time.Duration(float64(time.Second)/max(r.workload.Rate, 1e-9))
}
