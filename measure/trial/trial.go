// Package trial takes the same run several times, as a procedure that anyone can
// repeat and that says how far its own numbers move: a warm-up that is thrown away
// and drained, then the runs, with pauses in which closed connections give up their
// local ports. The run is the sample, not the request: a trial quotes medians over
// its runs, their spread, and an interval of the median.
package trial

import (
	"context"
	"fmt"
	"slices"
	"time"

	"queuelab/measure"
	"queuelab/measure/host"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// Plan is one trial to be taken.
type Plan struct {
	// Name is what its files call it; "" for the name of its loop.
	Name string
	// Run is what each run does. Its Warmup comes once, before the first run, on
	// connections of its own; each run opens connections of its own too, so that
	// what depends on them varies from run to run. The seeds of the runs are those
	// of [Seed].
	Run    measure.Plan
	Reps   int                                // runs, at least 1
	Pause  time.Duration                      // the longest wait for free local ports before a run
	Folder *Folder                            // what keeps the runs; nil for nothing
	Watch  func(Step)                         // told of what begins; may be nil
	Taken  func(name string, run *record.Run) // told of a run that ended, "run 2 of 5"; may be nil
}

// Step is what a trial does next.
type Step struct {
	What   string        // "warm-up", "pause before run 2 of 5", "run 2 of 5"
	Length time.Duration // how long it takes, at most for a pause; 0 where answers decide
}

// Seed is the seed of a trial's run, counted from 0: the first one's is the
// trial's, so that it can be taken again alone.
func Seed(first uint64, run int) uint64 {
	if run == 0 {
		return first
	}
	return workload.Stream(first, "run of a trial", run).Uint64N(workload.MaxSeed)
}

// Take takes a trial: a run that holds medians over runs, with every run in Reps
// and what they say together in Trial. Its error is that of the warm-up or of the
// first run; later ones leave the runs that were taken, marked as interrupted, beside
// the error.
func Take(ctx context.Context, p Plan) (*record.Run, error) {
	t, stolen := &taker{Plan: p}, host.Stolen()
	if t.Folder == nil {
		t.Folder = Unnamed()
	}
	if err := t.warmUp(ctx); err != nil {
		return nil, err
	}
	var err error
	for i := 0; i < p.Reps && err == nil && ctx.Err() == nil; i++ {
		if err = t.take(ctx, i); err != nil && i > 0 {
			// In the text alone: a target that went away is no target that could not
			// be reached at the start.
			err = fmt.Errorf("run %d of %d: %v", i+1, p.Reps, err)
		}
	}
	if len(t.runs) == 0 {
		if err == nil {
			err = ctx.Err()
		}
		return nil, err
	}
	trial := Combine(p.Name, t.runs)
	trial.Header.Steal = stolen.Since()
	trial.Workload.Warmup = p.Run.Warmup.Seconds()
	trial.Interrupted = trial.Interrupted || len(t.runs) < p.Reps
	return trial, err
}

// taker is a trial under way.
type taker struct {
	Plan
	runs   []*record.Run
	remote string // the target's TCP address, once it is known
	opened int64  // connections that the busiest run opened
}

func (t *taker) warmUp(ctx context.Context) error {
	if t.Run.Warmup == 0 {
		return nil
	}
	t.step("warm-up", t.Run.Warmup)
	var err error
	t.remote, t.opened, err = measure.WarmUp(ctx, t.Run)
	return err
}

// take pauses and takes one run. A run that was not taken because ctx ended is no
// error.
func (t *taker) take(ctx context.Context, i int) error {
	name := fmt.Sprintf("run %d of %d", i+1, t.Reps)
	t.step("pause before "+name, t.Pause)
	paused := t.pause(ctx)
	if ctx.Err() != nil {
		return nil
	}
	t.step(name, t.Run.Workload.Length)
	run, err := t.Folder.Run(i, func(kept record.Sink) (*record.Run, time.Time, error) {
		return t.measure(ctx, i, paused, kept)
	})
	if run != nil {
		if t.Taken != nil {
			t.Taken(name, run)
		}
		t.runs = append(t.runs, run)
		t.remote, t.opened = run.Remote, max(t.opened, run.Connections["opened"])
	}
	return err
}

// measure takes the run itself.
func (t *taker) measure(ctx context.Context, i int, paused *record.Pause, kept record.Sink) (*record.Run, time.Time, error) {
	w, plan, started := *t.Run.Workload, t.Run, time.Now()
	w.Seed = Seed(w.Seed, i)
	plan.Workload, plan.Warmup = &w, 0
	plan.Sinks = append(slices.Clone(plan.Sinks), kept)
	plan.Started = func(at time.Time) { started = at }
	run, err := measure.Take(ctx, plan)
	if run != nil {
		run.Pause = paused
	}
	return run, started, err
}

func (t *taker) step(what string, length time.Duration) {
	if t.Watch != nil {
		t.Watch(Step{what, length})
	}
}
