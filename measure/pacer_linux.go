package measure

import (
	"math"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// timerPacer waits on a timerfd through the runtime's poller. It wakes some
// 50 to 100 µs late where the runtime's own timers are up to a millisecond
// late, without holding a thread.
type timerPacer struct {
	start  time.Time
	clock  int64 // CLOCK_MONOTONIC at start, in ns
	timer  *os.File
	raw    syscall.RawConn // keeps the descriptor open while it is used
	arm    func(fd uintptr)
	at     int64 // when arm lets the timer expire, in ns of CLOCK_MONOTONIC
	failed error // of arm
	closed atomic.Bool
	coarse *coarsePacer // waits when the timer fails
	ticks  [8]byte
}

var _ Pacer = (*timerPacer)(nil)

// NewPacer returns the best pacer of this system, whose instants count from
// start. Without a timerfd it is the coarse one.
func NewPacer(start time.Time) Pacer {
	clock, err := monotonic(start)
	if err != nil {
		return newCoarsePacer(start)
	}
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return newCoarsePacer(start)
	}
	p := &timerPacer{start: start, clock: clock, timer: os.NewFile(uintptr(fd), "timerfd"), coarse: newCoarsePacer(start)}
	if p.raw, err = p.timer.SyscallConn(); err != nil {
		p.timer.Close()
		return newCoarsePacer(start)
	}
	p.arm = func(fd uintptr) {
		spec := unix.ItimerSpec{Value: unix.NsecToTimespec(p.at)}
		p.failed = unix.TimerfdSettime(int(fd), unix.TFD_TIMER_ABSTIME, &spec, nil)
	}
	return p
}

// monotonic is the reading of CLOCK_MONOTONIC at start. It may be late by the
// time between two looks at the clock, the shortest of a few, and never early.
func monotonic(start time.Time) (int64, error) {
	clock, shortest := int64(0), time.Duration(math.MaxInt64)
	for range 3 {
		var now unix.Timespec
		before := time.Since(start)
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
			return 0, err
		}
		if between := time.Since(start) - before; between < shortest {
			clock, shortest = now.Nano()-int64(before), between
		}
	}
	return clock, nil
}

func (p *timerPacer) Wait(due time.Duration) bool {
	for due > time.Since(p.start) {
		p.at = p.clock + int64(due)
		if !p.expire() {
			// Closed, which ends the coarse wait too, or the timer failed: a schedule
			// that ended here would end early without a word.
			return p.coarse.Wait(due)
		}
	}
	return !p.closed.Load()
}

// expire returns when the timer has expired at p.at; false when it was closed or
// failed.
func (p *timerPacer) expire() bool {
	if err := p.raw.Control(p.arm); err != nil || p.failed != nil {
		return false
	}
	_, err := p.timer.Read(p.ticks[:])
	return err == nil
}

func (p *timerPacer) Close() {
	p.closed.Store(true)
	p.coarse.Close()
	p.timer.Close() // last: whoever wakes finds the others closed
}
