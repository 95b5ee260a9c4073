package measure

import (
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// spinShare is the share of one core that may be spun away, and spinReserve
	// what may be spun ahead of it: some ten of the longest spins.
	spinShare   = 0.25
	spinReserve = 2 * time.Millisecond

	// firstLead and longestLead are how early a pacer wakes to spin: at first, about
	// as late as a timer is on an idle virtual machine, and at most.
	firstLead   = 100 * time.Microsecond
	longestLead = 200 * time.Microsecond

	// The lead follows the quantile longer/(longer+shorter) = 0.95 of how late the
	// timer is: it grows by longer when that was more and shrinks by shorter when less.
	longer  = 9500 * time.Nanosecond
	shorter = 500 * time.Nanosecond

	// lookLength is more than a look at the network takes (2 to 4 µs), unless it finds
	// something to do.
	lookLength = 5 * time.Microsecond
)

// spinner lets the pacers of one run wake some time before their instants and wait
// awake for the rest, since no timer wakes on time. All pacers share one lead, one
// budget, and one turn: only one spins at a time.
//
// Whoever spins keeps Go's scheduler from looking at the network: with one P and a
// goroutine that is always ready to run, even one that yields, answers that have
// come are seen after 10 ms only. So spinning is one look at the network after
// another.
type spinner struct {
	start time.Time
	lead  atomic.Int64 // ns
	spun  atomic.Int64 // ns
	// lapsed is what might have been spun and was not, in ns: silence saves nothing up.
	lapsed atomic.Int64
	taken  atomic.Bool // somebody spins
	event  *os.File    // an eventfd
	raw    syscall.RawConn
	poke   func(fd uintptr) bool
	poked  bool // of whoever spins
}

// newSpinner returns the spinner of a run that began at start; nil, which never
// spins, when the system gives no eventfd.
func newSpinner(start time.Time) *spinner {
	fd, err := unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC)
	if err != nil {
		return nil
	}
	s := &spinner{start: start, event: os.NewFile(uintptr(fd), "eventfd")}
	if s.raw, err = s.event.SyscallConn(); err != nil {
		s.event.Close()
		return nil
	}
	s.lead.Store(int64(firstLead))
	one := []byte{1, 0, 0, 0, 0, 0, 0, 0} // its sum overflows after 2^64 looks
	s.poke = func(fd uintptr) bool {
		if s.poked {
			return true
		}
		s.poked = true
		_, err := unix.Write(int(fd), one)
		return err != nil // else the poller waits for what was written
	}
	return s
}

// Spun is how long the run has spun until now: CPU time that was no work. Time in
// which something else ran meanwhile is left out, so that it is rather too low.
func (s *spinner) Spun() time.Duration {
	if s == nil {
		return 0
	}
	return time.Duration(s.spun.Load())
}

// close ends the spinner; no pacer may use it any more.
func (s *spinner) close() {
	if s != nil {
		s.event.Close()
	}
}

// reserve is how much may be spun at this time, at most spinReserve; below zero when
// it was overdrawn.
func (s *spinner) reserve() time.Duration {
	earned := time.Duration(spinShare*float64(time.Since(s.start))) + spinReserve
	left := earned - s.Spun() - time.Duration(s.lapsed.Load())
	if left > spinReserve { // what is not used in time lapses
		s.lapsed.Add(int64(left - spinReserve))
		left = spinReserve
	}
	return left
}

// early is how long before its instant a pacer is to wake. The lead shrinks with the
// reserve, so that a run that needs more than its share spins a little before every
// instant, instead of fully before some and not at all before others.
func (s *spinner) early() time.Duration {
	share := float64(max(s.reserve(), 0)) / float64(spinReserve)
	return time.Duration(share * float64(s.lead.Load()))
}

// woke tells by how much a pacer woke too late. Pacers that wake together may lose
// one another's step, which does no harm.
func (s *spinner) woke(late time.Duration) {
	lead := time.Duration(s.lead.Load())
	if late > lead {
		lead += longer
	} else {
		lead -= shorter
	}
	s.lead.Store(int64(min(max(lead, lookLength), longestLead)))
}

// spin waits awake until the instant due, counted from the run's start; not at all
// when that is further away than the longest lead, another pacer spins, or the
// budget is used up.
func (s *spinner) spin(due time.Duration) {
	if s.reserve() <= 0 || !s.taken.CompareAndSwap(false, true) {
		return
	}
	defer s.taken.Store(false)
	now := time.Since(s.start)
	if due-now > longestLead {
		return
	}
	for now < due {
		if due-now > lookLength && !s.look() {
			return
		}
		before := now
		now = time.Since(s.start)
		s.spun.Add(int64(min(now-before, lookLength)))
	}
}

// look lets every goroutine run that is ready, or whose answer has come, and returns
// when it is this one's turn again: it waits for an event that has happened already,
// so that the scheduler finds nothing to run and asks the network's poller. It is
// false when the event fails.
func (s *spinner) look() bool {
	s.poked = false
	return s.raw.Read(s.poke) == nil
}
