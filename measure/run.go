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
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// Run executes the workload through a driver that is already connected and
// returns what happened, every scheduled request accounted for. When ctx ends
// first, the schedule stops, what is open counts as unfinished, and the run is
// marked as interrupted. A driver whose requests were given up cannot be used again.
func Run(ctx context.Context, w *workload.Workload, driver drivers.Driver, sinks ...record.Sink) (*record.Run, error) {
	if err := w.Validate(); err != nil {
		return nil, fmt.Errorf("the workload cannot be run: %w", err)
	}
	r := &runner{
		workload:  w,
		driver:    driver,
		collector: record.NewCollector(record.Measured, sinks...),
		finished:  make(chan []record.Request, 64),
		start:     time.Now(),
	}
	collected := make(chan struct{})
	go func() {
		defer close(collected)
		r.collect()
	}()
	sampler := startSampler(r.start, &r.inFlight)
	interrupted := r.execute(ctx)
	inSystem, sampled := sampler.stop()
	close(r.finished)
	<-collected

	run := r.collector.Run()
	run.Workload = w.Describe()
	run.Seed = w.Seed
	run.Target = driver.Target()
	run.Connections = connectionCounts(r.connections)
	run.Interrupted = interrupted
	if r.lastEnd > 0 {
		// The other side of Little's law covers the time until the last end of a
		// request. Thereafter none is in system, so the same sum over that time is
		// the mean over it.
		inSystem *= float64(sampled) / float64(r.lastEnd)
	}
	run.SetSampled(inSystem)
	return run, nil
}

// runner is one run under way.
type runner struct {
	workload  *workload.Workload
	driver    drivers.Driver
	collector *record.Collector
	start     time.Time
	finished  chan []record.Request // batches on their way to the collector
	spare     sync.Pool             // of *[]record.Request, emptied batches
	inFlight  atomic.Int64          // scheduled and not yet ended
	ending    atomic.Bool           // the drain is over: what comes back now is unfinished
	working   sync.WaitGroup        // everything that sends requests
	lastEnd   time.Duration         // of any request; for collect, and for others after it

	connections drivers.Connections // at the end, before what is open is given up
}

// loop sends the workload's requests until the schedule ends or halt is
// called; it returns when no further request will be scheduled.
type loop interface {
	send()
	halt()
}

// execute runs the loop and the drain; it returns whether ctx ended them.
func (r *runner) execute(ctx context.Context) (interrupted bool) {
	var l loop
	if r.workload.Open {
		l = newOpenLoop(r)
	} else {
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
	return r.drain(ctx)
}

// drain waits for what is open, then gives it up.
func (r *runner) drain(ctx context.Context) (interrupted bool) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.working.Wait()
	}()
	timeout := time.NewTimer(r.workload.Drain)
	defer timeout.Stop()
	select {
	case <-done:
		r.connections = r.driver.Connections()
		return ctx.Err() != nil
	case <-timeout.C:
	case <-ctx.Done():
	}
	r.connections = r.driver.Connections() // Abort closes those that are established
	r.ending.Store(true)
	r.driver.Abort()
	<-done
	return ctx.Err() != nil
}

// now is the instant on the run's clock.
func (r *runner) now() time.Duration { return time.Since(r.start) }

// collect adds batches until the last one.
func (r *runner) collect() {
	for batch := range r.finished {
		for i := range batch {
			r.collector.Add(&batch[i])
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
