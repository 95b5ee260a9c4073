package drivers

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync/atomic"
	"time"
)

// idleUnchecked is how long a connection may lie idle without being looked at
// before it is used again. nginx closes idle connections without a word when
// it runs out of them or after 75 s; looking costs one system call, which a
// busy connection need not pay.
const idleUnchecked = time.Millisecond

// preflightTimeout bounds each connection that is opened before the run, where
// the kernel alone would wait for more than two minutes.
const preflightTimeout = 10 * time.Second

// httpDriver speaks HTTP/1.1 over connections of its own. fasthttp reads the
// answers; its client is not used, because it hides a reset from a close,
// keeps a goroutine that outlives the run, and buffers bodies. That nothing is
// sent twice holds by construction: a request is written once, to one
// connection.
type httpDriver struct {
	target  *httpTarget
	request *httpRequest
	success [1000]bool // by status, which a parser takes only with three digits
	config  *tls.Config

	address atomic.Pointer[string] // set by Connect: what the host was resolved to
	pool    httpPool
	sockets *sockets
	ledger  ledger

	ctx     context.Context // done when Abort was called
	abort   context.CancelFunc
	aborted atomic.Bool
}

func newHTTP(o Options) (Driver, error) {
	if err := refuse("http", map[string]bool{"DSN": o.DSN != "", "SQL": o.SQL != "", "Session": o.Session != ""}); err != nil {
		return nil, err
	}
	target, err := parseTarget(o.URL)
	if err != nil {
		return nil, err
	}
	request, err := newHTTPRequest(target, o)
	if err != nil {
		return nil, err
	}
	d := &httpDriver{target: target, request: request, sockets: newSockets()}
	if err := d.expect(o.Expect); err != nil {
		return nil, err
	}
	if target.secure {
		d.config = &tls.Config{ServerName: target.host, NextProtos: []string{"http/1.1"}}
	}
	if o.Connections > 0 {
		d.pool.slots = make(chan struct{}, o.Connections)
	}
	d.ctx, d.abort = context.WithCancel(context.Background())
	return d, nil
}

// expect sets which statuses are a success.
func (d *httpDriver) expect(statuses []int) error {
	for _, status := range statuses {
		if status < 100 || status > 599 {
			return usage("the expected status %d is no HTTP status; they lie between 100 and 599", status)
		}
		d.success[status] = true
	}
	if len(statuses) == 0 {
		for status := 200; status < 400; status++ {
			d.success[status] = true
		}
	}
	return nil
}

func (d *httpDriver) Connect(ctx context.Context, n int) error {
	if n < 0 {
		return usage("%d clients cannot be connected; give 0 or more", n)
	}
	if d.pool.slots != nil {
		n = min(n, cap(d.pool.slots))
	}
	if d.address.Load() != nil {
		return errors.New("the driver is connected already")
	}
	// Abort interrupts the preflight too.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(d.ctx, cancel)()

	first, address, err := d.locate(ctx)
	if err != nil {
		return &UnreachableError{Target: d.Target(), Err: err}
	}
	d.address.Store(&address)
	if n == 0 {
		return first.socket.Close()
	}
	for i := range n {
		d.pool.enter(ctx, time.Time{}) // at once: there are slots for n
		c := first
		if i > 0 {
			if c, err = dialHTTP(ctx, address, d.config, time.Now().Add(preflightTimeout)); err != nil {
				return &UnreachableError{Target: d.Target(), Err: &nthError{i + 1, n, err}}
			}
		}
		if err := d.adopt(c); err != nil {
			return &UnreachableError{Target: d.Target(), Err: err}
		}
		d.release(c)
	}
	return nil
}

// locate resolves the host, once for the whole run, and returns a connection
// to the first of its addresses that takes one, with that address.
func (d *httpDriver) locate(ctx context.Context) (*httpConn, string, error) {
	hosts, err := net.DefaultResolver.LookupNetIP(ctx, "ip", d.target.host)
	if err != nil {
		return nil, "", err
	}
	var failures []error
	for _, host := range hosts {
		address := d.target.address(host.Unmap().String())
		c, err := dialHTTP(ctx, address, d.config, time.Now().Add(preflightTimeout))
		if err == nil {
			return c, address, nil
		}
		failures = append(failures, err)
	}
	return nil, "", errors.Join(failures...)
}

func (d *httpDriver) Do(req *Request) Answer {
	switch {
	case d.aborted.Load():
		return Answer{Class: ClassAborted}
	case d.address.Load() == nil:
		return Answer{Class: ClassUnconnected}
	}
	waited, err := d.pool.enter(d.ctx, req.Deadline)
	if err != nil {
		return d.failure(err, req.Deadline, waited)
	}
	c, inLine, err := d.connection(req.Deadline)
	waited += inLine
	if err != nil {
		return d.failure(err, req.Deadline, waited)
	}
	x := exchanges.Get().(*exchange)
	defer exchanges.Put(x)
	reusable, err := x.trade(c, d.request.bytes(req.Service, x), d.request.method == "HEAD")
	if err != nil {
		d.discard(c)
		answer := d.failure(err, req.Deadline, waited)
		d.blame(answer)
		return answer
	}
	d.settle(c, x, reusable)
	status := x.response.StatusCode()
	if d.success[status] {
		return Answer{Pool: waited}
	}
	return Answer{Pool: waited, Class: statusClass()[status]}
}

// adopt enters a connection that was opened.
func (d *httpDriver) adopt(c *httpConn) error {
	if !d.sockets.add(c.socket) {
		return net.ErrClosed
	}
	d.ledger.open()
	return nil
}

// settle decides what becomes of a connection whose answer was read whole.
func (d *httpDriver) settle(c *httpConn, x *exchange, reusable bool) {
	switch {
	case reusable:
		d.release(c)
		return
	case x.announcesEnd():
		d.ledger.announced.Add(1)
	default:
		d.ledger.lost.Add(1)
	}
	d.discard(c)
}

// release ends the use of a connection that may carry another request.
func (d *httpDriver) release(c *httpConn) {
	c.lastSeen = time.Now()
	if !d.pool.put(c) {
		d.discard(c)
	}
}

// discard ends the use of a connection that may not.
func (d *httpDriver) discard(c *httpConn) {
	d.drop(c)
	d.pool.leave()
}

// drop closes a connection.
func (d *httpDriver) drop(c *httpConn) {
	c.socket.Close()
	d.sockets.remove(c.socket)
	d.ledger.closed.Add(1)
}

// failure turns an error into an answer.
func (d *httpDriver) failure(err error, deadline time.Time, waited time.Duration) Answer {
	switch {
	case d.aborted.Load():
		return Answer{Pool: waited, Class: ClassAborted}
	case expired(err, deadline):
		return Answer{Pool: waited, TimedOut: true}
	}
	return Answer{Pool: waited, Class: classify(err)}
}

// blame notes who closed a connection whose request had no answer.
func (d *httpDriver) blame(a Answer) {
	switch {
	case a.TimedOut:
		d.ledger.cut.Add(1)
	case a.Class == ClassReset, a.Class == ClassClosed, a.Class == ClassTruncated:
		d.ledger.lost.Add(1)
	}
}

func (d *httpDriver) Abort() {
	d.aborted.Store(true)
	d.abort()
	d.sockets.closeAll()
	for _, c := range d.pool.empty() {
		d.drop(c)
	}
}

func (d *httpDriver) Connections() Connections { return d.ledger.counts() }

func (d *httpDriver) Target() string {
	shown := d.request.method + " " + d.target.shown
	if remote := d.Remote(); remote != "" {
		shown += " at " + remote
	}
	return shown
}

func (d *httpDriver) Remote() string {
	if address := d.address.Load(); address != nil {
		return *address
	}
	return ""
}

func (d *httpDriver) Close() error {
	d.Abort()
	return nil
}
