package sim

// connections are those of the clients, kept as drivers/http_pool.go keeps them.
// A copy of a request takes an idle connection, the last used first. Where none
// is idle it opens one, and takes that or one that becomes idle before, whichever
// comes first; those that wait for one to become idle get it in the order in
// which they came. A connection that is opened too late for its copy is there for
// others, unless the copy's timeout ends the attempt.
//
// That only matters while SYNs are dropped, since a connection is open at once
// otherwise, but then a great deal: see accept.
type connections struct {
	all     []connection
	free    []int32 // places in all
	idle    []int32 // the last used at the end
	copies  []sentCopy
	line    ring[turn] // copies that wait for a connection, and some that did
	serial  uint64
	timeout int64 // ns that a client waits for an answer, never without a limit
}

// sentCopy is a copy of a request, at the place of its job.
type sentCopy struct {
	service int64  // ns that it needs
	serial  uint64 // tells successive uses of a place apart; 0 when its client has given up waiting for a connection
	on      int32  // the connection that it was sent on; none while it waits for one
}

// turn is a copy that may wait for a connection.
type turn struct {
	serial uint64
	place  int32
}

type connection struct {
	used     int64 // instant since which it is idle
	deadline int64 // instant at which the attempt to open it ends
	opener   turn  // the copy that it was opened for
	place    int32 // of the job that it carries; none when it carries none
	answers  int32 // given on it
	syns     int32 // that were dropped
	accepted bool  // the worker has it
	left     bool  // the client has closed it, and the worker has not noticed
}

// What nginx does with kept-alive connections unless told otherwise.
const (
	keepaliveRequests = 1000 // answers on a connection, the last of which closes it (since nginx 1.19.10)
	keepaliveTimeout  = 75e9 // ns without a request after which it is closed
)

// prepare opens idle connections before the start.
func (s *connections) prepare(n int) {
	for range n {
		c := s.open(0, turn{})
		s.all[c].accepted = true
		s.idle = append(s.idle, c)
	}
}

// enter takes in a copy.
func (s *connections) enter(place int32, service int64) turn {
	for int(place) >= len(s.copies) {
		s.copies = append(s.copies, sentCopy{})
	}
	s.serial++
	s.copies[place] = sentCopy{service, s.serial, none}
	return turn{s.serial, place}
}

// waits says whether a copy waits for a connection.
func (s *connections) waits(t turn) bool {
	k := &s.copies[t.place]
	return k.serial == t.serial && k.on == none
}

// first takes the copy that has waited longest for a connection out of the line.
func (s *connections) first() (t turn, some bool) {
	for s.line.n > 0 {
		if t = s.line.pop(); s.waits(t) {
			return t, true
		}
	}
	return turn{}, false
}

// open gives a place to a connection that is to be opened for a copy.
func (s *connections) open(now int64, opener turn) int32 {
	k := connection{deadline: after(now, s.timeout), opener: opener, place: none}
	last := len(s.free) - 1
	if last < 0 {
		s.all = append(s.all, k)
		return int32(len(s.all) - 1)
	}
	c := s.free[last]
	s.free = s.free[:last]
	s.all[c] = k
	return c
}

// close gives the place back.
func (s *connections) close(c int32) { s.free = append(s.free, c) }

// take is an idle connection, or none.
func (s *connections) take(now int64) int32 {
	for last := len(s.idle) - 1; last >= 0; last-- {
		c := s.idle[last]
		s.idle = s.idle[:last]
		if k := &s.all[c]; !k.accepted || now-k.used < keepaliveTimeout {
			return c
		}
		s.close(c) // the server has
	}
	return none
}

// carry sends a copy on a connection; it returns whether the worker has that and
// can read the request.
func (s *connections) carry(t turn, c int32) (readable bool) {
	s.copies[t.place].on = c
	s.all[c].place = t.place
	return s.all[c].accepted
}

// accept gives a connection to the worker; it returns whether there is a request
// to read.
func (s *connections) accept(c int32) (readable bool) {
	s.all[c].accepted = true
	return s.all[c].place != none
}

// answer ends the request on a connection and returns its job, and whether the
// connection stays open.
func (s *connections) answer(c int32) (place int32, open bool) {
	k := &s.all[c]
	place, k.place = k.place, none
	k.answers++
	return place, !k.left && k.answers < keepaliveRequests
}

// leave is a client that gives up a copy; it returns whether the copy was never
// sent.
func (s *connections) leave(place int32) (unsent bool) {
	k := &s.copies[place]
	if k.on == none {
		k.serial = 0
		return true
	}
	s.all[k.on].left = true
	return false
}
