package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/trial"
)

// outputFlags are the flags that say how a run is printed and kept.
type outputFlags struct {
	json bool
	out  string
	raw  bool
}

func addOutputFlags(f *flag.FlagSet) *outputFlags {
	o := &outputFlags{}
	f.BoolVar(&o.json, "json", false, "print one JSON object instead of text")
	f.StringVar(&o.out, "out", "", "keep the run in this new folder")
	f.BoolVar(&o.raw, "raw", true, "with -out: keep a record of every request")
	return o
}

// finish prints and keeps a run or a trial, in that order: a disk that is full
// shall not cost the summary. An interrupted one ends the verb as interrupted.
func (o *outputFlags) finish(c *console, run *record.Run, k *keeper, started time.Time) error {
	printed := o.print(c, run)
	dir, kept := k.keep(run, started)
	if dir != "" && kept == nil {
		fmt.Fprintf(c.err, "kept in %s\n", dir)
	}
	if err := errors.Join(printed, kept); err != nil {
		return err
	}
	if run.Interrupted {
		return errInterrupted
	}
	return nil
}

// print writes a run to standard output.
func (o *outputFlags) print(c *console, run *record.Run) error {
	if o.json {
		return printJSON(c, run)
	}
	if run.Trial != nil {
		trial.WriteText(c.out, run)
		return nil
	}
	run.WriteText(c.out)
	return nil
}

func printJSON(c *console, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("the result cannot be written as JSON: %w", err)
	}
	_, err = fmt.Fprintf(c.out, "%s\n", text)
	return err
}
