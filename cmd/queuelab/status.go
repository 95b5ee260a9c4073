package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"queuelab/drivers"
	"queuelab/measure/lab"
	"queuelab/measure/record"
)

// Exit statuses.
const (
	statusDone        = 0
	statusMargin      = 1   // asked for, and not met
	statusUsage       = 2   // the command line cannot be carried out
	statusUnreachable = 3   // no target at the start, or a program is missing
	statusFailed      = 4   // any other failure
	statusInterrupted = 130 // what was measured is saved and marked
)

// usageError is a command line that cannot be carried out.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// marginError is a margin that was asked for and is not met.
type marginError struct{ error }

func (e marginError) Unwrap() error { return e.error }

// errInterrupted ends a verb that was interrupted after it saved its work.
var errInterrupted = errors.New("interrupted")

// report prints an error in one line and chooses the exit status.
func report(c *console, name string, err error) int {
	var unreachable *drivers.UnreachableError
	var missing *lab.MissingError
	var usage usageError
	var margin marginError
	var badOptions *drivers.UsageError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return statusDone
	case errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		// What has more to say tells where it kept its data, or lost them.
		if err == errInterrupted || err == context.Canceled {
			err = errInterrupted
		}
		fmt.Fprintf(c.err, "queuelab %s: %v\n", name, err)
		return statusInterrupted
	}
	fmt.Fprintf(c.err, "queuelab %s: %v\n", name, err)
	switch {
	case errors.As(err, &margin):
		return statusMargin
	case errors.As(err, &usage), errors.As(err, &badOptions), errors.Is(err, record.ErrOccupied):
		return statusUsage
	case errors.As(err, &unreachable), errors.As(err, &missing):
		return statusUnreachable
	}
	return statusFailed
}
