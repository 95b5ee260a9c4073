package main

import (
	"context"
	"errors"
	"time"

	"queuelab/measure"
	"queuelab/measure/workload"
)

// runBench measures one run.
func runBench(ctx context.Context, c *console, args []string) (err error) {
	f := newFlags(c, "bench", "-open -rate R | -closed -clients N [flags]")
	offered, aimed, printed := addWorkloadFlags(f), addTargetFlags(f), addOutputFlags(f)
	f.StringVar(&offered.service, "service", "", "law of the service time that each request carries (http: ?service=, postgres: $1 in seconds)")
	f.DurationVar(&offered.warmup, "warmup", 0, "traffic before the run whose results are thrown away")
	f.Uint64Var(&offered.seed, "seed", 0, "seed of schedule and keys (default: random, printed and stored)")
	if _, err := parse(f, args, 0); err != nil {
		return err
	}
	if !given(f)["seed"] {
		offered.seed = workload.NewSeed()
	}
	w, err := offered.workload()
	if err != nil {
		return err
	}
	t, err := aimed.check()
	if err != nil {
		return err
	}
	if err := aimed.stall(&w.Stall); err != nil {
		return err
	}
	t.options.ServiceParameter = w.Service != nil
	kept, err := printed.begin()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	err = t.start(ctx, c, aimed.lab)
	if err == nil {
		err = t.prepare(ctx, w.Stall)
	}
	if err != nil {
		return errors.Join(err, kept.discard())
	}
	return bench(ctx, c, measure.Plan{
		Workload: w, Driver: t.driver, Options: t.options, Staller: t.staller,
		Sinks: kept.sinks(true), Warmup: offered.warmup, CPU: t.cpu(), Header: t.header("bench", args),
	}, printed, kept)
}

// bench takes a run, and prints and keeps it.
func bench(ctx context.Context, c *console, plan measure.Plan, printed *outputFlags, kept *keeper) error {
	progress := startProgress(c, "measuring", expectedLength(plan.Workload))
	started := time.Now()
	plan.Started = func(at time.Time) { started = at; progress.begin(at) }
	run, failed := measure.Take(ctx, plan)
	progress.end()
	if run == nil {
		return errors.Join(failed, kept.discard())
	}
	err := printed.finish(c, run, kept, started)
	if failed != nil && err == errInterrupted {
		return failed // which is what interrupted it
	}
	return errors.Join(failed, err)
}
