package drivers

import (
	"context"
	"sync"
	"time"
)

// httpPool keeps idle connections, the last one used on top: with little to
// do few connections stay busy, as with the clients that servers are tuned
// for.
type httpPool struct {
	mu   sync.Mutex
	idle []*httpConn
	shut bool
	// slots limits the connections in use; nil means no limit. Goroutines that
	// wait to send on a full channel are served first come, first served.
	slots chan struct{}
}

// enter waits for its turn when connections are limited, and returns how long
// it waited. leave must follow unless there is an error, which is that of ctx
// or of the deadline.
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

func (p *httpPool) leave() {
	if p.slots != nil {
		<-p.slots
	}
}

// take returns an idle connection, or nil when there is none.
func (p *httpPool) take() *httpConn {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		return nil
	}
	c := p.idle[last]
	p.idle[last] = nil
	p.idle = p.idle[:last]
	return c
}

// put makes a connection idle. It reports false when the pool was emptied for
// good: the connection is then the caller's to close.
func (p *httpPool) put(c *httpConn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shut {
		return false
	}
	p.idle = append(p.idle, c)
	return true
}

// empty returns all idle connections and accepts no more.
func (p *httpPool) empty() []*httpConn {
	p.mu.Lock()
	defer p.mu.Unlock()
	idle := p.idle
	p.idle, p.shut = nil, true
	return idle
}
