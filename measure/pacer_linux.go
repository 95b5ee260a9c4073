package measure

import (
	"math"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// timerPacer waits on a timerfd through the runtime's poller. It wakes some
// 50 to 100 µs late where the runtime's own timers are up to a millisecond
// late, without holding a thread. A thread of its own in clock_nanosleep is worse:
// with one P it keeps it from everybody else.
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
	awake  *spinner     // waits for the last moments; nil when the timer is to do
	ticks  [8]byte
}

var _ Pacer = (*timerPacer)(nil)

// NewPacer returns the best pacer of this system that sleeps until its instants,
// which count from start. Without a timerfd it is the coarse one.
func NewPacer(start time.Time) Pacer { return newPacer(start, nil) }

// newPacer is NewPacer with a spinner of the same start, nil for none, that waits
// for the last moments before each instant.
func newPacer(start time.Time, awake *spinner) Pacer {
	clock, err := monotonic(start)
	if err != nil {
		return newCoarsePacer(start)
	}
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return newCoarsePacer(start)
	}
	p := &timerPacer{start: start, clock: clock, timer: os.NewFile(uintptr(fd), "timerfd"), coarse: newCoarsePacer(start), awake: awake}
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
	if due > time.Since(p.start) {
		// Whoever was given work for the instant before goes first: with one P it would
		// wait until this goroutine sleeps, some 10 µs.
		runtime.Gosched()
		if !p.wait(due) {
			// Closed, which ends the coarse wait too, or the timer failed: a schedule
			// that ended here would end early without a word.
			return p.coarse.Wait(due)
		}
	}
	return !p.closed.Load()
}

// wait returns when the instant has come; false when it was closed or the timer
// failed.
func (p *timerPacer) wait(due time.Duration) bool {
	if p.awake == nil {
		return p.sleep(due)
	}
	wake := due - p.awake.early()
	if wake > time.Since(p.start) {
		if !p.sleep(wake) {
			return false
		}
		p.awake.woke(time.Since(p.start) - wake)
	}
	p.awake.spin(due)
	return p.sleep(due) // at once, unless it was not allowed to spin
}

// sleep is wait without a spin.
func (p *timerPacer) sleep(due time.Duration) bool {
	for due > time.Since(p.start) {
		p.at = p.clock + int64(due)
		if !p.expire() {
			return false
		}
	}
	return true
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
