package main

import (
	"context"

	"queuelab/measure/record"
)

// runShow prints the folder of a run or a trial.
func runShow(_ context.Context, c *console, args []string) error {
	f := newFlags(c, "show", "RUN [-json]")
	asJSON := f.Bool("json", false, "print one JSON object instead of text")
	words, err := parse(f, args, 1)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return usagef("name the folder of a run or a trial to show, as it was given to -out")
	}
	run, err := record.ReadRun(words[0])
	if err != nil {
		return err
	}
	o := &outputFlags{json: *asJSON}
	return o.print(c, run)
}
