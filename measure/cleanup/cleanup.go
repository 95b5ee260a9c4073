// Package cleanup deletes the rows that a write test made, when the test is over,
// however it ends.
//
// On [Start] the program starts itself once more as a guard, in a session of its
// own so that a terminal's Ctrl-C and a closed terminal do not reach it. The guard
// holds a connection to the database and the read end of a pipe whose write end only
// the program has. When it is told to, or when the pipe ends because the program
// returned, panicked or was killed, it waits until no more rows come (what a killed
// program asked for is still executed by the server), deletes, counts, looks again
// for late rows, and exits. Where the connection is lost it begins again. Rows are
// left behind only by the end of the machine, or of program and guard together, by a
// database that is away for more than a minute, and by a statement of a killed program
// that the server executes for more than a minute.
//
// A run's rows are known by the DELETE statement and by their number alone. So
// whoever else writes to the table meanwhile blurs the count: rows that others insert
// are reported as left over, and when others delete some, the clean-up seems to reach
// too far and is rolled back.
package cleanup

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"queuelab/drivers"
	"queuelab/measure/database"
)

// Config says which database is written to and how its rows are deleted.
type Config struct {
	DSN string // a URL or keyword/value string; "" for the usual PG* variables
	SQL string // one DELETE FROM statement that matches all the rows that requests make, and no others
	// Private says that the database is a server of this program's own, which ends
	// with it: nobody needs to wait until it can be reached again.
	Private bool
}

// Check returns a *drivers.UsageError of one sentence when the statement is not one
// DELETE FROM or the DSN is malformed. Nothing is started or connected to.
func (c Config) Check() error {
	if _, err := c.parse(); err != nil {
		return err
	}
	return drivers.CheckPostgresDSN(c.DSN)
}

func (c Config) parse() (statement, error) {
	s, err := parse(c.SQL)
	if err != nil {
		return statement{}, &drivers.UsageError{
			Reason: fmt.Sprintf("the clean-up cannot be used, since %s; write it like DELETE FROM links WHERE url = 'https://example.com/loadtest'", err),
			Err:    err,
		}
	}
	return s, nil
}

// tryBound is how long each of the two looks at the table may take before the run.
// The largest tables are counted at some ten million rows a second.
const tryBound = time.Minute

// Start counts the rows of the table and starts the guard; no request may have been
// sent before, and [Guard.Finish] is called when none can be sent any more. It tries
// the statement in a transaction that it rolls back: one that the server refuses, or
// that matches rows from before the run, is a *drivers.UsageError. A database that
// cannot be reached is a *drivers.UnreachableError.
func Start(ctx context.Context, c Config) (*Guard, error) {
	if !guardRole.Armed() {
		return nil, errors.New("the clean-up needs a guard: call cleanup.GuardIfAsked first thing in main (in a test: in TestMain)")
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	o := order{Config: c}
	var err error
	if o.Before, err = try(ctx, c); err != nil {
		return nil, err
	}
	g, err := launch(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("start the guard that is to delete the rows of the run: %w", err)
	}
	return g, nil
}

// errTried rolls a trial back.
var errTried = errors.New("only tried")

// try counts the rows and finds out whether the statement is accepted and matches
// none of them.
func try(ctx context.Context, c Config) (before int64, err error) {
	s, err := c.parse()
	if err != nil {
		return 0, err
	}
	conn, err := drivers.ConnectPostgres(ctx, c.DSN)
	if err != nil {
		return 0, err
	}
	defer conn.Close(ctx)
	var matched int64
	err = database.Transact(ctx, conn, pgx.TxOptions{}, tryBound, func(tx pgx.Tx) (err error) {
		if before, err = database.Count(ctx, tx, s.from); err != nil {
			return err
		}
		if matched, err = execute(ctx, tx, s.sql); err != nil {
			return err
		}
		return errTried
	})
	var server *pgconn.PgError
	switch {
	case errors.Is(err, errTried) && matched == 0:
		return before, nil
	case errors.Is(err, errTried):
		return 0, &drivers.UsageError{Reason: fmt.Sprintf(
			"the clean-up would delete %s that %s holds before the run; nothing was deleted: narrow its WHERE, or delete them first", inRows(matched), s.table)}
	case database.Cancelled(err):
		return 0, fmt.Errorf("try the clean-up of %s: a look at the table takes longer than %v: %w", s.table, tryBound, err)
	case errors.As(err, &server):
		return 0, &drivers.UsageError{Reason: fmt.Sprintf("%s does not accept the clean-up: %s (SQLSTATE %s); check the statement and the rights of the user",
			drivers.PostgresTarget(conn), server.Message, server.Code), Err: err}
	}
	return 0, fmt.Errorf("try the clean-up of %s: %w", s.table, err)
}

// execute executes one command; the protocol has no place for a second one.
func execute(ctx context.Context, tx pgx.Tx, sql string) (affected int64, err error) {
	tag, err := tx.Conn().PgConn().ExecParams(ctx, sql, nil, nil, nil, nil).Close()
	return tag.RowsAffected(), err
}
