package measure

import (
	"context"
	"time"

	"queuelab/drivers"
	"queuelab/measure/host"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// Plan is one run to be taken: what is offered, to which target, and what is
// done around it.
type Plan struct {
	Workload *workload.Workload
	Driver   string // "http" or "postgres"
	Options  drivers.Options
	Warmup   time.Duration // of traffic that is thrown away before the run; 0 for none
	CPU      int           // whose speed is timed before and after the run: the server's; -1 for any
	Header   record.Header // what the caller knows; Take adds instants, speeds and the host
	Sinks    []record.Sink
	Started  func(time.Time) // called when the run begins, after the warm-up; may be nil
}

// Take connects, warms up, and takes one run with its header. Its error is
// that of the driver's preflight, or of the workload; failures during the run
// are part of the run.
func Take(ctx context.Context, p Plan) (*record.Run, error) {
	if p.Warmup > 0 {
		warm, err := p.once(ctx, p.Workload.Warmup(p.Warmup), nil)
		if err != nil {
			return nil, err
		}
		if warm.Interrupted {
			return nil, ctx.Err()
		}
	}
	before := host.Speed(p.CPU)
	start := time.Now()
	if p.Started != nil {
		p.Started(start)
	}
	run, err := p.once(ctx, p.Workload, p.Sinks)
	if err != nil {
		return nil, err
	}
	header := p.Header
	header.Start = start.UTC().Format(time.RFC3339Nano)
	header.End = time.Now().UTC().Format(time.RFC3339Nano)
	header.SpeedBefore = record.Milliseconds(before)
	header.SpeedAfter = record.Milliseconds(host.Speed(p.CPU))
	header.Host = host.Facts()
	run.Header = &header
	run.Workload.Warmup = p.Warmup.Seconds()
	return run, nil
}

// once connects a driver of its own and runs a workload.
func (p Plan) once(ctx context.Context, w *workload.Workload, sinks []record.Sink) (*record.Run, error) {
	driver, err := drivers.New(p.Driver, p.Options)
	if err != nil {
		return nil, err
	}
	defer driver.Close()
	if err := driver.Connect(ctx, w.Clients); err != nil {
		return nil, err
	}
	return Run(ctx, w, driver, sinks...)
}
