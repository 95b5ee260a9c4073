package sim

// connections are those of the clients. A copy of a request takes an idle one,
// the last used first, or opens one; it never waits for one that is in use or
// is being opened. That is how drivers/http_pool.go does it. (Go's own
// net/http differs: there a request whose connection is still being opened
// takes one that becomes idle.)
type connections struct {
	all  []connection
	free []int32 // places in all
	idle []int32 // the last used at the end
	of   []int32 // the connection of each job, by the job's place
}

type connection struct {
	service int64 // ns that the request on it needs
	used    int64 // instant of its last answer
	place   int32 // of the job that it carries
	answers int32 // given on it
	syns    int32 // that were dropped
	state   connectionState
}

type connectionState uint8

const (
	opening   connectionState = iota // its SYN has not been let in
	opened                           // the client's handshake is done, whether or not the server has accepted
	left                             // opened, but the client has closed it; the server has not noticed
	withdrawn                        // the client gave up while it was opening
)

// What nginx does with kept-alive connections unless told otherwise.
const (
	keepaliveRequests = 1000 // answers on a connection, the last of which closes it (since nginx 1.19.10)
	keepaliveTimeout  = 75e9 // ns without a request after which it is closed
)

// connect opens idle connections before the start.
func (s *connections) connect(n int) {
	for range n {
		c := s.open()
		s.all[c].state = opened
		s.idle = append(s.idle, c)
	}
}

// open gives a place to a connection.
func (s *connections) open() int32 {
	last := len(s.free) - 1
	if last < 0 {
		s.all = append(s.all, connection{})
		return int32(len(s.all) - 1)
	}
	c := s.free[last]
	s.free = s.free[:last]
	s.all[c] = connection{}
	return c
}

// close gives the place back.
func (s *connections) close(c int32) { s.free = append(s.free, c) }

// take is the connection for a copy of a request, and whether it is open
// already.
func (s *connections) take(now int64) (c int32, connected bool) {
	last := len(s.idle) - 1
	if last >= 0 && now-s.all[s.idle[last]].used >= keepaliveTimeout {
		// The one used last is too old, and so are all.
		for _, c := range s.idle {
			s.close(c)
		}
		s.idle = s.idle[:0]
		last = -1
	}
	if last < 0 {
		return s.open(), false
	}
	c = s.idle[last]
	s.idle = s.idle[:last]
	return c, true
}

// carry puts a job on a connection.
func (s *connections) carry(c, place int32, service int64) {
	for int(place) >= len(s.of) {
		s.of = append(s.of, none)
	}
	s.of[place] = c
	s.all[c].place, s.all[c].service = place, service
}

// answer ends the request on a connection, which becomes idle unless one of
// both sides closes it. It returns the job.
func (s *connections) answer(now int64, c int32) (place int32) {
	k := &s.all[c]
	k.answers++
	k.used = now
	if k.state == left || k.answers == keepaliveRequests {
		s.close(c)
	} else {
		s.idle = append(s.idle, c)
	}
	return k.place
}

// leave closes the connection of a job on the client's side; it returns whether
// the server never saw it.
func (s *connections) leave(place int32) (unseen bool) {
	k := &s.all[s.of[place]]
	if k.state == opening {
		k.state = withdrawn
		return true
	}
	k.state = left
	return false
}
