package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"queuelab/measure/database"
	"queuelab/measure/lab/supervise"
)

// Locker locks a table on a connection of its own, which is opened here.
func (c *Cluster) Locker(ctx context.Context, table string) (supervise.Staller, error) {
	conn, err := pgconn.Connect(ctx, c.DSN())
	if err != nil {
		return nil, fmt.Errorf("open the connection that is to lock the table: %w", err)
	}
	return &locker{conn: conn, table: table}, nil
}

// releaseBound is how long the release of a lock may take; it takes milliseconds.
const releaseBound = 10 * time.Second

// locker holds a table by an exclusive lock. While the lock waits for
// the queries at work, later ones queue behind it: the work in service ends and the
// rest is held.
type locker struct {
	conn  *pgconn.PgConn
	table string
	asked chan error // what became of the LOCK under way; nil when there is none
}

var _ supervise.Staller = (*locker)(nil)

// Stall asks for the lock and does not wait until it is granted.
func (l *locker) Stall() error {
	if l.asked != nil {
		return nil
	}
	if l.conn.IsClosed() {
		return errors.New("lock the table: its connection is closed, since an earlier lock failed")
	}
	results := l.conn.Exec(context.Background(), "BEGIN; LOCK TABLE "+l.table+" IN ACCESS EXCLUSIVE MODE")
	asked := make(chan error, 1)
	l.asked = asked
	go func() {
		_, err := results.ReadAll()
		asked <- err
	}()
	return nil
}

// Resume gives the lock up, granted or not. When that fails the connection is
// closed, at which the server gives the lock up too.
func (l *locker) Resume() error {
	if l.asked == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), releaseBound)
	defer cancel()
	err := l.settle(ctx)
	l.asked = nil
	// A COMMIT that a late cancellation hits leaves an aborted transaction, which
	// another COMMIT ends.
	for tries := 0; err == nil && l.conn.TxStatus() != 'I'; tries++ {
		_, failed := l.conn.Exec(ctx, "COMMIT").ReadAll()
		if tries > 0 || !database.Cancelled(failed) {
			err = failed
		}
	}
	if err != nil {
		return errors.Join(fmt.Errorf("lock the table and give the lock up: %w", err), l.conn.Close(ctx))
	}
	return nil
}

// settle returns when the LOCK has been granted, or cancels it.
func (l *locker) settle(ctx context.Context) error {
	select {
	case err := <-l.asked:
		return err
	default:
	}
	if err := l.conn.CancelRequest(ctx); err != nil {
		l.conn.Conn().Close() // ends the LOCK as far as we are concerned
		<-l.asked
		return fmt.Errorf("cancel it: %w", err)
	}
	select {
	case err := <-l.asked:
		if database.Cancelled(err) {
			return nil
		}
		return err
	case <-ctx.Done():
		l.conn.Conn().Close()
		<-l.asked
		return fmt.Errorf("no answer to its cancellation: %w", ctx.Err())
	}
}

// Close gives the lock up and closes the connection.
func (l *locker) Close() error {
	err := l.Resume()
	if l.conn.IsClosed() {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), releaseBound)
	defer cancel()
	return errors.Join(err, l.conn.Close(ctx))
}
