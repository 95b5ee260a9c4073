package main

import (
	"context"
	"fmt"
	"strings"

	"queuelab/reports"
)

// runReport turns a study into a report folder.
func runReport(ctx context.Context, c *console, args []string) error {
	f := newFlags(c, "report", "STUDY.yaml | "+strings.Join(reports.Builtin(), " | "))
	out := f.String("out", "", "the report folder (default ./NAME-report)")
	profile := f.String("profile", "quick", "durations and repetitions: tiny, quick or paper")
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
	if *out == "" {
		*out = study.Name + "-report"
	}
	watch := newWatcher(c)
	err = reports.Run(ctx, reports.Request{
		Study: study, Profile: *profile, Out: *out, Header: *header("report", args), Watch: watch.step,
	})
	watch.end()
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s\n", *out)
	return nil
}
