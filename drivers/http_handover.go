package drivers

import "time"

// connection returns an idle connection that the server has not closed, or the
// first that is opened or comes free, and how long it waited for one that came
// free. It is called with a slot, which goes with the connection; there is none
// left after an error.
func (d *httpDriver) connection(deadline time.Time) (*httpConn, time.Duration, error) {
	for {
		c, turn := d.pool.take(deadline)
		if turn != nil {
			go d.open(turn)
			return d.ready(<-turn.serve, deadline)
		}
		err, now := c.until(deadline), time.Now()
		if err == nil && (now.Sub(c.lastSeen) < idleUnchecked || !c.closedByServer()) {
			c.lastSeen = now
			return c, 0, nil
		}
		d.ledger.lost.Add(1)
		d.drop(c)
	}
}

// ready gives a connection that was just served its request's deadline.
func (d *httpDriver) ready(got served, deadline time.Time) (*httpConn, time.Duration, error) {
	if got.err != nil {
		return nil, 0, got.err
	}
	got.conn.lastSeen = time.Now()
	if err := got.conn.until(deadline); err != nil {
		d.discard(got.conn)
		return nil, got.waited, err
	}
	return got.conn, got.waited, nil
}

// open opens a connection for a turn, whose slot it holds until that has ended:
// then the slot goes with the connection. When the turn was served meanwhile, the
// connection is there for others.
func (d *httpDriver) open(t *turn) {
	c, err := dialHTTP(d.ctx, *d.address.Load(), d.config, t.deadline)
	if err == nil {
		err = d.adopt(c)
	}
	if err != nil {
		d.pool.leave()
		d.pool.settle(t, served{err: err})
		return
	}
	if !d.pool.settle(t, served{conn: c}) {
		d.release(c)
	}
}
