package main

import (
	"flag"
	"time"
)

// trialFlags are the flags that make a trial of a run.
type trialFlags struct {
	set   *flag.FlagSet
	reps  int
	pause time.Duration
}

func addTrialFlags(f *flag.FlagSet) *trialFlags {
	t := &trialFlags{set: f}
	f.IntVar(&t.reps, "reps", 1, "take so many runs, a trial, and print them with their medians and spread")
	return t
}

// addPause adds the flag of runs on the wall clock.
func (t *trialFlags) addPause() *trialFlags {
	t.set.DurationVar(&t.pause, "pause", 0, "with -reps: before each run wait until closed connections have freed enough local ports, at most so long")
	return t
}

// check refuses numbers that make no trial.
func (t *trialFlags) check() error {
	switch {
	case t.reps < 1:
		return usagef("-reps is %d: it must be at least 1", t.reps)
	case t.pause < 0:
		return usagef("-pause is %v: it must not be below zero", t.pause)
	case t.pause > 0 && !t.any():
		return usagef("-pause is the wait before the runs of a trial: give -reps too, such as -reps 5, or leave -pause out")
	}
	return nil
}

// any says whether a trial is asked for.
func (t *trialFlags) any() bool { return t.reps > 1 }
