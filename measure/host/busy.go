package host

import (
	"os"
	"syscall"
	"time"
)

// Busy is how much CPU time has been used up to an instant.
type Busy struct {
	At      time.Time
	Process time.Duration // by this process, in user and kernel mode
	Steal   time.Duration // by the hypervisor, from all CPUs together; a hundredth of a second is its grain
	// HasSteal is false where the system does not count steal.
	HasSteal bool
}

// CPUBusy takes a snapshot.
func CPUBusy() Busy {
	b := Busy{At: time.Now()}
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) == nil {
		b.Process = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	b.Steal, _, b.HasSteal = parseSteal(text(os.DirFS("/"), "proc/stat"))
	return b
}

// Since returns the wall time and the CPU time between an earlier snapshot and this
// one. The steal is known only if both know it.
func (b Busy) Since(before Busy) Spent {
	s := Spent{Wall: b.At.Sub(before.At), Process: b.Process - before.Process}
	if b.HasSteal && before.HasSteal {
		s.Steal, s.HasSteal = b.Steal-before.Steal, true
	}
	return s
}

// Spent is what was used between two snapshots.
type Spent struct {
	Wall     time.Duration
	Process  time.Duration
	Steal    time.Duration
	HasSteal bool
}

// Share is the part, 0 to 1, of the given number of CPUs that this process used.
// It is 0 for no time at all.
func (s Spent) Share(cpus int) float64 {
	if s.Wall <= 0 || cpus <= 0 {
		return 0
	}
	return s.Process.Seconds() / (s.Wall.Seconds() * float64(cpus))
}
