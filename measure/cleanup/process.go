package cleanup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"queuelab/drivers"
	"queuelab/measure/host/self"
	"queuelab/measure/record"
)

// guardRole is that of a guard.
var guardRole = &self.Role{Name: "cleanup-guard"}

// Descriptors of the guard beyond standard error.
const (
	controlFD = 3 // one order comes in, then a request; end of file means: the program is gone
	statusFD  = 4 // one answer goes out to each
)

// afterDeath is the patience when the program died in the middle: a server may be
// busy with its requests, and nobody waits.
var afterDeath = patience{quiet: 3 * time.Second, bound: time.Minute}

// order is what the guard is to do. It goes over a pipe: a command line or an
// environment would show the DSN's password.
type order struct {
	Config
	Before int64 // rows in the table before the run
}

type request struct{ Finish bool }

type answer struct {
	Rows   record.Rows
	Failed string // what went wrong, "" when nothing did
}

func failed(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// GuardIfAsked turns this process into a guard when it was started as one, and then
// does not return. Every program that uses [Start] calls it first thing in main, a
// test in TestMain.
func GuardIfAsked() {
	if guardRole.Taken() {
		guard()
		os.Exit(0)
	}
}

// guard waits for the end of the run and cleans up.
func guard() {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	in := json.NewDecoder(os.NewFile(controlFD, "control"))
	out := json.NewEncoder(os.NewFile(statusFD, "status"))
	var o order
	if in.Decode(&o) != nil {
		return // the program was gone before it said what to do
	}
	s, err := newSweeper(o)
	if err == nil {
		err = s.connect(context.Background())
	}
	if out.Encode(answer{Failed: failed(err)}) != nil || err != nil {
		return // no request was sent
	}
	late := afterFinish
	var asked request
	if in.Decode(&asked) != nil {
		late = afterDeath
	}
	rows, err := s.sweep(context.Background(), late)
	if !asked.Finish || out.Encode(answer{rows, failed(err)}) != nil {
		tell(rows, err)
	}
}

// tell says on the terminal, if there still is one, what became of the rows of a run
// whose program is gone.
func tell(rows record.Rows, err error) {
	var unreachable *drivers.UnreachableError
	switch {
	case errors.As(err, &unreachable):
		fmt.Fprintf(os.Stderr, "queuelab: the program ended before its clean-up: %v (a private server has ended with the program, and its rows with it)\n", err)
	case err != nil:
		fmt.Fprintf(os.Stderr, "queuelab: the program ended before its clean-up: %v\n", err)
	case rows.After != rows.Cleaned:
		fmt.Fprintf(os.Stderr, "queuelab: the program ended before its clean-up; its guard deleted %s from %s, which has %d as before\n",
			inRows(rows.After-rows.Cleaned), rows.Table, rows.Cleaned)
	}
}
