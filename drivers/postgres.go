package drivers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// closeGrace is how long Close waits for connections to say goodbye to the
// server before it closes their sockets.
const closeGrace = 2 * time.Second

// postgresDriver runs one prepared statement on a pool of connections.
// Requests that wait for a connection are served first come, first served: the
// pool hands connections out through a semaphore whose waiters queue in order.
//
// When a deadline passes, the library closes the connection and asks the
// server to cancel the query; the place in the pool is free again when the
// server has let go, so there are never more queries at work than connections.
type postgresDriver struct {
	config  *pgxpool.Config
	sql     string
	session string // run once on each connection opened before the run
	seconds bool
	size    int

	ready   atomic.Bool // pool and query are set
	pool    *pgxpool.Pool
	query   *query
	address atomic.Pointer[string]
	sockets *sockets
	ledger  ledger

	ctx     context.Context // done when Abort was called
	abort   context.CancelFunc
	aborted atomic.Bool
}

func newPostgres(o Options) (Driver, error) {
	err := refuse("postgres", map[string]bool{
		"URL": o.URL != "", "Method": o.Method != "", "Body": o.Body != "",
		"Header": len(o.Header) > 0, "Expect": len(o.Expect) > 0,
	})
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(o.SQL) == "" {
		return nil, usage("the postgres driver needs a query (-sql), such as SELECT sum(balance) FROM accounts WHERE id BETWEEN $1 AND $1 + 49999")
	}
	config, err := parseDSN(o.DSN)
	if err != nil {
		return nil, err
	}
	d := &postgresDriver{config: config, sql: o.SQL, session: o.Session, seconds: o.ServiceParameter, size: o.Connections, sockets: newSockets()}
	d.ctx, d.abort = context.WithCancel(context.Background())
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		return d.dial(ctx, dial, network, address)
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := prepare(ctx, conn, d.sql)
		if err == nil {
			d.ledger.open()
		}
		return err
	}
	config.BeforeClose = func(*pgx.Conn) { d.ledger.closed.Add(1) }
	return d, nil
}

// trackedSocket is forgotten when it is closed.
type trackedSocket struct {
	net.Conn
	sockets *sockets
}

func (t *trackedSocket) Close() error {
	t.sockets.remove(t.Conn)
	return t.Conn.Close()
}

func (d *postgresDriver) dial(ctx context.Context, dial pgconn.DialFunc, network, address string) (net.Conn, error) {
	conn, err := dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if !d.sockets.add(conn) {
		return nil, net.ErrClosed
	}
	return &trackedSocket{Conn: conn, sockets: d.sockets}, nil
}

func (d *postgresDriver) Connect(ctx context.Context, n int) error {
	if n < 0 {
		return usage("%d clients cannot be connected; give 0 or more", n)
	}
	size := d.size
	if size == 0 {
		size = max(n, 1)
	}
	if d.pool != nil {
		return errors.New("the driver is connected already")
	}
	// Abort interrupts the preflight too.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(d.ctx, cancel)()

	if err := d.try(ctx); err != nil {
		return err
	}
	undisturbed(d.config, size)
	pool, err := pgxpool.NewWithConfig(ctx, d.config)
	if err != nil {
		return &UnreachableError{Target: d.Target(), Err: err}
	}
	d.pool = pool
	if err := d.fill(ctx, size); err != nil {
		return &UnreachableError{Target: d.Target(), Err: err}
	}
	d.ready.Store(true)
	return nil
}

// try opens a connection of its own, has the query prepared on it, and closes
// it: what is wrong with the target or the query shows here.
func (d *postgresDriver) try(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, d.config.ConnConfig)
	if err != nil {
		return &UnreachableError{Target: d.Target(), Err: err}
	}
	defer conn.Close(ctx)
	if address := remoteAddress(d.config, conn.PgConn().Conn()); address != "" {
		d.address.Store(&address)
	}
	described, err := prepare(ctx, conn, d.sql)
	var server *pgconn.PgError
	switch {
	case errors.As(err, &server):
		return &UsageError{
			Reason: fmt.Sprintf("%s does not accept the query: %s (SQLSTATE %s); check the query and the database", d.Target(), server.Message, server.Code),
			Err:    err,
		}
	case err != nil:
		return &UnreachableError{Target: d.Target(), Err: err}
	}
	d.query, err = newQuery(described, conn.TypeMap(), d.seconds)
	return err
}

// fill opens n connections by holding all of them at once, and lets each run
// the session's SQL.
func (d *postgresDriver) fill(ctx context.Context, n int) error {
	for i := range n {
		conn, err := d.pool.Acquire(ctx)
		if err != nil {
			return &nthError{i + 1, n, err}
		}
		defer conn.Release()
		if d.session == "" {
			continue
		}
		if _, err := conn.Conn().PgConn().Exec(ctx, d.session).ReadAll(); err != nil {
			return &nthError{i + 1, n, err}
		}
	}
	return nil
}

func (d *postgresDriver) Do(req *Request) Answer {
	switch {
	case d.aborted.Load():
		return Answer{Class: ClassAborted}
	case !d.ready.Load():
		return Answer{Class: ClassUnconnected}
	}
	// The library watches a context that may end, which costs each query several
	// allocations: one without a deadline is ended by its socket.
	ctx, query := d.ctx, context.Background()
	if !req.Deadline.IsZero() {
		limited, cancel := context.WithDeadline(ctx, req.Deadline)
		defer cancel()
		ctx, query = limited, limited
	}
	began := time.Now()
	conn, err := d.pool.Acquire(ctx)
	waited := time.Since(began)
	if err != nil {
		return d.failure(ctx, err, req.Deadline, waited)
	}
	defer conn.Release()
	if d.aborted.Load() { // perhaps before the socket was there to be interrupted
		return Answer{Pool: waited, Class: ClassAborted}
	}
	err = d.query.run(query, conn.Conn().PgConn(), req)
	if err == nil {
		return Answer{Pool: waited}
	}
	answer := d.failure(ctx, err, req.Deadline, waited)
	if conn.Conn().IsClosed() {
		d.blame(answer)
	}
	return answer
}

// failure turns an error into an answer.
func (d *postgresDriver) failure(ctx context.Context, err error, deadline time.Time, waited time.Duration) Answer {
	switch {
	case d.aborted.Load():
		return Answer{Pool: waited, Class: ClassAborted}
	case ctx.Err() != nil, expired(err, deadline):
		return Answer{Pool: waited, TimedOut: true}
	}
	return Answer{Pool: waited, Class: classify(err)}
}

// blame notes who closed a connection. PostgreSQL announces no close: a FATAL
// error is the answer to the request it ends.
func (d *postgresDriver) blame(a Answer) {
	switch {
	case a.TimedOut:
		d.ledger.cut.Add(1)
	case a.Class != ClassAborted:
		d.ledger.lost.Add(1)
	}
}

func (d *postgresDriver) Abort() {
	d.aborted.Store(true)
	d.abort()
	d.sockets.interrupt()
}

func (d *postgresDriver) Connections() Connections { return d.ledger.counts() }

func (d *postgresDriver) Target() string {
	shown := describe(d.config)
	if remote := d.Remote(); remote != "" {
		shown += " at " + remote
	}
	return shown
}

func (d *postgresDriver) Remote() string {
	if address := d.address.Load(); address != nil {
		return *address
	}
	return ""
}

// Close aborts, then waits for the connections to be closed: politely at
// first, since the server cancels its queries then, but not for long when it
// stands still.
func (d *postgresDriver) Close() error {
	d.Abort()
	if d.pool == nil {
		return nil
	}
	closed := make(chan struct{})
	go func() {
		d.pool.Close()
		close(closed)
	}()
	select {
	case <-closed:
		return nil
	case <-time.After(closeGrace):
	}
	d.sockets.closeAll()
	<-closed
	return nil
}
