// Package self lets this very program be started once more, in another role: as the
// process that outlives it, or as a server.
package self

import (
	"os"
	"runtime"
	"sync/atomic"
)

// Path is where this program is started from: on Linux the program as it runs now,
// even after a rebuild replaced its file.
func Path() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}

// Role is what this program may be started once more for.
type Role struct {
	// Name is the argv[0] that a process is started with in this role. It differs from
	// the program's own, so that `pkill queuelab` leaves the process to its work.
	Name  string
	armed atomic.Bool
}

// Taken says whether this process was started in the role; on Linux, the role's name
// is then what a list of processes shows.
func (r *Role) Taken() bool {
	r.armed.Store(true)
	if len(os.Args) == 0 || os.Args[0] != r.Name {
		return false
	}
	// Its name is for whoever looks: the process does without.
	_ = os.WriteFile("/proc/self/comm", []byte(r.Name), 0)
	return true
}

// Armed says whether Taken was called. Without that call the program would, started
// in the role, do its ordinary work instead.
func (r *Role) Armed() bool { return r.armed.Load() }
