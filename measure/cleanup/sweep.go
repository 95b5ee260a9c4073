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
	"queuelab/measure/record"
)

const (
	// sweepBound is how long a clean-up may take in all.
	sweepBound = 5 * time.Minute
	// lookEvery is the pause between two counts.
	lookEvery = 200 * time.Millisecond
	// settleBound is how long the number of rows may go on changing before they are
	// deleted all the same.
	settleBound = 5 * time.Second
	// pingBound is how long a connection may take to show that it is still good.
	pingBound = 5 * time.Second
	// outageBound is how long a server is asked again that takes no connection: it may
	// be starting again. A private one that does not come back at once is gone.
	outageBound        = time.Minute
	privateOutageBound = 3 * time.Second
	// conflictTries is how often a deletion is tried that others' changes disturb.
	conflictTries = 5
)

// patience is how late rows are waited for.
type patience struct {
	quiet time.Duration // there must have been none for so long
	bound time.Duration // in all
}

// sweeper deletes the rows of one run.
type sweeper struct {
	order     order
	statement statement
	conn      *pgx.Conn // nil before the first connection
	until     time.Time // when it gives up
	deleted   int64     // rows, so far
	left      int64     // rows, after the last deletion
	most      int64     // rows that were counted at once: a deletion whose connection was lost may have been made
}

func newSweeper(o order) (*sweeper, error) {
	s, err := o.parse()
	return &sweeper{order: o, statement: s}, err
}

// sweep deletes the rows and looks for late ones. When the connection is lost it
// begins again: what was deleted already is not there any more.
func (s *sweeper) sweep(ctx context.Context, late patience) (record.Rows, error) {
	s.until = time.Now().Add(sweepBound)
	ctx, cancel := context.WithDeadlineCause(ctx, s.until, fmt.Errorf("not done within %v", sweepBound))
	defer cancel()
	err := s.once(ctx, late)
	for s.cut(err) && ctx.Err() == nil {
		time.Sleep(lookEvery)
		err = s.once(ctx, late)
	}
	if s.conn != nil {
		s.conn.Close(ctx)
	}
	var tooFar *tooFarError
	if err != nil && !errors.As(err, &tooFar) {
		return record.Rows{}, fmt.Errorf("delete the rows of the run, to leave %d in %s as before: %w; look whether they are still there",
			s.order.Before, s.statement.table, err)
	}
	rows := record.Rows{
		Table: s.statement.table, Before: s.order.Before, After: max(s.left+s.deleted, s.most), Cleaned: s.left, Cleanup: s.statement.sql,
	}
	if err == nil {
		err = judge(rows)
	}
	return rows, err
}

// once goes through the clean-up on one connection.
func (s *sweeper) once(ctx context.Context, late patience) error {
	if err := s.connect(ctx); err != nil {
		return err
	}
	if err := s.settle(ctx); err != nil {
		return err
	}
	return s.deleteAll(ctx, late)
}

// cut says whether an error came with the end of the connection. That none can be
// opened is another thing, which connect has waited for.
func (s *sweeper) cut(err error) bool {
	var unreachable *drivers.UnreachableError
	return err != nil && s.conn != nil && s.conn.IsClosed() && !errors.As(err, &unreachable)
}

// judge says when the table is not as it was.
func judge(rows record.Rows) error {
	switch more := rows.Cleaned - rows.Before; {
	case more > 0:
		return fmt.Errorf("%s has %s more after the clean-up than before the run: its WHERE does not match them, or others wrote them; look for them and delete them by hand", rows.Table, inRows(more))
	case more < 0:
		return fmt.Errorf("%s has %s fewer after the clean-up than before the run, but not by the clean-up: look whether the run or others deleted them", rows.Table, inRows(-more))
	}
	return nil
}

func inRows(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

// connect opens a connection, unless there is a good one.
func (s *sweeper) connect(ctx context.Context) error {
	if s.conn != nil {
		ping, cancel := context.WithTimeout(ctx, pingBound)
		defer cancel()
		if s.conn.Ping(ping) == nil {
			return nil
		}
		s.conn.Close(ping)
	}
	bound := outageBound
	if s.order.Private {
		bound = privateOutageBound
	}
	for until := time.Now().Add(bound); ; {
		conn, err := drivers.ConnectPostgres(ctx, s.order.DSN)
		if err == nil {
			s.conn = conn
			return nil
		}
		if time.Now().After(until) || ctx.Err() != nil {
			return err
		}
		time.Sleep(lookEvery)
	}
}

// settle waits until the number of rows stands still.
func (s *sweeper) settle(ctx context.Context) error {
	last, err := s.count(ctx)
	for until := time.Now().Add(settleBound); err == nil && time.Now().Before(until); {
		before := last
		if last, err = s.countLater(ctx); last == before {
			break
		}
	}
	return err
}

// countLater counts after a pause.
func (s *sweeper) countLater(ctx context.Context) (n int64, err error) {
	select {
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	case <-time.After(lookEvery):
		return s.count(ctx)
	}
}

func (s *sweeper) count(ctx context.Context) (n int64, err error) {
	err = database.Transact(ctx, s.conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, time.Until(s.until), func(tx pgx.Tx) (err error) {
		n, err = database.Count(ctx, tx, s.statement.from)
		return err
	})
	s.most = max(s.most, n)
	return n, err
}

// writing says whether others have statements under way that write to the table: a
// server goes on with those of a program that is gone.
func (s *sweeper) writing(ctx context.Context) (yes bool, err error) {
	const held = `SELECT EXISTS (SELECT FROM pg_locks WHERE relation = to_regclass($1) AND mode = 'RowExclusiveLock' AND granted AND pid <> pg_backend_pid())`
	err = database.Transact(ctx, s.conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, time.Until(s.until), func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, held, s.statement.table).Scan(&yes)
	})
	return yes, err
}

// deleteAll deletes, and deletes again when the number of rows changed since. There
// is no silence while somebody writes.
func (s *sweeper) deleteAll(ctx context.Context, late patience) error {
	if err := s.delete(ctx); err != nil {
		return err
	}
	for calm, until := time.Now(), time.Now().Add(late.bound); time.Since(calm) < late.quiet && time.Now().Before(until); {
		n, err := s.countLater(ctx)
		loud := n != s.left
		if err == nil && loud {
			err = s.delete(ctx)
		} else if err == nil {
			loud, err = s.writing(ctx)
		}
		if err != nil {
			return err
		}
		if loud {
			calm = time.Now()
		}
	}
	return nil
}

// delete deletes once, however often others disturb it.
func (s *sweeper) delete(ctx context.Context) error {
	for tries := 1; ; tries++ {
		err := s.tryDelete(ctx)
		if !disturbed(err) || tries == conflictTries {
			return err
		}
		time.Sleep(lookEvery)
	}
}

// disturbed says whether a transaction failed for what others did at the same time.
func disturbed(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && (server.Code == "40001" || server.Code == "40P01") // serialization_failure, deadlock_detected
}

// tooFarError is a deletion that was rolled back.
type tooFarError struct {
	rows    int64 // of before the run that it would have deleted
	table   string
	deleted string // what was
}

func (e *tooFarError) Error() string {
	return fmt.Sprintf("the clean-up would have deleted %s of %s from before the run; %s was deleted: narrow its WHERE", inRows(e.rows), e.table, e.deleted)
}

// tryDelete deletes in a transaction that sees the table as it is at one instant, so
// that rows which come meanwhile do not make up for such as must not be deleted. What
// triggers and foreign keys delete or keep is counted too.
func (s *sweeper) tryDelete(ctx context.Context) error {
	var found, left int64
	err := database.Transact(ctx, s.conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, time.Until(s.until), func(tx pgx.Tx) (err error) {
		if found, err = database.Count(ctx, tx, s.statement.from); err != nil {
			return err
		}
		if _, err = execute(ctx, tx, s.statement.sql); err != nil {
			return fmt.Errorf("execute the clean-up: %w", err)
		}
		if left, err = database.Count(ctx, tx, s.statement.from); err != nil {
			return err
		}
		if missing := min(found, s.order.Before) - left; missing > 0 {
			e := &tooFarError{rows: missing, table: s.statement.table, deleted: "nothing"}
			if s.deleted > 0 {
				e.deleted = "no more"
			}
			return e
		}
		return nil
	})
	var tooFar *tooFarError
	if errors.As(err, &tooFar) {
		s.left = found
	}
	s.most = max(s.most, found)
	if err == nil {
		s.left, s.deleted = left, s.deleted+found-left
	}
	return err
}
