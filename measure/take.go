package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"queuelab/drivers"
	"queuelab/measure/host"
	"queuelab/measure/record"
	"queuelab/measure/validity"
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
	Counter  Counter         // the server's own count of its requests; nil when it keeps none
	Staller  Staller         // stalls the server when the workload says so; nil when it does not
	NoSpin   bool            // sleep until each instant, some 0.1 ms too long, instead of waiting awake for the last moments
	Started  func(time.Time) // called when the run begins, after the warm-up; may be nil
}

// Take connects, warms up on the same connections, and takes one run with its
// header. The run's connection counts hold what was opened beforehand and what
// happened during the run; what the warm-up's traffic opened, lost or reopened is
// left out, and established is what is open at the run's end, whoever opened it.
//
// Every scheduled request is accounted for. When ctx ends first, the schedule stops,
// what is open counts as unfinished, and the run is marked as interrupted. Copies of
// requests that another copy has ended are no part of the run, but are waited for,
// at most as long as the drain.
//
// Take's error is that of the driver's preflight, of the workload, or of a warm-up
// that could not be drained; failures during the run are part of the run. Only when
// the server could not be stalled, or not be resumed, is there both an error and a
// run, which ended there and is marked as interrupted.
func Take(ctx context.Context, p Plan) (*record.Run, error) {
	if err := check(p.Workload, p.Staller); err != nil {
		return nil, err
	}
	driver, err := drivers.New(p.Driver, p.Options)
	if err != nil {
		return nil, err
	}
	defer driver.Close()
	if err := p.checkFiles(); err != nil {
		return nil, err
	}
	tally := beginTally(ctx, p.Counter)
	if err := driver.Connect(ctx, p.Workload.Clients); err != nil {
		return nil, unbegun(ctx, err)
	}
	connected := driver.Connections()
	warm, err := p.warmUp(ctx, driver)
	if err != nil {
		return nil, unbegun(ctx, err)
	}
	r, run, failed := p.take(ctx, driver)
	leaveOut(run.Connections, connectionCounts(connected), connectionCounts(warm.connections))
	opened := driver.Connections().Opened
	driver.Close() // what a server counts is whole when nobody is connected
	run.ServerCount = tally.end(ctx, opened, warm.run, run)
	run.Validity = validity.Judge(run, r.watch)
	return run, failed
}

// errUnbegun is what an interruption before the run leaves to tell.
var errUnbegun = errors.New("the run had not begun, so that there is nothing to keep")

// unbegun is the error of what comes before the run. When ctx has ended, that is what
// failed, and no fault of the server.
func unbegun(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errUnbegun
	}
	return err
}

// take takes the run on a driver that is connected and warm, with its header.
func (p Plan) take(ctx context.Context, driver drivers.Driver) (*runner, *record.Run, error) {
	before, stolen := host.Speed(p.CPU), host.Stolen()
	// They take some 10 ms, which the run's clock is not to count.
	most, timers := p.mostInFlight(driver), p.mostTimers(driver)
	start := time.Now()
	if p.Started != nil {
		p.Started(start)
	}
	r := newRunner(p.Workload, driver, p.Staller, p.Sinks)
	r.mostInFlight, r.mostTimers, r.noSpin = most, timers, p.NoSpin
	run, failed := r.measure(ctx)
	end := time.Now()
	r.settle(ctx)
	header := p.Header
	header.Start = start.UTC().Format(time.RFC3339Nano)
	header.End = end.UTC().Format(time.RFC3339Nano)
	header.SpeedBefore = record.Milliseconds(before)
	header.SpeedAfter = record.Milliseconds(host.Speed(p.CPU))
	header.Steal = stolen.Since()
	header.Host = host.Facts()
	run.Header = &header
	run.Workload.Warmup = p.Warmup.Seconds()
	return r, run, failed
}

// leaveOut takes what happened to connections between two counts out of a run's.
func leaveOut(counts, from, to map[string]int64) {
	for what := range counts {
		if what != "established" { // a level, not a count of events
			counts[what] -= to[what] - from[what]
		}
	}
}

// WarmUp connects and sends only the plan's warm-up, before a trial whose runs
// connect for themselves. It returns the TCP address of the target, "" for a Unix
// socket, and how many connections the warm-up opened.
func WarmUp(ctx context.Context, p Plan) (remote string, opened int64, err error) {
	driver, err := drivers.New(p.Driver, p.Options)
	if err != nil {
		return "", 0, err
	}
	defer driver.Close()
	if err := p.checkFiles(); err != nil {
		return "", 0, err
	}
	if err := driver.Connect(ctx, p.Workload.Clients); err != nil {
		return "", 0, unbegun(ctx, err)
	}
	_, err = p.warmUp(ctx, driver)
	return driver.Remote(), driver.Connections().Opened, unbegun(ctx, err)
}

// warmed is what a warm-up left behind: its run, nil without one, and the counts of
// connections at its end.
type warmed struct {
	run         *record.Run
	connections drivers.Connections
}

// warmUp sends traffic whose results are thrown away, until it is drained: what
// it left behind would leak into the run.
func (p Plan) warmUp(ctx context.Context, driver drivers.Driver) (warmed, error) {
	if p.Warmup == 0 {
		return warmed{connections: driver.Connections()}, nil
	}
	w := p.Workload.Warmup(p.Warmup)
	if err := check(w, nil); err != nil {
		return warmed{}, err
	}
	most, timers := p.mostInFlight(driver), p.mostTimers(driver)
	r := newRunner(w, driver, nil, nil)
	r.mostInFlight, r.mostTimers, r.noSpin = most, timers, p.NoSpin
	run, err := r.measure(ctx)
	settled := r.settle(ctx)
	switch open := run.Requests.Unfinished + run.Requests.Unsent; {
	case err != nil:
		return warmed{}, err
	case ctx.Err() != nil:
		return warmed{}, ctx.Err()
	case open > 0:
		return warmed{}, fmt.Errorf("%d requests of the warm-up were still open %v after its end: lower the load, or leave the warm-up out", open, w.Drain)
	case !settled:
		return warmed{}, fmt.Errorf("copies of the warm-up's requests were still under way %v after its end: lower the load, or leave the warm-up out", w.Drain)
	}
	return warmed{run, driver.Connections()}, nil
}
