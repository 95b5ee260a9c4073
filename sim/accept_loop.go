package sim

// eventLoop is the order in which the worker deals with events: that of
// epoll's list of what is ready, taken in whole batches. nginx waits for events,
// gets all that are ready (up to 512), and calls one handler after another; a
// handler that serves a request runs until its answer is written. An event that
// happens in the meantime, such as the next request on a connection just
// answered, belongs to a later batch.
//
// Seen with strace on nginx 1.22.1 after a freeze in which four clients
// connected, each of which asks twice:
//
//	epoll_wait: listen            accept 4
//	epoll_wait: listen, 4         accept 8, serve 4
//	epoll_wait: listen, 8, 4      accept 9, serve 8, serve 4
//	epoll_wait: listen, 9, 8, 4   accept 11, serve 9, serve 8, 4 has closed
type eventLoop struct {
	ready ring[int32] // connections and listening, the present batch first
	batch uint        // events of ready that belong to the present batch
	// The listening socket is level-triggered: epoll puts it back at the end of
	// the list each time it reports it, and takes it off once it finds no
	// connection behind it.
	watched bool // listening is in ready, in a batch to come
	accepts bool // listening is in the present batch, with a connection to give
}

// listening stands for the listening socket among the connections.
const listening = -2

// notify tells that a connection has something to read.
func (l *eventLoop) notify(c int32) { l.ready.push(c) }

// notifyListening tells that there is a connection to accept.
func (l *eventLoop) notifyListening() {
	if !l.watched {
		l.watched = true
		l.ready.push(listening)
	}
}

// request goes on to the next connection with a request to serve, accepting on
// the way; none when nothing is ready.
func (l *eventLoop) request(socket *listeningSocket, clients *connections) int32 {
	for l.batch > 0 || l.poll(socket) {
		l.batch--
		c := l.ready.pop()
		if c != listening {
			return c
		}
		if l.accepts {
			l.accepts = false
			if c := socket.queue.pop(); clients.accept(c) {
				l.notify(c)
			}
		}
	}
	return none
}

// poll makes a batch of all that is ready; false when there is nothing.
func (l *eventLoop) poll(socket *listeningSocket) bool {
	l.batch = l.ready.n
	if l.watched {
		l.accepts = socket.queue.n > 0
		l.watched = l.accepts
		if l.watched {
			l.ready.push(listening)
		}
	}
	return l.batch > 0
}
