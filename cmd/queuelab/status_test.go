package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"testing"

	"queuelab/drivers"
	"queuelab/measure/record"
)

func TestReportOfErrors(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		prints string
	}{
		{nil, statusDone, ""},
		{flag.ErrHelp, statusDone, ""},
		{errInterrupted, statusInterrupted, "queuelab x: interrupted\n"},
		{context.Canceled, statusInterrupted, "queuelab x: interrupted\n"},
		{fmt.Errorf("%w: kept in y", context.Canceled), statusInterrupted, "queuelab x: context canceled: kept in y\n"},
		{fmt.Errorf("folder: %w: y", record.ErrOccupied), statusUsage, "queuelab x: folder: no new folder can take this name: y\n"},
		{usagef("no"), statusUsage, "queuelab x: no\n"},
		{fmt.Errorf("no: %w", &drivers.UnreachableError{Err: errors.New("gone")}), statusUnreachable, ""},
		{errors.New("no"), statusFailed, "queuelab x: no\n"},
	} {
		var stderr bytes.Buffer
		status := report(&console{err: &stderr}, "x", c.err)
		if status != c.status || c.prints != "" && stderr.String() != c.prints {
			t.Errorf("%v: status %d, printed %q; want %d, %q", c.err, status, stderr.String(), c.status, c.prints)
		}
	}
}
