package sim

// timeouts are the instants at which clients give up. Since each comes equally
// long after its request was sent, they expire in the order of sending: a line
// is enough, where a heap would be in the way.
type timeouts struct {
	after int64 // from the sending; 0 for none
	line  ring[expiry]
}

type expiry struct {
	at     int64
	serial uint64
	place  int32
}

func (t *timeouts) start(now int64, place int32, serial uint64) {
	if t.after > 0 {
		t.line.push(expiry{after(now, t.after), serial, place})
	}
}

// next is the instant of the first timeout of a request that is still waited
// for. Those of others are dropped on the way, so that they never move the
// clock.
func (t *timeouts) next(all *jobs) int64 {
	for t.line.n > 0 {
		first := t.line.peek()
		if j := &all.places[first.place]; j.serial == first.serial && j.waited {
			return first.at
		}
		t.line.pop()
	}
	return never
}
