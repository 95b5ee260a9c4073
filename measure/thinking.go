package measure

import (
	"container/heap"
	"sync"
	"time"
)

// thinking holds the sessions between two requests, and lets one goroutine wait for
// the earliest to go on, however many there are.
type thinking struct {
	start   time.Time
	spinner *spinner      // of the pacer
	changed chan struct{} // has room for one: there is something new to wait for

	mutex   sync.Mutex
	visits  visits
	pacer   Pacer // of the goroutine that waits; nil before it does
	waiting bool  // for the pacer
	closed  bool
}

func newThinking(start time.Time, awake *spinner) *thinking {
	return &thinking{start: start, spinner: awake, changed: make(chan struct{}, 1)}
}

// push takes in a session until its request is due; false when that does not come.
func (t *thinking) push(v *visit) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.closed {
		return false
	}
	heap.Push(&t.visits, v)
	if t.visits[0] == v {
		t.wake()
	}
	return true
}

// wake ends a wait for an instant that is not the one to wait for any more. A pacer
// that is closed cannot be used again.
func (t *thinking) wake() {
	if t.waiting {
		t.pacer.Close()
		t.pacer, t.waiting = nil, false
	}
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// next returns the session whose request is due next, at its instant. After close it
// returns those that are due, and then false.
func (t *thinking) next() (*visit, bool) {
	for {
		v, more := t.poll()
		if v != nil || !more {
			return v, more
		}
		t.wait()
	}
}

// poll is a session that is due, if there is one, and whether there may be more.
func (t *thinking) poll() (*visit, bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if len(t.visits) > 0 && t.visits[0].due <= time.Since(t.start) {
		return heap.Pop(&t.visits).(*visit), true
	}
	if t.closed && t.pacer != nil {
		t.pacer.Close()
		t.pacer = nil
	}
	return nil, !t.closed
}

// wait returns when the earliest session is due, or something has changed.
func (t *thinking) wait() {
	t.mutex.Lock()
	if t.closed || len(t.visits) == 0 {
		closed := t.closed
		t.mutex.Unlock()
		if !closed {
			<-t.changed
		}
		return
	}
	if t.pacer == nil {
		t.pacer = newPacer(t.start, t.spinner)
	}
	pacer, due := t.pacer, t.visits[0].due
	t.waiting = true
	t.mutex.Unlock()
	pacer.Wait(due) // false when there is something else to wait for
	t.mutex.Lock()
	t.waiting = false
	t.mutex.Unlock()
}

// close gives up the sessions that are not due yet.
func (t *thinking) close() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.closed = true
	t.wake()
}

// visits is a heap by the instant of the next request.
type visits []*visit

func (h visits) Len() int           { return len(h) }
func (h visits) Less(i, j int) bool { return h[i].due < h[j].due }
func (h visits) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *visits) Push(v any)        { *h = append(*h, v.(*visit)) }
func (h *visits) Pop() any {
	last := len(*h) - 1
	v := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return v
}
