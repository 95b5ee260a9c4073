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
