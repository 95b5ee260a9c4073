package sim

import "math"

// never is the instant of what does not happen.
const never = math.MaxInt64

// after is the instant a duration later; one beyond the clock's range of 292
// years is never.
func after(now, duration int64) int64 {
	if sum := now + duration; sum >= now {
		return sum
	}
	return never
}

// event is something that happens to a job or a client at an instant.
type event struct {
	at  int64
	seq uint64 // which was caused first, for events of one instant
	ref int32  // the job or client
}

func (e *event) before(other *event) bool {
	return e.at < other.at || e.at == other.at && e.seq < other.seq
}

// agenda holds events to come and gives the earliest first: a binary heap,
// typed so that no event is ever boxed or allocated.
type agenda struct {
	heap []event
	seq  uint64
}

// next is the instant of the earliest event.
func (a *agenda) next() int64 {
	if len(a.heap) == 0 {
		return never
	}
	return a.heap[0].at
}

// push puts in an event, caused after all the others.
func (a *agenda) push(at int64, ref int32) {
	a.seq++
	a.insert(event{at, a.seq, ref})
}

func (a *agenda) insert(e event) {
	a.heap = append(a.heap, e)
	h, i := a.heap, len(a.heap)-1
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

// pop takes out the earliest event; there must be one.
func (a *agenda) pop() int32 {
	h := a.heap
	first := h[0].ref
	last := len(h) - 1
	e := h[last]
	a.heap = h[:last]
	if last > 0 {
		sink(a.heap, e)
	}
	return first
}

// sink puts an event in the place of the first one and restores the order.
func sink(h []event, e event) {
	i := 0
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if right := child + 1; right < len(h) && h[right].before(&h[child]) {
			child = right
		}
		if !h[child].before(&e) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = e
}
