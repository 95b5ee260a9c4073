// Package measure executes a workload against a real server on the wall clock:
// the pacer, the open and the closed loop, the drain, and the record of it all.
package measure

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"queuelab/drivers"
	"queuelab/measure/host"
	"queuelab/measure/record"
	"queuelab/measure/validity"
	"queuelab/measure/workload"
)

// check refuses a workload that cannot be run.
func check(w *workload.Workload, staller Staller) error {
	if err := w.Validate(); err != nil {
		return fmt.Errorf("the workload cannot be run: %w", err)
	}
	if w.Stall.Any() && staller == nil {
		return fmt.Errorf("the workload cannot be run: nothing is given that can make the server stand still as %s asks: leave the stall out", w.Stall)
	}
	return nil
}

// runner is one run under way.
type runner struct {
	workload  *workload.Workload
	driver    drivers.Driver
	staller   Staller // nil unless the workload has stalls
	collector *record.Collector
	start     time.Time
	finished  chan []record.Request // batches on their way to the collector
	spare     sync.Pool             // of *[]record.Request, emptied batches
	inFlight  atomic.Int64          // scheduled and not yet ended
	ending    atomic.Bool           // the drain is over: what comes back now is unfinished
	working   sync.WaitGroup        // everything that sends requests
	copies    sync.WaitGroup        // copies under way of requests that may have several
	over      time.Duration         // when nothing more was scheduled
	lastDue   time.Duration         // of any request; for collect, and for others after it
	lastEnd   time.Duration         // the same
	watch     *validity.Watch       // for collect too

	noSpin  bool     // pacers sleep until their instants
	spinner *spinner // of the pacers; nil when they sleep

	mostTimers   int          // closed clients that may have a timer of their own
	mostInFlight int64        // requests of an open loop that may be in flight
	capped       atomic.Int64 // requests that were not sent because so many were
	places       atomic.Int64 // taken by copies of an open loop's requests that may have several

	connections drivers.Connections // at the end, before what is open is given up
}

func newRunner(w *workload.Workload, driver drivers.Driver, staller Staller, sinks []record.Sink) *runner {
	watch := validity.NewWatch(w)
	collector := record.NewCollector(record.Measured, append([]record.Sink{watch}, sinks...)...)
	collector.Period(w.Stall.Period)
	collector.Touch()
	return &runner{
		workload:  w,
		driver:    driver,
		staller:   staller,
		collector: collector,
		watch:     watch,
		finished:  make(chan []record.Request, 64),
		start:     time.Now(),

		mostTimers:   w.Clients,
		mostInFlight: mostInFlight,
	}
}

// measure takes the run. Its error is that of the stalls, which end the schedule
// when they fail: there is a run all the same.
func (r *runner) measure(ctx context.Context) (*record.Run, error) {
	collected := make(chan struct{})
	go func() {
		defer close(collected)
		r.collect()
	}()
	sampler, used := startSampler(r.start, &r.inFlight), host.Used()
	interrupted, stalls, err := r.executeStalled(ctx)
	inSystem, sampled := sampler.stop()
	close(r.finished)
	<-collected

	run := r.collector.Run()
	run.Workload = r.workload.Describe()
	run.Seed = r.workload.Seed
	run.Target, run.Remote = r.driver.Target(), r.driver.Remote()
	run.Connections = connectionCounts(r.connections)
	run.Interrupted = interrupted
	run.Stalls = stalls
	r.account(run, used, interrupted)
	if r.lastEnd > 0 {
		// The other side of Little's law covers the time until the last end of a
		// request. Thereafter none is in system, so the same sum over that time is
		// the mean over it.
		inSystem.mean *= float64(sampled) / float64(r.lastEnd)
		inSystem.err *= float64(sampled) / float64(r.lastEnd)
	}
	run.SetSampled(inSystem.mean)
	if inSystem.mean > 0 {
		run.Little.Error = record.Value(inSystem.err / inSystem.mean)
	}
	return run, err
}

// loop sends the workload's requests until the schedule ends or halt is
// called; it returns when no further request will be scheduled.
type loop interface {
	send()
	halt()
}

// execute runs the loop and the drain; it returns whether ctx ended them.
func (r *runner) execute(ctx context.Context) (interrupted bool) {
	if !r.noSpin {
		r.spinner = newSpinner(r.start)
		defer r.spinner.close()
	}
	var l loop
	switch {
	case r.workload.InSessions():
		l = newSessionLoop(r)
	case r.workload.Open:
		l = newOpenLoop(r)
	default:
		l = newClosedLoop(r)
	}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		l.send()
	}()
	select {
	case <-sent:
	case <-ctx.Done():
		l.halt()
		<-sent
	}
	r.over = r.now()
	return r.drain(ctx)
}

// drain waits for what is open, then gives it up, unless that has happened.
func (r *runner) drain(ctx context.Context) (interrupted bool) {
	switch {
	case r.ending.Load():
		r.working.Wait()
	case within(ctx, r.drainLeft(), &r.working):
		r.connections = r.driver.Connections()
	default:
		r.giveUp()
		r.working.Wait()
	}
	return ctx.Err() != nil
}

// settle waits for the copies that lost, so that the next run does not meet them,
// at most as long as the drain; then it gives them up, and with them the driver.
func (r *runner) settle(ctx context.Context) (settled bool) {
	if r.workload.MostCopies() == 1 {
		return true
	}
	if within(ctx, r.workload.Drain, &r.copies) {
		return true
	}
	r.driver.Abort()
	r.copies.Wait()
	return false
}

// within waits for a group and says whether it was done before the time was up or
// ctx ended.
func within(ctx context.Context, length time.Duration, group *sync.WaitGroup) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		group.Wait()
	}()
	timeout := time.NewTimer(length)
	defer timeout.Stop()
	select {
	case <-done:
		return true
	case <-timeout.C:
	case <-ctx.Done():
	}
	return false
}

// now is the instant on the run's clock.
func (r *runner) now() time.Duration { return time.Since(r.start) }

// collect adds batches until the last one.
func (r *runner) collect() {
	for batch := range r.finished {
		for i := range batch {
			r.collector.Add(&batch[i])
			r.lastDue = max(r.lastDue, batch[i].Scheduled)
			r.lastEnd = max(r.lastEnd, batch[i].Ended)
		}
		if cap(batch) >= batchSize { // smaller ones are the last of their senders
			batch = batch[:0]
			r.spare.Put(&batch)
		}
	}
}

func connectionCounts(c drivers.Connections) map[string]int64 {
	return map[string]int64{
		"established": c.Established,
		"opened":      c.Opened,
		"announced":   c.Announced,
		"lost":        c.Lost,
		"reopened":    c.Reopened,
	}
}
