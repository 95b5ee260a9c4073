package drivers

import "sync/atomic"

// ledger keeps the counts behind Connections. A connection is entered once
// when it opened and once when it closed; why it closed is noted by whoever
// saw it.
type ledger struct {
	opened, closed, announced, lost, reopened atomic.Int64
	// cut counts connections that a timeout or cancellation closed and that no
	// later opening has made up for.
	cut atomic.Int64
}

// open enters a connection that was opened. The first one opened after a
// timeout closed one counts as its reopening, and so on one for one.
func (l *ledger) open() {
	l.opened.Add(1)
	for {
		owed := l.cut.Load()
		if owed == 0 {
			return
		}
		if l.cut.CompareAndSwap(owed, owed-1) {
			l.reopened.Add(1)
			return
		}
	}
}

func (l *ledger) counts() Connections {
	// closed is read first: a connection that opens and closes in between may
	// be counted as open, never as less than none.
	closed := l.closed.Load()
	opened := l.opened.Load()
	return Connections{
		Established: opened - closed,
		Opened:      opened,
		Announced:   l.announced.Load(),
		Lost:        l.lost.Load(),
		Reopened:    l.reopened.Load(),
	}
}
