package host

import (
	"syscall"
	"time"
)

// Usage is CPU time of this process and all its threads.
type Usage struct {
	User, System time.Duration
	Known        bool
}

// Used is the CPU time that this process has used so far.
func Used() Usage {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return Usage{}
	}
	return Usage{time.Duration(used.Utime.Nano()), time.Duration(used.Stime.Nano()), true}
}

// Since is what was used since an earlier look.
func (u Usage) Since(before Usage) Usage {
	return Usage{u.User - before.User, u.System - before.System, u.Known && before.Known}
}
