package main

import (
	"context"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/trial"
	"queuelab/measure/workload"
	"queuelab/sim"
)

// simulation is what simulate runs, once or several times.
type simulation struct {
	workload *workload.Workload
	station  sim.Station
	warmup   time.Duration
	header   record.Header
}

// take simulates one run, or the runs of a trial, into what keeps them. Runs that
// could be simulated but not kept are there beside the error.
func (s *simulation) take(ctx context.Context, reps int, kept *keeper) (*record.Run, error) {
	if kept.trial == nil {
		return s.run(ctx, s.workload.Seed, kept.sinks(false))
	}
	var runs []*record.Run
	var err error
	for i := 0; i < reps && err == nil && (i == 0 || ctx.Err() == nil); i++ {
		var run *record.Run
		if run, err = s.repeat(ctx, i, kept); run != nil {
			runs = append(runs, run)
		}
	}
	if len(runs) == 0 {
		return nil, err
	}
	out := trial.Combine("", runs)
	out.Interrupted = out.Interrupted || len(runs) < reps
	return out, err
}

// repeat simulates one run of a trial. Recording its course would slow it down, so
// that is done only where it will be kept.
func (s *simulation) repeat(ctx context.Context, i int, kept *keeper) (*record.Run, error) {
	seed := trial.Seed(s.workload.Seed, i)
	if kept.dir == "" {
		return s.run(ctx, seed, nil)
	}
	return kept.trial.Run(i, func(sink record.Sink) (*record.Run, time.Time, error) {
		started := time.Now()
		run, err := s.run(ctx, seed, []record.Sink{sink})
		return run, started, err
	})
}

// run simulates one run.
func (s *simulation) run(ctx context.Context, seed uint64, sinks []record.Sink) (*record.Run, error) {
	w, h, started := *s.workload, s.header, time.Now()
	w.Seed = seed
	run, err := sim.Run(ctx, &w, s.station, sim.Options{Warmup: s.warmup, Sinks: sinks})
	if err != nil {
		return nil, usageError{err} // of the workload or the model
	}
	h.Start, h.End = started.UTC().Format(time.RFC3339Nano), time.Now().UTC().Format(time.RFC3339Nano)
	run.Header = &h
	return run, nil
}
