package sim

import (
	"fmt"
	"strconv"
	"strings"

	"queuelab/measure/workload"
)

// accept is an accept queue in front of an event loop: one nginx worker with
// nginx's defaults (epoll, one accept each time around, kept-alive connections),
// the kernel's listening socket before it, and clients that keep their
// connections. Requests are served one after another and each to its end, but
// not in the order of their arrival:
//
//   - The loop (accept_loop.go) takes all events that are ready at once, deals
//     with each of them, and only then looks again. The listening socket is one
//     event, however many connections wait behind it, and gives one connection;
//     the request on that is an event of the next time around.
//   - The kernel (accept_socket.go) completes handshakes without the server
//     until backlog + 1 connections wait to be accepted. It drops what comes
//     then, and the client's kernel sends it again after a second.
//   - The clients (accept_connections.go) send on an idle connection, the last
//     one used first, and open one where none is idle.
//
// With all connections open this is FIFO. After a freeze it is far from it: the
// λL requests that came in its L seconds wait in the accept queue, of which each
// time around takes one, while new requests travel on the connections of those
// that were answered. What the new requests leave of the server empties the
// queue, at a rate of μ − λ, so that its last one waits λL/(μ − λ). A second
// freeze finds connections enough and is FIFO again.
//
// A request whose client has gone costs as much as any other: the server reads
// it before it sees that the connection was closed, and gzip writes nothing
// before its end. Of 300 requests each for an 80,000 byte page, compressed at
// level 9, nginx 1.22.1 spent 4.16 ms of CPU on those that were waited for and
// 4.18 ms on the others.
//
// What is left out: nginx's 512 connections a worker, near which (at 480) it
// closes those that seem idle, with any request that is on its way; the client's
// kernel, which after two minutes of unanswered SYNs gives up; and the time that
// it takes to connect and to accept, some 0.1 ms.
//
// Against nginx 1.22.1 on one CPU of Linux 6.18 (4.4 ms of CPU a request,
// Poisson arrivals of 160/s, stopped for 2 s in every 12), the model with the
// same service and the same arrivals gives, measured in brackets:
//
//   - without retries, 26 s: p50 15 (17), p90 1863 (1866), p99 4290 (4222),
//     max 4849 (4810) ms, and 345 (345) connections opened; with another seed
//     p50 14 (16), p90 1860 (1840), p99 4603 (5342), max 5197 (5779) ms.
//   - three copies 200 ms apart and a timeout of 5 s, 40 s: 5302 (5279) of 6336
//     requests answered, with p50 33 (42), p90 1275 (1262), p99 3280 (3312) ms
//     and 12590 (12591) copies; with another seed 5289 (5239) of 6375.
//   - the same with late binding: 3144 (3778) answered. Most answers come close
//     to the timeout then, so that little decides; net/http itself got 3621 and
//     3897.
type accept struct {
	clients connections
	socket  listeningSocket
	loop    eventLoop
	clock   clock // of the worker; that of the kernel never stops
	serving int32 // the connection whose request is in service, or none
	finish  int64 // of that service, on the worker's clock
	granted int64 // service time of all requests that ever began
	locked  bool  // nothing begins
}

// none stands for a connection that there is not.
const none = -1

// maxBacklog is more than any kernel lets wait.
const maxBacklog = 1_000_000

// newAccept takes the backlog as its parameter; nginx's is 511. With ",late"
// behind it, clients bind late. Closed clients have a connection each from the
// start.
func newAccept(parameter string, s *Station, w *workload.Workload) (discipline, error) {
	number, binding, given := strings.Cut(parameter, ",")
	backlog, err := strconv.Atoi(number)
	if err != nil || backlog < 1 || backlog > maxBacklog {
		return nil, fmt.Errorf("a backlog is a whole number from 1 to %d, not %q", maxBacklog, number)
	}
	if given && binding != "late" {
		return nil, fmt.Errorf("nothing but late may follow the backlog, not %q", binding)
	}
	if s.Servers != 1 {
		return nil, fmt.Errorf("an event loop is one server, not %d: ask for one", s.Servers)
	}
	a := &accept{serving: none, finish: never}
	a.socket.backlog = uint(backlog)
	a.clients.late = given
	if !w.Open {
		a.clients.connect(w.Clients)
	}
	return a, nil
}

func (a *accept) arrive(now int64, place int32, service int64) {
	c, connected := a.clients.take(now)
	a.clients.carry(c, place, service)
	if connected {
		a.loop.notify(c)
	} else if !a.knock(now, c) {
		a.clients.await(c)
	}
	a.proceed(now)
}

// knock sends a SYN, and returns whether that opened the connection; otherwise
// it will be sent again.
func (a *accept) knock(now int64, c int32) bool {
	if !a.socket.admit(now, c, &a.clients.all[c]) {
		return false
	}
	a.loop.notifyListening()
	return true
}

// proceed lets the worker begin its next service if it can.
func (a *accept) proceed(now int64) {
	if a.serving != none || a.locked || a.clock.still {
		return
	}
	c := a.loop.request(&a.socket)
	if c == none {
		return
	}
	at := a.clock.at(now)
	a.serving = c
	a.finish = after(at, a.clients.all[c].service)
	a.granted += a.finish - at
}

// finished is the real instant at which the service ends.
func (a *accept) finished() int64 {
	if a.serving == none {
		return never
	}
	return a.clock.real(a.finish)
}

func (a *accept) next() int64 {
	return min(a.finished(), a.socket.nextRepeat(&a.clients))
}

func (a *accept) step() (int32, bool) {
	now := a.finished()
	if repeat := a.socket.nextRepeat(&a.clients); repeat < now {
		a.knock(repeat, a.socket.repeats.pop())
		a.proceed(repeat)
		return 0, false
	}
	c := a.serving
	a.serving = none
	place, more := a.clients.answer(now, c)
	if more {
		a.loop.notify(c)
	}
	a.proceed(now)
	return place, true
}

func (a *accept) busyTime(now int64) int64 {
	if a.serving == none {
		return a.granted
	}
	return a.granted - (a.finish - a.clock.at(now))
}

func (a *accept) abandon(_ int64, place int32) bool { return a.clients.leave(place) }

func (a *accept) stall(now int64, kind workload.StallKind) {
	if kind == workload.Lock {
		a.locked = true
		return
	}
	a.clock.stop(now)
}

func (a *accept) resume(now int64) {
	if a.locked {
		a.locked = false
	} else {
		a.clock.start(now)
	}
	a.proceed(now)
}
