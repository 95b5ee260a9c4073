package sim

// connections are those of the clients. A copy of a request takes an idle one,
// the last used first, or opens one.
//
// Whether it then sticks to the one that it opens only matters while SYNs are
// dropped, but then a great deal. With early binding, that of
// drivers/http_pool.go, it does: new copies find the idle connections, and those
// that wait for a repeated SYN are lost. With late binding, that of Go's net/http,
// the copy that has waited longest takes the next connection that becomes idle,
// and most answers come too late. (net/http goes on to open the connection all
// the same. The model does not: the 11,000 connections more that a storm then
// leaves took 2 to 5 % off its answers.)
type connections struct {
	all     []connection
	free    []int32 // places in all
	idle    []int32 // the last used at the end
	of      []int32 // the connection of each job, by the job's place
	late    bool    // late binding
	waiting ring[opener]
	serial  uint64
}

type connection struct {
	service int64  // ns that the request on it needs
	used    int64  // instant of its last answer
	serial  uint64 // tells successive uses of a place apart
	place   int32  // of the job that it carries
	answers int32  // given on it
	syns    int32  // that were dropped
	state   connectionState
}

// opener is a connection whose copy would take another one.
type opener struct {
	serial uint64
	c      int32
}

type connectionState uint8

const (
	opening   connectionState = iota // its SYN has not been let in
	opened                           // the client's handshake is done, whether or not the server has accepted
	left                             // opened, but the client has closed it; the server has not noticed
	withdrawn                        // it was given up while it was opening
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
	s.serial++
	last := len(s.free) - 1
	if last < 0 {
		s.all = append(s.all, connection{serial: s.serial})
		return int32(len(s.all) - 1)
	}
	c := s.free[last]
	s.free = s.free[:last]
	s.all[c] = connection{serial: s.serial}
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

// await makes a copy wait for whichever connection comes first, if it does so.
func (s *connections) await(c int32) {
	if s.late {
		s.waiting.push(opener{s.all[c].serial, c})
	}
}

// answer ends the request on a connection and returns its job. The connection
// goes on to the next request that waits for one, which it returns too, or
// becomes idle, unless one of both sides closes it.
func (s *connections) answer(now int64, c int32) (place int32, next bool) {
	k := &s.all[c]
	place = k.place
	k.answers++
	k.used = now
	if k.state == left || k.answers == keepaliveRequests {
		s.close(c)
		return place, false
	}
	if w := s.longestWaiting(); w != none {
		s.all[w].state = withdrawn
		s.carry(c, s.all[w].place, s.all[w].service)
		return place, true
	}
	s.idle = append(s.idle, c)
	return place, false
}

// longestWaiting is the connection whose copy has waited longest for one.
func (s *connections) longestWaiting() int32 {
	for s.waiting.n > 0 {
		w := s.waiting.pop()
		if k := &s.all[w.c]; k.serial == w.serial && k.state == opening {
			return w.c
		}
	}
	return none
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
