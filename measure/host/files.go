package host

import (
	"math"
	"os"
	"syscall"
)

// Files are how many files, sockets among them, this process may have open at once
// and how many it has.
type Files struct {
	Limit, Open int
}

// reserved is how many files a process keeps for itself: what it writes, timers, the
// clean-up after a run. A low limit leaves it a quarter.
const reserved = 64

// Left is how many more files may be opened for connections, at least 0.
func (f Files) Left() int { return max(f.Limit-f.Open-min(reserved, f.Limit/4), 0) }

// Need is the limit that leaves room for so many connections.
func (f Files) Need(connections int) int { return connections + f.Open + reserved }

// OpenFiles looks at the files of this process; ok is false where that is not known.
func OpenFiles() (f Files, ok bool) {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return Files{}, false
	}
	for _, dir := range []string{"/proc/self/fd", "/dev/fd"} {
		if entries, err := os.ReadDir(dir); err == nil {
			// One of them is the directory itself.
			return Files{Limit: int(min(uint64(limit.Cur), math.MaxInt32)), Open: len(entries) - 1}, true
		}
	}
	return Files{}, false
}
