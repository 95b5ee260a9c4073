// Package cleanup deletes the rows that a write test made, when the test is over,
// however it ends.
//
// On [Start] the program starts itself once more as a guard, in a session of its
// own so that a terminal's Ctrl-C and a closed terminal do not reach it. The guard
// holds a connection to the database and the read end of a pipe whose write end only
// the program has. When it is told to, or when the pipe ends because the program
// returned, panicked or was killed, it waits until no more rows come (requests of a
// program that died are still executed by the server), deletes, counts, looks again
// for late rows, and exits. Only the end of the guard itself, or of the machine,
// leaves rows behind.
//
// Rows are known by their number and by the DELETE statement alone. The number
// before the run is what it is again afterwards, if nobody else writes to the table
// meanwhile: rows that others insert are reported as left over, and when others
// delete some, the clean-up seems to reach too far and is rolled back.
package cleanup

import (
	"context"
	"errors"

	"queuelab/measure/record"
)

// Config says which database is written to and how its rows are deleted.
type Config struct {
	DSN string // a URL or keyword/value string; "" for the usual PG* variables
	SQL string // one DELETE FROM statement that matches all the rows that requests make, and no others
}

// Check returns a *drivers.UsageError of one sentence when the statement is not one
// DELETE FROM or the DSN is malformed. Nothing is started or connected to.
func (c Config) Check() error { return errors.New("not built yet") }

// Guard stands by to delete what a run writes.
type Guard struct{}

// Start counts the rows of the table and starts the guard; no request may have been
// sent before. It tries the statement in a transaction that is rolled back: one that
// the server refuses, or that matches rows before the run, is a *drivers.UsageError.
// A database that cannot be reached is a *drivers.UnreachableError.
func Start(ctx context.Context, c Config) (*Guard, error) { return nil, errors.New("not built yet") }

// Finish has the guard delete the rows, and returns how many there were before the
// run, after it, and after the clean-up. It takes a second or so, and minutes at
// most. It may be called more than once; all calls give the same answer.
//
// The number of rows is returned beside the error when the clean-up would have
// deleted rows that were there before the run and was rolled back, or when more or
// fewer rows are left than there were before.
func (g *Guard) Finish() (record.Rows, error) { return record.Rows{}, errors.New("not built yet") }

// GuardIfAsked turns this process into a guard when it was started as one, and then
// does not return. Every program that uses [Start] calls it first thing in main, a
// test in TestMain.
func GuardIfAsked() {}
