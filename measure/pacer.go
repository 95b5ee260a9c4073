package measure

import (
	"sync"
	"time"
)

// Pacer waits for instants of a schedule. It serves one goroutine.
type Pacer interface {
	// Wait returns at the instant due, counted from the pacer's start, or
	// soon after; at once when it has passed. It returns false when the pacer
	// was closed, whether or not the instant had come.
	Wait(due time.Duration) bool
	// Close ends a Wait that is under way; it may be called more than once,
	// from any goroutine.
	Close()
}

// coarsePacer waits with the runtime's timers, which wake on a grid of about a
// millisecond when the process is idle. It is the fallback where there is no
// timerfd.
type coarsePacer struct {
	start  time.Time
	closed chan struct{}
	close  func()
}

var _ Pacer = (*coarsePacer)(nil)

func newCoarsePacer(start time.Time) *coarsePacer {
	closed := make(chan struct{})
	return &coarsePacer{start, closed, sync.OnceFunc(func() { close(closed) })}
}

func (p *coarsePacer) Wait(due time.Duration) bool {
	if wait := due - time.Since(p.start); wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-p.closed:
		case <-timer.C:
		}
	}
	select {
	case <-p.closed: // also when the instant had come
		return false
	default:
		return true
	}
}

func (p *coarsePacer) Close() { p.close() }
