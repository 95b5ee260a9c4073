package sim

// ring is a first-in-first-out queue that grows as it must and never
// allocates otherwise. Its capacity is a power of two.
type ring[T any] struct {
	items []T
	first uint // of the items in use, counted without wrapping around
	n     uint
}

func (r *ring[T]) push(item T) {
	if r.n == uint(len(r.items)) {
		r.grow()
	}
	r.items[(r.first+r.n)&(uint(len(r.items))-1)] = item
	r.n++
}

// peek is the first item; there must be one.
func (r *ring[T]) peek() *T { return &r.items[r.first&(uint(len(r.items))-1)] }

// pop takes out the first item; there must be one.
func (r *ring[T]) pop() T {
	item := *r.peek()
	r.first++
	r.n--
	return item
}

func (r *ring[T]) grow() {
	bigger := make([]T, max(2*len(r.items), 16))
	for i := range r.n {
		bigger[i] = r.items[(r.first+i)&(uint(len(r.items))-1)]
	}
	r.items, r.first = bigger, 0
}
