package drivers

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// httpPool keeps idle connections, the last one used on top: with little to
// do few connections stay busy, as with the clients that servers are tuned
// for. While requests wait for a connection to be opened, one that comes free
// goes to the first of them, as in the clients that programs are written with
// (net/http among them): behind a full accept queue opening takes seconds.
type httpPool struct {
	mu   sync.Mutex
	idle []*httpConn
	line list.List // of *turn, first come first served
	shut bool
	// slots limits the connections; nil means no limit. One belongs to each
	// connection that is in use or being opened, and goes with it when it is
	// handed over. As nothing is opened beside an idle connection, no more than
	// cap(slots) are ever open or being opened. Goroutines that wait to send on
	// a full channel are served first come, first served.
	slots chan struct{}
}

// turn is a request's place in the line for a connection.
type turn struct {
	place    *list.Element // nil once it was served; guarded by the pool
	serve    chan served   // has room for the one that comes
	began    time.Time
	deadline time.Time // the request's; zero: none
}

// served is a connection, or why there is none.
type served struct {
	conn   *httpConn
	waited time.Duration // in the line, for a connection that was opened for another request
	err    error
}

// enter waits for its turn when connections are limited, and returns how long
// it waited. The slot is then the caller's to pass on or leave, unless there is an
// error, which is that of ctx or of the deadline.
func (p *httpPool) enter(ctx context.Context, deadline time.Time) (time.Duration, error) {
	if p.slots == nil {
		return 0, nil
	}
	select {
	case p.slots <- struct{}{}:
		return 0, nil
	default:
	}
	if !deadline.IsZero() {
		limited, cancel := context.WithDeadline(ctx, deadline)
		defer cancel()
		ctx = limited
	}
	began := time.Now()
	select {
	case p.slots <- struct{}{}:
		return time.Since(began), nil
	case <-ctx.Done():
		return time.Since(began), ctx.Err()
	}
}

// leave gives a slot back.
func (p *httpPool) leave() {
	if p.slots != nil {
		<-p.slots
	}
}

// take returns an idle connection or, when there is none, a turn for the first
// that comes free before the deadline.
func (p *httpPool) take(deadline time.Time) (*httpConn, *turn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		t := &turn{serve: make(chan served, 1), began: time.Now(), deadline: deadline}
		t.place = p.line.PushBack(t)
		return nil, t
	}
	c := p.idle[last]
	p.idle[last] = nil
	p.idle = p.idle[:last]
	return c, nil
}

// put gives a connection that came free, with its slot, to the first in the line,
// or makes it idle and gives the slot back. It reports false when the pool was
// emptied for good: both are then still the caller's.
func (p *httpPool) put(c *httpConn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shut {
		return false
	}
	if first, waited := p.first(); first != nil {
		p.end(first, served{conn: c, waited: waited})
		return true
	}
	p.idle = append(p.idle, c)
	p.leave()
	return true
}

// first returns the first turn in the line and how long it has waited; nil when
// there is none. One past its deadline could only waste a connection: it is left
// to the opening for it, which fails at that deadline too.
func (p *httpPool) first() (*turn, time.Duration) {
	for place := p.line.Front(); place != nil; place = place.Next() {
		t, now := place.Value.(*turn), time.Now()
		if t.deadline.IsZero() || now.Before(t.deadline) {
			return t, now.Sub(t.began)
		}
	}
	return nil, 0
}

// settle ends a turn with what was opened for it. It reports false when the turn
// was served before.
func (p *httpPool) settle(t *turn, with served) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t.place == nil {
		return false
	}
	p.end(t, with)
	return true
}

func (p *httpPool) end(t *turn, with served) {
	p.line.Remove(t.place)
	t.place = nil
	t.serve <- with
}

// empty returns all idle connections and accepts no more.
func (p *httpPool) empty() []*httpConn {
	p.mu.Lock()
	defer p.mu.Unlock()
	idle := p.idle
	p.idle, p.shut = nil, true
	return idle
}
