package database

import (
	"context"
	"errors"
	"fmt"
	"time"

	"queuelab/drivers"
)

// Counter counts the requests that a PostgreSQL database has served: by its
// statistics, each request is a transaction. Whatever else begins one is taken away:
// the run's connections, which [Counter.Begin] tries out, this counter's own, and
// autovacuum's visits. What is left beyond the requests are other sessions'.
type Counter struct {
	options  drivers.Options
	sessions int64         // transactions of the connections that are opened beforehand
	patience time.Duration // with closed connections, until they are gone from the server

	began seen // when the run began
	at    time.Time
	look  statistics // what a look of the counter's own adds
	opens int64      // transactions that opening a connection begins
}

// NewCounter returns a counter of the requests that the postgres driver sends with the
// options, for so many closed clients (0: an open loop). It is not ok when a request
// may be none or several transactions.
func NewCounter(o drivers.Options, clients int) (c *Counter, ok bool) {
	if !oneTransaction(o.SQL) {
		return nil, false
	}
	c = &Counter{options: o, patience: goneBound}
	switch {
	case o.Session == "":
	case o.Connections > 0:
		c.sessions = int64(o.Connections) // each sends its SQL as one message
	default:
		c.sessions = int64(max(clients, 1))
	}
	return c, true
}

// Source is the view that counts.
func (c *Counter) Source() string { return "pg_stat_database" }

// tries is how often the cost of looks and of connections is measured at most. What
// others do meanwhile adds to it: it is known when it comes out the same twice running.
const tries = 5

// Begin opens and closes connections as the driver does, and notes the count.
func (c *Counter) Begin(ctx context.Context) error {
	last, _, err := look(ctx, c.options.DSN, nil, c.patience/6) // for what this program did before
	if err != nil {
		return err
	}
	for i := range tries {
		with, without, err := c.try(ctx, last.backends)
		if err != nil {
			return err
		}
		own := without.minus(with.statistics).unvisited()
		opens := with.minus(last.statistics).unvisited().minus(own).transactions / connected
		last = without
		same := i > 0 && own == c.look && opens == c.opens
		c.look, c.opens = own, opens
		if !same {
			continue
		}
		if opens < 1 {
			return errors.New("the database's statistics do not count the transactions of new connections: a connection pooler keeps them out")
		}
		c.began, c.at = last, time.Now()
		return nil
	}
	return errors.New("the database is in use by others all the time, so that what a connection adds to its transactions cannot be told")
}

// try looks after connections were opened and closed, and once more after nothing but
// that look.
func (c *Counter) try(ctx context.Context, known []int32) (with, without seen, err error) {
	if err := c.connect(ctx); err != nil {
		return with, without, err
	}
	with, _, err = look(ctx, c.options.DSN, known, c.patience)
	if err != nil {
		return with, without, err
	}
	without, _, err = look(ctx, c.options.DSN, known, c.patience)
	return with, without, err
}

// connected is how many connections the driver's Connect opens for one client: one of
// its own, to try the query, and the client's.
const connected = 2

// connect connects and disconnects as a driver does.
func (c *Counter) connect(ctx context.Context) error {
	o := c.options
	o.Session, o.Connections = "", 1
	driver, err := drivers.New("postgres", o)
	if err != nil {
		return err
	}
	return errors.Join(driver.Connect(ctx, 1), driver.Close())
}

// End looks at the count again once the run's connections are gone from the server,
// which reports what they did when they end.
func (c *Counter) End(ctx context.Context, opened int64) (int64, error) {
	now, left, err := look(ctx, c.options.DSN, c.began.backends, c.patience)
	if err != nil {
		return 0, err
	}
	if left > 0 {
		return 0, fmt.Errorf("%d connections were still open on the server %v after the run: those of another run, or of queries that nobody waits for any more", left, c.patience)
	}
	since := now.minus(c.began.statistics).minus(c.look)
	visits, err := since.visits(now.naptime, time.Since(c.at))
	if err != nil {
		return 0, err
	}
	const trial = 1 // connection of the driver's own, to try the query
	count := since.transactions - c.opens*(opened+trial) - c.sessions - visits*transactionsOfVisit
	if count < 0 {
		return 0, fmt.Errorf("the database's statistics went back, or leave connections out: %d transactions since the run began, with %d connections", since.transactions, opened)
	}
	return count, nil
}
