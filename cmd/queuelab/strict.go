package main

import (
	"flag"
	"fmt"

	"queuelab/measure/record"
)

// addStrictFlag adds the flag that makes a verdict the exit status.
func addStrictFlag(f *flag.FlagSet) *bool {
	return f.Bool("strict", false, "exit with status 1 when a run is INVALID, so that a script stops at numbers that cannot be believed")
}

// doubt is the verdict on a run that is not VALID, to stand behind its summary line.
func doubt(run *record.Run) string {
	if v := run.Verdict(); v != "" && v != record.Valid {
		return " [" + v + "]"
	}
	return ""
}

// strictly is the error of an INVALID run, nil for none, where strictness was asked for.
func strictly(strict bool, run *record.Run) error {
	if !strict || run == nil || run.Verdict() != record.Invalid {
		return nil
	}
	return marginError{fmt.Errorf("the run is INVALID: %s", run.Validity.Reasons[0])}
}
