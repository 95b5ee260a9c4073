package sim

// listeningSocket is the kernel's part: connections that wait to be accepted,
// and those whose SYN found no room. It works whether or not the server does.
type listeningSocket struct {
	backlog uint
	queue   ring[int32] // connections to be accepted, first come, first accepted
	repeats agenda      // connections by the instant of their next SYN
}

// admit is a SYN. It opens the connection unless the accept queue is full; then
// it is dropped without a word, and the client's kernel will repeat it.
//
// Linux takes the queue for full when it is longer than the backlog
// (sk_acceptq_is_full), so that backlog + 1 connections wait: 512 of them with
// nginx's 511, also seen on a frozen nginx.
func (l *listeningSocket) admit(now int64, c int32, k *connection) bool {
	if l.queue.n > l.backlog {
		l.repeats.push(after(now, synPause(k.syns)), c)
		k.syns++
		return false
	}
	k.state = opened
	l.queue.push(c)
	return true
}

// What Linux does about an unanswered SYN (tcp(7), ip-sysctl): it repeats it
// after the initial retransmission timeout, since 6.5 four more times after the
// same pause (tcp_syn_linear_timeouts), and from then on after double the pause
// before: at 1, 2, 3, 4, 5, 7, 11, 19 … s. Before 6.5 it was 1, 3, 7, 15 … s.
// Linux 6.18 connected to a full nginx that became free after 0.5, 1.5 and
// 5.5 s after 1.01, 2.03 and 7.12 s: its timers are late by 1 to 3 %.
const (
	synTimeout        = 1e9   // ns (TCP_TIMEOUT_INIT)
	synLinearTimeouts = 4     // tcp_syn_linear_timeouts
	synLongest        = 120e9 // ns (TCP_RTO_MAX)
)

// synPause is how long the client's kernel waits for an answer to a SYN before
// which so many were dropped.
func synPause(dropped int32) int64 {
	doublings := max(dropped-synLinearTimeouts, 0)
	if doublings > 6 { // 128 s
		return synLongest
	}
	return synTimeout << doublings
}

// nextRepeat is the instant at which the next SYN is repeated. Those of clients
// that gave up are dropped on the way, so that they never move the clock.
func (l *listeningSocket) nextRepeat(clients *connections) int64 {
	for len(l.repeats.heap) > 0 && clients.all[l.repeats.heap[0].ref].state == withdrawn {
		clients.close(l.repeats.pop())
	}
	return l.repeats.next()
}
