package sim

import (
	"testing"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// begin is when the stalls of the scenarios here begin. None lasts to a second
// one.
const begin = 10 * time.Second

func frozen(length time.Duration) workload.Stall {
	return workload.Stall{Kind: workload.Freeze, Length: length, Period: begin + length}
}

// of4 are requests of 4 ms each.
func of4(due ...time.Duration) (all []request) {
	for _, d := range due {
		all = append(all, at(d, 4*ms))
	}
	return all
}

// acceptScenarios are written down with the instants of their answers. Behind a
// backlog of 1 two connections fit.
var acceptScenarios = []struct {
	what       string
	discipline string
	stall      workload.Stall
	requests   []request
	want       []time.Duration
}{
	{"one request", "accept:511", workload.Stall{}, of4(0), []time.Duration{4 * ms}},
	{"two connections", "accept:511", workload.Stall{}, of4(0, ms), []time.Duration{4 * ms, 8 * ms}},
	{"two at once", "accept:511", workload.Stall{}, of4(0, 0), []time.Duration{4 * ms, 8 * ms}},
	{"an arrival as a service ends", "accept:511", workload.Stall{}, of4(0, 4*ms), []time.Duration{4 * ms, 8 * ms}},
	// At 4 the second is accepted and served, at 8 the third accepted before
	// the service of the second's successor: the fifth, on the connection of
	// the first, comes before the fourth is accepted.
	{"overtaking by an open connection", "accept:511", workload.Stall{}, of4(0, ms, 2*ms, 3*ms, 5*ms),
		[]time.Duration{4 * ms, 8 * ms, 12 * ms, 20 * ms, 16 * ms}},
	{"a freeze in the middle of a service", "accept:511", frozen(20 * ms), of4(begin - 2*ms), []time.Duration{begin + 22*ms}},
	{"a freeze of an idle worker", "accept:511", frozen(20 * ms), of4(begin+ms, begin+2*ms), []time.Duration{begin + 24*ms, begin + 28*ms}},
	// The first leaves a connection, on which the second waits. The next three
	// connect. When the worker goes on at 20 it gets the second and the socket
	// at once, so the third is accepted at 24. Two more come at 25 and 26: for
	// the sixth there is the connection of the second, and the seventh
	// connects, behind the others.
	{"arrivals in a freeze", "accept:511", frozen(20 * ms),
		of4(0, begin+ms, begin+2*ms, begin+3*ms, begin+4*ms, begin+25*ms, begin+26*ms),
		[]time.Duration{4 * ms, begin + 24*ms, begin + 28*ms, begin + 32*ms, begin + 40*ms, begin + 36*ms, begin + 44*ms}},
	// A lock lets the service end and holds the loop in the middle of a batch.
	{"a lock", "accept:511", workload.Stall{Kind: workload.Lock, Length: 20 * ms, Period: begin + 20*ms},
		of4(begin-6*ms, begin-5*ms, begin-4*ms, begin+ms), []time.Duration{begin - 2*ms, begin + 2*ms, begin + 24*ms, begin + 28*ms}},
	// Two wait; the third and fourth are dropped and come again each second
	// until there is room. By then the fifth has found an open connection.
	{"a full accept queue", "accept:1", frozen(2500 * ms),
		of4(begin+100*ms, begin+200*ms, begin+300*ms, begin+2400*ms, begin+2600*ms),
		[]time.Duration{begin + 2504*ms, begin + 2508*ms, begin + 3304*ms, begin + 3404*ms, begin + 2604*ms}},
	// The third SYN comes again as the first service ends, which makes
	// room for it behind the others.
	{"a SYN as room is made", "accept:1", frozen(2500 * ms),
		of4(begin+100*ms, begin+200*ms, begin+1504*ms, begin+2501*ms, begin+2502*ms),
		[]time.Duration{begin + 2504*ms, begin + 2508*ms, begin + 2520*ms, begin + 2512*ms, begin + 2516*ms}},
	// The third SYN comes again after 1, 2, 3, 4, 5, and then 7 s.
	{"doubled pauses", "accept:1", frozen(6000 * ms), of4(begin+100*ms, begin+200*ms, begin+300*ms),
		[]time.Duration{begin + 6004*ms, begin + 6008*ms, begin + 7304*ms}},
	// The third and fourth, dropped, take the connections of the first two.
	{"late binding", "accept:1,late", frozen(2500 * ms),
		of4(begin+100*ms, begin+200*ms, begin+300*ms, begin+400*ms, begin+2600*ms),
		[]time.Duration{begin + 2504*ms, begin + 2508*ms, begin + 2512*ms, begin + 2516*ms, begin + 2604*ms}},
}

func TestAccept(t *testing.T) {
	for _, tt := range acceptScenarios {
		got, e := play(t, workload.Workload{Stall: tt.stall}, Station{Discipline: tt.discipline}, tt.requests...)
		ended(t, tt.what, got, tt.want...)
		if busy, want := time.Duration(e.station.busyTime(e.now)), time.Duration(len(tt.requests))*4*ms; busy != want {
			t.Errorf("%s: the worker worked %v, want %v", tt.what, busy, want)
		}
	}
}

// TestAcceptAbandoned follows requests that time out after half a second while
// the worker is frozen for 2.5 s.
func TestAcceptAbandoned(t *testing.T) {
	w := workload.Workload{Stall: frozen(2500 * ms), Timeout: 500 * ms}
	got, e := play(t, w, Station{Discipline: "accept:1"},
		at(begin-2*ms, 4*ms),      // in service: half of it is left
		at(begin+100*ms, 4*ms),    // queued, and worked on without a client
		at(begin+200*ms, 4*ms),    // queued
		at(begin+300*ms, 4*ms),    // its SYN is dropped, and not sent again
		at(begin+2505*ms, 4*ms),   // behind the other three, whose connections are closed
		at(begin+2600*ms, 4*ms),   // on the connection of the one before
		at(begin+2600*ms+1, 4*ms), // on a new one
		at(begin+2700*ms, 400*ms), // long
		at(begin+2701*ms, 4*ms),   // read and queued behind the long one, and answered too late
		at(begin+3300*ms, 4*ms))   // an answer in time
	want := []time.Duration{begin + 498*ms, begin + 600*ms, begin + 700*ms, begin + 800*ms, begin + 2514*ms, begin + 2604*ms, begin + 2608*ms, begin + 3100*ms, begin + 3104*ms, begin + 3304*ms}
	ended(t, "abandoned", got, want...)
	for i, r := range got {
		outcome := record.Answered
		if i < 4 {
			outcome = record.TimedOut
		}
		if r.Outcome != outcome {
			t.Errorf("request %d: %v, want %v", i, r.Outcome, outcome)
		}
	}
	if busy := time.Duration(e.station.busyTime(e.now)); busy != 8*4*ms+400*ms {
		t.Errorf("the worker worked %v, want %v: all requests but the one that never reached it", busy, 8*4*ms+400*ms)
	}
	emptied(t, e.station.(*accept), 2)
	if n := len(e.jobs.places) - len(e.jobs.free); n != 0 {
		t.Errorf("%d places are still taken", n)
	}
}

// emptied asserts that nothing is left in a station, and so many connections.
func emptied(t *testing.T, a *accept, idle int) {
	t.Helper()
	if at := a.next(); at != never {
		t.Errorf("there is something to come, at %v", time.Duration(at))
	}
	if a.serving != none || a.socket.queue.n != 0 {
		t.Errorf("connection %d is in service and %d are queued", a.serving, a.socket.queue.n)
	}
	if len(a.clients.idle) != idle || len(a.clients.free)+idle != len(a.clients.all) {
		t.Errorf("%d connections idle and %d closed of %d, want %d idle", len(a.clients.idle), len(a.clients.free), len(a.clients.all), idle)
	}
}

// TestAcceptRepeats: a SYN that finds the queue full is sent again when Linux
// does it, and no other instant moves the clock.
func TestAcceptRepeats(t *testing.T) {
	d, _ := newAccept("1", &Station{Servers: 1}, &workload.Workload{Open: true})
	a := d.(*accept)
	a.stall(0, workload.Freeze)
	for place := range int32(4) {
		a.arrive(0, place, 1)
	}
	if !a.abandon(0, 2) || a.abandon(0, 1) {
		t.Error("a dropped request has reached the worker, or a queued one has not")
	}
	for _, want := range []time.Duration{1, 2, 3, 4, 5, 7, 11, 19, 35, 67, 131, 251, 371} {
		if at := time.Duration(a.next()); at != want*time.Second {
			t.Fatalf("a SYN is repeated at %v, want %v", at, want*time.Second)
		}
		if _, departs := a.step(); departs {
			t.Fatal("a request departs from a frozen worker")
		}
	}
}

// TestAcceptCloses: nginx closes a connection with the 1,000th answer, and one
// that nobody has used for 75 s.
func TestAcceptCloses(t *testing.T) {
	opened := func(requests ...request) uint64 {
		_, e := play(t, workload.Workload{}, Station{Discipline: "accept:511"}, requests...)
		return e.station.(*accept).clients.serial
	}
	var many []request
	for i := range 1000 {
		many = append(many, at(time.Duration(i)*10*ms, 4*ms))
	}
	for _, tt := range []struct {
		what string
		got  uint64
		want uint64
	}{
		{"1,000 requests", opened(many...), 1},
		{"1,001 requests", opened(append(many, at(10*time.Second, 4*ms))...), 2},
		{"nearly 75 s idle", opened(at(0, 4*ms), at(75*time.Second+4*ms-1, 4*ms)), 1},
		{"75 s idle", opened(at(0, 4*ms), at(75*time.Second+4*ms, 4*ms)), 2},
		{"the last used first", opened(at(0, 4*ms), at(0, 4*ms), at(50*time.Second, 4*ms), at(100*time.Second, 4*ms), at(100*time.Second, 4*ms)), 3},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %d connections opened, want %d", tt.what, tt.got, tt.want)
		}
	}
}
