package sim

import (
	"slices"
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
	// Two wait; the third and fourth are dropped, and take the connections of
	// the first two before their SYNs come again.
	{"a full accept queue", "accept:1", frozen(2500 * ms),
		of4(begin+100*ms, begin+200*ms, begin+300*ms, begin+2400*ms, begin+2600*ms),
		[]time.Duration{begin + 2504*ms, begin + 2508*ms, begin + 2512*ms, begin + 2516*ms, begin + 2604*ms}},
	// The third's SYN comes again at 2,512 ms, during the first service, and finds
	// room, so that it is not the third that gets the first connection, but the
	// fifth.
	{"a SYN before a connection", "accept:1", frozen(2510 * ms),
		of4(begin+100*ms, begin+200*ms, begin+1500*ms, begin+2511*ms, begin+2514*ms),
		[]time.Duration{begin + 2514*ms, begin + 2518*ms, begin + 2530*ms, begin + 2522*ms, begin + 2526*ms}},
	// It comes again as the third has just got the first connection: the one
	// that it opens is for the sixth, which waits on it to be accepted.
	{"a SYN behind a connection", "accept:1", frozen(2508 * ms),
		of4(begin+100*ms, begin+200*ms, begin+1500*ms, begin+2509*ms, begin+2510*ms, begin+2513*ms),
		[]time.Duration{begin + 2512*ms, begin + 2516*ms, begin + 2520*ms, begin + 2524*ms, begin + 2528*ms, begin + 2532*ms}},
	// The same in the order of a loop that is busy rather than frozen. The last
	// finds the first connection closed after 75 s without a request, but not the
	// fourth's, which the worker has not accepted yet.
	{"an idle connection in the accept queue", "accept:1", workload.Stall{},
		[]request{at(0, 1504*ms), at(ms, 80*time.Second), at(2*ms, 4*ms), at(500*ms, 4*ms), at(80*time.Second, 4*ms)},
		[]time.Duration{1504 * ms, 81508 * ms, 81512 * ms, 1508 * ms, 81516 * ms}},
}

func TestAccept(t *testing.T) {
	for _, tt := range acceptScenarios {
		got, e := play(t, workload.Workload{Stall: tt.stall}, Station{Discipline: tt.discipline}, tt.requests...)
		ended(t, tt.what, got, tt.want...)
		var work time.Duration
		for _, r := range tt.requests {
			work += time.Duration(r.service)
		}
		if busy := time.Duration(e.station.busyTime(e.now)); busy != work {
			t.Errorf("%s: the worker worked %v for %v of service", tt.what, busy, work)
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
// does it, as long as the client waits.
func TestAcceptRepeats(t *testing.T) {
	repeats := func(timeout time.Duration) (at []time.Duration) {
		d, _ := newAccept("1", &Station{Servers: 1}, &workload.Workload{Open: true, Timeout: timeout})
		a := d.(*accept)
		a.stall(0, workload.Freeze)
		for place := range int32(3) {
			a.arrive(0, place, 1)
		}
		for len(at) < 13 && a.next() != never {
			at = append(at, time.Duration(a.next()))
			if _, departs := a.step(); departs {
				t.Fatal("a request departs from a frozen worker")
			}
		}
		return at
	}
	// After 1 s that is the next multiple of 32 ms, after 4 s of 256 ms, after 32 s
	// of 2,048 ms, each time from the repetition before.
	all := []time.Duration{1024, 2048, 3072, 4096, 5120, 7136, 11264, 19456, 35584, 69632, 135168, 256000, 376832}
	for i := range all {
		all[i] *= ms
	}
	for timeout, want := range map[time.Duration]int{0: 13, 1: 0, 1024 * ms: 0, 1024*ms + 1: 1, 5 * time.Second: 4, 20 * time.Second: 8} {
		if got := repeats(timeout); !slices.Equal(got, all[:want]) {
			t.Errorf("timeout %v: SYNs are repeated after %v, want %v", timeout, got, all[:want])
		}
	}
}

// TestAcceptCloses: nginx closes a connection with the 1,000th answer, and one
// that nobody has used for 75 s.
func TestAcceptCloses(t *testing.T) {
	// answers are those given on the connections that are open at the end.
	answers := func(requests ...request) (n []int32) {
		_, e := play(t, workload.Workload{}, Station{Discipline: "accept:511"}, requests...)
		a := e.station.(*accept)
		for _, c := range a.clients.idle {
			n = append(n, a.clients.all[c].answers)
		}
		return n
	}
	var many []request
	for i := range 1000 {
		many = append(many, at(time.Duration(i)*10*ms, 4*ms))
	}
	for _, tt := range []struct {
		what      string
		got, want []int32
	}{
		{"999 requests", answers(many[:999]...), []int32{999}},
		{"1,000 requests", answers(many...), nil},
		{"1,001 requests", answers(append(many, at(10*time.Second, 4*ms))...), []int32{1}},
		{"nearly 75 s idle", answers(at(0, 4*ms), at(75*time.Second+4*ms-1, 4*ms)), []int32{2}},
		{"75 s idle", answers(at(0, 4*ms), at(75*time.Second+4*ms, 4*ms)), []int32{1}},
		{"the last used first", answers(at(0, 4*ms), at(0, 4*ms), at(50*time.Second, 4*ms), at(100*time.Second, 4*ms), at(100*time.Second, 4*ms)), []int32{3, 1}},
	} {
		if !slices.Equal(tt.got, tt.want) {
			t.Errorf("%s: %d answers on the connections at the end, want %d", tt.what, tt.got, tt.want)
		}
	}
}
