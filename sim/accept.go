package sim

import (
	"fmt"
	"strconv"

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
// closes those that seem idle, with any request that is on its way; its 60 s
// limit for the first request of an accepted connection; the client's kernel,
// which after two minutes of unanswered SYNs gives up; and the time that it takes
// to connect and to accept, some 0.1 ms. Nor does it have half-open connections:
// of a burst of SYNs that find the last place, many are answered before the
// first one takes it. Their clients hold them for open and send the request, and
// its closing when they give up, again and again (SYN-RECV on the one side,
// FIN-WAIT-1 on the other). In the storm below up to 500 wait so at a time, and
// some 1,300 are left at its end, which keep nginx busy for half a minute more
// with requests that nobody waits for.
//
// Against nginx 1.22.1 on one CPU of Linux 6.18 (some 4.4 ms of CPU a request,
// Poisson arrivals of 160/s, stopped for 2 s in every 12), the model with a
// service of 4.4 ms and the same arrivals gives, measured in brackets:
//
//   - without retries, 26 s: p50 15 (17), p90 1863 (1866), p99 4290 (4222),
//     max 4849 (4810) ms, and 345 (345) connections opened; with another seed
//     p50 14 (16), p90 1860 (1840), p99 4603 (5342), max 5197 (5779) ms.
//   - three copies 200 ms apart and a timeout of 5 s, 40 s: 3387 (2953 and 4099)
//     of 6336 requests answered, with other seeds 3435 (3551) of 6375 and
//     3273 (3447) of 6482. Most answers come close to the timeout, so that little
//     decides between an answer and none.
//
// The order in which waiting copies get connections is what counts in such a
// storm. Where clients keep to the connection that they opened, so that new
// copies find the idle ones, 5279 of the 6336 requests were answered, 5302 in a
// model of that. Go's net/http, which hands over, got 3621 and 3897.
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

// newAccept takes the backlog as its parameter; nginx's is 511. Closed clients
// have a connection each from the start.
func newAccept(parameter string, s *Station, w *workload.Workload) (discipline, error) {
	backlog, err := strconv.Atoi(parameter)
	if err != nil || backlog < 1 || backlog > maxBacklog {
		return nil, fmt.Errorf("a backlog is a whole number from 1 to %d, not %q", maxBacklog, parameter)
	}
	if s.Servers != 1 {
		return nil, fmt.Errorf("an event loop is one server, not %d: ask for one", s.Servers)
	}
	a := &accept{serving: none, finish: never}
	a.socket.backlog = uint(backlog)
	a.clients.timeout = never
	if w.Timeout > 0 {
		a.clients.timeout = int64(w.Timeout)
	}
	if !w.Open {
		a.clients.prepare(w.Clients)
	}
	return a, nil
}

func (a *accept) arrive(now int64, place int32, service int64) {
	t := a.clients.enter(place, service)
	if c := a.clients.take(now); c != none {
		a.send(t, c)
	} else if !a.knock(now, a.clients.open(now, t)) {
		a.clients.line.push(t)
	}
	a.proceed(now)
}

// send sends a copy on a connection.
func (a *accept) send(t turn, c int32) {
	if a.clients.carry(t, c) {
		a.loop.notify(c)
	}
}

// knock sends a SYN, and returns whether that opened the connection.
func (a *accept) knock(now int64, c int32) bool {
	k := &a.clients.all[c]
	if a.socket.full() {
		if !a.socket.repeat(now, c, k) {
			a.clients.close(c)
		}
		return false
	}
	a.socket.queue.push(c)
	a.loop.notifyListening()
	if a.clients.waits(k.opener) {
		a.send(k.opener, c)
	} else {
		a.release(now, c)
	}
	return true
}

// release gives a connection to the copy that has waited longest for one, or
// makes it idle.
func (a *accept) release(now int64, c int32) {
	if t, some := a.clients.first(); some {
		a.send(t, c)
		return
	}
	a.clients.all[c].used = now
	a.clients.idle = append(a.clients.idle, c)
}

// proceed lets the worker begin its next service if it can.
func (a *accept) proceed(now int64) {
	if a.serving != none || a.locked || a.clock.still {
		return
	}
	c := a.loop.request(&a.socket, &a.clients)
	if c == none {
		return
	}
	at := a.clock.at(now)
	a.serving = c
	a.finish = after(at, a.clients.copies[a.clients.all[c].place].service)
	a.granted += a.finish - at
}

// finished is the real instant at which the service ends.
func (a *accept) finished() int64 {
	if a.serving == none {
		return never
	}
	return a.clock.real(a.finish)
}

func (a *accept) next() int64 { return min(a.finished(), a.socket.repeats.next()) }

func (a *accept) step() (int32, bool) {
	now := a.finished()
	if repeat := a.socket.repeats.next(); repeat < now {
		a.knock(repeat, a.socket.repeats.pop())
		a.proceed(repeat)
		return 0, false
	}
	c := a.serving
	a.serving = none
	place, open := a.clients.answer(c)
	if open {
		a.release(now, c)
	} else {
		a.clients.close(c)
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
