package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"queuelab/reports"
)

// runReport turns a study into a report folder.
func runReport(ctx context.Context, c *console, args []string) error {
	f := newFlags(c, "report", "STUDY.yaml | "+strings.Join(reports.Builtin(), " | "))
	out := f.String("out", "", "the report folder (default ./NAME-report)")
	profile := f.String("profile", "quick", "durations and repetitions: tiny, quick or paper")
	strict := f.Bool("strict", false, "exit with status 1 when a run of the report is INVALID, a prediction DISAGREES with what was observed, or a goal was missed")
	addOverrideFlags(f)
	words, err := parse(f, args, 1)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return usagef("name a study file, or one of the built-in studies: %s", strings.Join(reports.Builtin(), ", "))
	}
	study, err := reports.Load(words[0])
	if err != nil {
		return usageError{err}
	}
	if _, err := study.Profile(*profile); err != nil {
		return usageError{err}
	}
	overrides, err := trialOverrides(f, study)
	if err != nil {
		return usageError{err}
	}
	if *out == "" {
		*out = study.Name + "-report"
	}
	watch, tables := newWatcher(c), &strings.Builder{}
	err = reports.Run(ctx, reports.Request{
		Study: study, Profile: *profile, Out: *out, Header: *header(ctx, "report", args), Watch: watch.step,
		Overrides: overrides, Tables: tables, Strict: *strict,
	})
	watch.end()
	var missed *reports.StrictError
	if err != nil && !errors.As(err, &missed) {
		return err
	}
	fmt.Fprintf(c.out, "%s%s\n", tables, *out)
	if missed != nil {
		return marginError{missed}
	}
	return nil
}

// addOverrideFlags adds the flags that change a study's trials.
func addOverrideFlags(f *flag.FlagSet) {
	f.Int("reps", 0, "runs of each trial (default: REPS in the environment, or the profile's)")
	f.Float64("seconds", 0, "length of a trial's runs (default: DURATION in the environment, or the profile's)")
	f.Int("clients", 0, "closed clients of trials (default: CONCURRENCY in the environment, or the study's)")
}

// trialOverrides are what the command line, or else the environment, sets of the
// study's trials. The environment may be meant for something else, so a study
// without trials does not look at it; flags are meant for this one.
func trialOverrides(f *flag.FlagSet, study *reports.Study) (reports.Overrides, error) {
	set := given(f)
	var list []reports.Override
	for _, o := range []struct{ key, flag, variable string }{
		{reports.RepsKey, "reps", "REPS"},
		{reports.LengthKey, "seconds", "DURATION"},
		{reports.ClientsKey, "clients", "CONCURRENCY"},
	} {
		switch text := os.Getenv(o.variable); {
		case set[o.flag] && !study.HasTrials():
			return reports.Overrides{}, fmt.Errorf("-%s changes trials, and the study %s has none: leave it out", o.flag, study.Name)
		case set[o.flag]:
			list = append(list, reports.Override{Key: o.key, Text: f.Lookup(o.flag).Value.String(), Source: "-" + o.flag})
		case text != "" && study.HasTrials():
			list = append(list, reports.Override{Key: o.key, Text: text, Source: o.variable})
		}
	}
	return reports.ReadOverrides(list)
}
