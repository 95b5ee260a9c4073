package sim

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// counted is an accept station that counts what goes in and out.
type counted struct {
	*accept
	arrived, departed, gone, repeated int
	work                              int64
}

func (c *counted) arrive(now int64, place int32, service int64) {
	c.arrived++
	c.work += service
	c.accept.arrive(now, place, service)
}

func (c *counted) step() (int32, bool) {
	place, departs := c.accept.step()
	if departs {
		c.departed++
	} else {
		c.repeated++
	}
	return place, departs
}

func (c *counted) abandon(now int64, place int32) bool {
	gone := c.accept.abandon(now, place)
	if gone {
		c.gone++
		c.work -= c.clients.copies[place].service
	}
	return gone
}

// flush lets the station end what the run has left in it, but for the copies that
// still wait for a connection and whose timeouts nobody tells of any more.
func (c *counted) flush(now int64) {
	if c.locked || c.clock.still {
		c.resume(now)
	}
	for c.next() != never {
		c.step()
	}
	for place, k := range c.clients.copies {
		if c.clients.waits(turn{k.serial, int32(place)}) && k.serial > 0 {
			c.abandon(now, int32(place))
		}
	}
}

// TestAcceptAccount: in storms of any kind each copy that arrives departs or is
// gone once, the worker has done the work of those that departed and of no
// others, and the room is kept.
func TestAcceptAccount(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var gone, repeated int
	for i := range 150 {
		w := anyStorm(r)
		parameter := []string{"1", "3", "20"}[r.IntN(3)]
		s := Station{Servers: 1, Discipline: "accept:" + parameter}
		var all sinkAll
		e, _, err := prepare(w, &s, &Options{Sinks: []record.Sink{&all}})
		if err != nil {
			t.Fatal(err)
		}
		c := &counted{accept: e.station.(*accept)}
		e.station = c
		e.run(context.Background())
		c.flush(e.now)
		if c.arrived != c.departed+c.gone {
			t.Errorf("%d copies have arrived, %d departed, %d gone", c.arrived, c.departed, c.gone)
		}
		if busy := c.busyTime(c.next()); busy != c.work {
			t.Errorf("the worker worked %v for %v of service", time.Duration(busy), time.Duration(c.work))
		}
		copies := 0
		for i := range all {
			copies += int(all[i].Copies)
		}
		if copies != c.arrived {
			t.Errorf("%d copies were sent, %d have arrived", copies, c.arrived)
		}
		if room := int(c.socket.backlog) + 1; len(c.socket.queue.items) > max(2*room, 16) {
			t.Errorf("the queue has held more than %d", room)
		}
		emptied(t, c.accept, len(c.clients.idle))
		if t.Failed() {
			t.Fatalf("run %d: the workload was %+v at %s", i, w, s.Discipline)
		}
		gone += c.gone
		repeated += c.repeated
	}
	if gone < 100 || repeated < 100 {
		t.Errorf("%d copies gone and %d SYNs repeated in all: the test tests nothing", gone, repeated)
	}
}

// anyStorm draws a workload that overloads a station at times.
func anyStorm(r *rand.Rand) *workload.Workload {
	w := &workload.Workload{
		Seed: r.Uint64(), Requests: 400, Drain: time.Duration(r.Int64N(10e9)),
		Service: []law.Law{law.NewExponential(0.005), law.NewDeterministic(0.005)}[r.IntN(2)],
		Timeout: time.Duration(r.Int64N(4)) * 400 * ms,
	}
	if r.IntN(4) > 0 {
		w.Open, w.Rate = true, 1+400*r.Float64()
	} else {
		w.Clients = 1 + r.IntN(40)
	}
	if r.IntN(2) == 0 {
		w.Retry = workload.Retry{After: 1 + time.Duration(r.Int64N(3e8)), Copies: 1 + r.IntN(4)}
	}
	if r.IntN(2) == 0 {
		w.Stall.Kind = []workload.StallKind{workload.Freeze, workload.Lock}[r.IntN(2)]
		w.Stall.Length = 1 + time.Duration(r.Int64N(3e9))
		w.Stall.Period = w.Stall.Length + 1e6 + time.Duration(r.Int64N(2e9))
	}
	return w
}

// FuzzAcceptParameter: what is taken for a backlog is one, and serves.
func FuzzAcceptParameter(f *testing.F) {
	f.Fuzz(func(t *testing.T, parameter string) {
		d, err := newAccept(parameter, &Station{Servers: 1}, &workload.Workload{Open: true})
		if err != nil {
			return
		}
		a := d.(*accept)
		if a.socket.backlog < 1 || a.socket.backlog > maxBacklog {
			t.Errorf("%q gives a backlog of %d", parameter, a.socket.backlog)
		}
		a.arrive(0, 0, 5)
		if place, departs := a.step(); place != 0 || !departs {
			t.Errorf("%q: job %d departs: %v", parameter, place, departs)
		}
	})
}
