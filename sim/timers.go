package sim

// timers are instants that each come equally long after they were set, such as
// those at which clients give up on a copy or send a further one. So they come
// in the order of setting: a line is enough, where a heap would be in the way.
//
// Most runs have none, and all ask for the next at every event. So set and next do
// nothing but look whether there are any, which the compiler inlines; in one piece
// with push and first they cost an M/M/1 queue a tenth of its time.
type timers struct {
	after int64 // from the setting; 0 for timers that are never set
	// waited is true where only those count whose request someone still
	// waits for; otherwise all do whose copy is in the station.
	waited bool
	line   ring[timer]
}

type timer struct {
	at     int64
	serial uint64
	place  int32
}

func (t *timers) set(now int64, place int32, serial uint64) {
	if t.after > 0 {
		t.push(now, place, serial)
	}
}

func (t *timers) push(now int64, place int32, serial uint64) {
	t.line.push(timer{after(now, t.after), serial, place})
}

// next is the instant of the first timer that counts.
func (t *timers) next(all *jobs) int64 {
	if t.line.n == 0 {
		return never
	}
	return t.first(all)
}

// first drops the timers before the first that counts, so that they never move
// the clock.
func (t *timers) first(all *jobs) int64 {
	for t.line.n > 0 {
		first := t.line.peek()
		if j := &all.places[first.place]; j.serial == first.serial && (j.waited || !t.waited) {
			return first.at
		}
		t.line.pop()
	}
	return never
}

// pop takes out the first timer and gives its copy; next must have given its
// instant.
func (t *timers) pop() int32 { return t.line.pop().place }
