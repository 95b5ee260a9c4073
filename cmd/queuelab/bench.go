package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"time"

	"queuelab/measure"
	"queuelab/measure/record"
	"queuelab/measure/trial"
	"queuelab/measure/workload"
)

// benchmark is a bench command: its flags, and what they amount to.
type benchmark struct {
	set      *flag.FlagSet
	offered  *workloadFlags
	aimed    *targetFlags
	repeated *trialFlags
	cleanup  *cleanupFlag
	printed  *outputFlags
	strict   *bool
	spin     *bool

	workload *workload.Workload
	target   *target
}

func newBenchmark(c *console) *benchmark {
	f := newFlags(c, "bench", "-open -rate R | -closed -clients N [flags]")
	b := &benchmark{
		set: f, offered: addWorkloadFlags(f), aimed: addTargetFlags(f),
		repeated: addTrialFlags(f).addPause(), cleanup: addCleanupFlag(f), printed: addOutputFlags(f),
		strict: addStrictFlag(f),
	}
	f.StringVar(&b.offered.service, "service", "", "law of the service time that each request carries (http: ?service=, postgres: $1 in seconds)")
	b.spin = f.Bool("spin", true, "wait awake for the last moments before each instant, at most a quarter of a CPU; -spin=false sends some 0.1ms late instead")
	f.DurationVar(&b.offered.warmup, "warmup", 0, "traffic before the run, or before a trial's first, whose results are thrown away")
	f.Uint64Var(&b.offered.seed, "seed", 0, "seed of schedule and keys (default: random, printed and stored)")
	return b
}

// runBench measures one run, or a trial.
func runBench(ctx context.Context, c *console, args []string) (err error) {
	b := newBenchmark(c)
	if _, err := parse(b.set, args, 0); err != nil {
		return err
	}
	if err := b.check(); err != nil {
		return err
	}
	kept, err := b.printed.begin(b.repeated.any())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.target.close()) }()
	plan, err := b.plan(ctx, c, args)
	if err != nil {
		return errors.Join(err, kept.discard())
	}
	if b.repeated.any() {
		return b.takeTrial(ctx, c, plan, kept)
	}
	return b.take(ctx, c, plan, kept)
}

// check reads the flags and refuses those that contradict each other, before
// anything is started.
func (b *benchmark) check() (err error) {
	if !given(b.set)["seed"] {
		b.offered.seed = workload.NewSeed()
	}
	if b.workload, err = b.offered.workload(); err != nil {
		return err
	}
	if err := b.repeated.check(); err != nil {
		return err
	}
	if b.target, err = b.aimed.check(); err != nil {
		return err
	}
	if err := b.aimed.stall(&b.workload.Stall); err != nil {
		return err
	}
	b.target.options.ServiceParameter = b.workload.Service != nil
	return b.cleanup.check(b.target, b.aimed)
}

// plan starts what has to run and says how the run is to be taken.
func (b *benchmark) plan(ctx context.Context, c *console, args []string) (plan measure.Plan, err error) {
	t := b.target
	if err := t.start(ctx, c, b.aimed.lab); err != nil {
		return plan, err
	}
	if err := t.prepare(ctx, b.workload.Stall); err != nil {
		return plan, err
	}
	h, err := t.header(ctx, "bench", args)
	if err != nil {
		return plan, err
	}
	return measure.Plan{
		Workload: b.workload, Driver: t.driver, Options: t.options, Staller: t.staller,
		Warmup: b.offered.warmup, CPU: t.cpu(), Header: h, Counter: t.counter(b.workload),
		NoSpin: !*b.spin,
	}, b.cleanup.guard(ctx, t)
}

// take takes a run, and prints and keeps it.
func (b *benchmark) take(ctx context.Context, c *console, plan measure.Plan, kept *keeper) error {
	progress := startProgress(c, "measuring", expectedLength(plan.Workload))
	started := time.Now()
	plan.Started = func(at time.Time) { started = at; progress.begin(at) }
	plan.Sinks = kept.sinks(true)
	run, failed := measure.Take(ctx, plan)
	progress.end()
	return b.conclude(c, run, failed, started, kept)
}

// takeTrial takes a trial, and prints and keeps it.
func (b *benchmark) takeTrial(ctx context.Context, c *console, plan measure.Plan, kept *keeper) error {
	shown := startProgress(c, "", 0)
	started := time.Now()
	run, failed := trial.Take(ctx, trial.Plan{
		Run: plan, Reps: b.repeated.reps, Pause: b.repeated.pause, Folder: kept.trial,
		Watch: func(s trial.Step) {
			shown.end()
			shown = startProgress(c, s.What, s.Length)
			shown.begin(time.Now())
		},
		Taken: func(name string, run *record.Run) {
			shown.end()
			shown = startProgress(c, "", 0)
			fmt.Fprintf(c.err, "%s: %s%s\n", name, run.Line, doubt(run))
		},
	})
	shown.end()
	return b.conclude(c, run, failed, started, kept)
}

// conclude deletes what a run, or a trial, wrote to a database, prints it and keeps
// it. There is no run when it could not begin.
func (b *benchmark) conclude(c *console, run *record.Run, failed error, started time.Time, kept *keeper) error {
	if b.target.cleanup != nil {
		fmt.Fprintln(c.err, "deleting the rows that the run wrote")
	}
	cleaned := b.target.clean(run)
	if run == nil {
		return errors.Join(failed, cleaned, kept.discard())
	}
	finished := b.printed.finish(c, run, kept, started)
	if failed != nil && finished == errInterrupted {
		finished = nil // it is what failed that interrupted it
	}
	if err := errors.Join(failed, cleaned, finished); err != nil {
		return err
	}
	return strictly(*b.strict, run)
}
