package sim

// listeningSocket is the kernel's part: connections that wait to be accepted,
// and those whose SYN found no room. It works whether or not the worker does.
type listeningSocket struct {
	backlog uint
	queue   ring[int32] // connections to be accepted, first come, first accepted
	repeats agenda      // connections by the instant of their next SYN
}

// full says whether a SYN is dropped, without a word to the client.
//
// Linux takes the queue for full when it is longer than the backlog
// (sk_acceptq_is_full), so that backlog + 1 connections wait: 512 of them with
// nginx's 511, also seen on a frozen nginx.
func (l *listeningSocket) full() bool { return l.queue.n > l.backlog }

// What Linux does about an unanswered SYN (tcp(7), ip-sysctl): it repeats it
// after the initial retransmission timeout, since 6.5 four more times after the
// same pause (tcp_syn_linear_timeouts), and from then on after double the pause
// before: after 1, 2, 3, 4, 5, 7, 11, 19 … s. Before 6.5 it was 1, 3, 7, 15 … s.
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

// grain is that of Linux's timers (kernel/time/timer.c, "Timer wheel without
// cascading"): one that is set long ahead goes off at the next multiple of 8, 64
// or 512 ticks, here of 4 ms (CONFIG_HZ=250, that of Debian and Ubuntu). So SYNs
// come again in bursts. Linux 6.18 connected to a full nginx that became free
// after 0.5, 1.5 and 5.5 s after 1.01 to 1.03, 2.03 to 2.06 and 7.12 to 7.14 s.
func grain(pause int64) int64 {
	switch {
	case pause < 2016e6:
		return 32e6
	case pause < 16128e6:
		return 256e6
	}
	return 2048e6
}

// repeat plans the next SYN of a connection; false when its client will not wait
// for that.
func (l *listeningSocket) repeat(now int64, c int32, k *connection) bool {
	pause := synPause(k.syns)
	k.syns++
	at, unit := after(now, pause), grain(pause)
	at = after(at, unit-at%unit)
	if at >= k.deadline {
		return false
	}
	l.repeats.push(at, c)
	return true
}
