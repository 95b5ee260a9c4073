package sim

import "queuelab/measure/workload"

// ps is egalitarian processor sharing: n jobs on c servers each get min(1, c/n)
// of a server, at once and all the time.
//
// A virtual clock shows the service that a job present since its start would
// have been given: it runs at min(1, c/n). A job that arrives departs when the
// virtual clock has gone on by its service time, so arrivals and departures
// change nothing but the clock's speed, and cost the logarithm of n. The
// process is followed in fractions of nanoseconds, each departure at its own
// exact instant; only when it is told is it rounded up, to the first whole
// nanosecond at which the job has had its service. So roundings do not add up,
// and one server empties at the very instants at which FIFO would.
type ps struct {
	clock   clock // of the servers
	servers int
	last    fine // time of the servers' clock at the latest change
	virtual fine // what the virtual clock showed then
	// present holds the jobs by what the virtual clock will show when they
	// depart: whole ns as the instant, its fraction and then the order of
	// arrival as the sequence.
	present agenda
	arrived uint32
	leaves  fine // time of the servers' clock at the next departure
	granted int64
	held    ring[waiter] // those that came during a lock
	locked  bool
}

func newPS(_ string, s *Station, _ *workload.Workload) (discipline, error) {
	return &ps{servers: s.Servers, leaves: fine{ns: never}}, nil
}

// share is min(1, c/n) as a fraction, for the jobs that are present.
func (p *ps) share() (numerator, denominator uint64) {
	c := uint64(p.servers)
	return c, max(c, uint64(len(p.present.heap)))
}

// shown is what the virtual clock shows at a time of the servers' clock, up to
// which nobody came or left.
func (p *ps) shown(at fine) fine {
	c, n := p.share()
	return p.virtual.add(at.sub(p.last).scale(c, n))
}

// plan finds the next departure.
func (p *ps) plan() {
	if len(p.present.heap) == 0 {
		p.leaves = fine{ns: never}
		return
	}
	c, n := p.share()
	p.leaves = p.last.add(finish(&p.present.heap[0]).sub(p.virtual).scale(n, c))
}

// finish is what the virtual clock shows when a job departs.
func finish(e *event) fine { return fine{e.at, uint32(e.seq >> 32)} }

func (p *ps) arrive(now int64, place int32, service int64) {
	if p.locked {
		p.held.push(waiter{service, place})
		return
	}
	at := fine{ns: p.clock.at(now)}
	p.virtual = p.shown(at)
	if p.last.before(at) { // it may be ahead by the tolerance of a departure
		p.last = at
	}
	departure := p.virtual.add(fine{ns: service})
	p.arrived++
	p.present.insert(event{departure.ns, uint64(departure.fraction)<<32 | uint64(p.arrived), place})
	p.granted += service
	p.plan()
}

func (p *ps) next() int64 { return p.clock.real(p.leaves.up()) }

func (p *ps) step() (int32, bool) {
	p.virtual, p.last = finish(&p.present.heap[0]), p.leaves
	place := p.present.pop()
	p.plan()
	return place, true
}

func (p *ps) busyTime(now int64) int64 {
	shown := p.shown(fine{ns: p.clock.at(now)})
	var left fine // to be done of the jobs that are present
	for i := range p.present.heap {
		left = left.add(finish(&p.present.heap[i]).sub(shown))
	}
	return p.granted - left.up()
}

// abandon: the server does not notice.
func (p *ps) abandon(int64, int32) bool { return false }

func (p *ps) stall(now int64, kind workload.StallKind) {
	if kind == workload.Lock {
		p.locked = true
		return
	}
	p.clock.stop(now)
}

func (p *ps) resume(now int64) {
	if !p.locked {
		p.clock.start(now)
		return
	}
	p.locked = false
	for p.held.n > 0 {
		w := p.held.pop()
		p.arrive(now, w.place, w.service)
	}
}
