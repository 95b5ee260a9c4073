package measure

import (
	"context"

	"queuelab/drivers"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// Run is the run of Take alone, for tests that bring a driver of their own, already
// connected; staller is nil for a workload without stalls.
func Run(ctx context.Context, w *workload.Workload, driver drivers.Driver, staller Staller, sinks ...record.Sink) (*record.Run, error) {
	if err := check(w, staller); err != nil {
		return nil, err
	}
	r := newRunner(w, driver, staller, sinks)
	defer r.settle(ctx)
	return r.measure(ctx)
}

// RunCapped is Run with so many requests in flight at most; it returns too how many
// were not sent for that reason.
func RunCapped(ctx context.Context, w *workload.Workload, driver drivers.Driver, most int64, sinks ...record.Sink) (run *record.Run, capped int64, err error) {
	r := newRunner(w, driver, nil, sinks)
	r.mostInFlight = most
	defer r.settle(ctx)
	run, err = r.measure(ctx)
	return run, r.capped.Load(), err
}

// RunTimed is Run with so many closed clients that have a timer.
func RunTimed(ctx context.Context, w *workload.Workload, driver drivers.Driver, timers int, sinks ...record.Sink) (*record.Run, error) {
	r := newRunner(w, driver, nil, sinks)
	r.mostTimers = timers
	defer r.settle(ctx)
	return r.measure(ctx)
}
