package measure

import (
	"context"

	"queuelab/drivers"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// RunStalled is Run with a staller, for tests that bring a driver of their own.
func RunStalled(ctx context.Context, w *workload.Workload, driver drivers.Driver, staller Staller) (*record.Run, error) {
	r := newRunner(w, driver, staller, nil)
	defer r.settle(ctx)
	return r.measure(ctx)
}
