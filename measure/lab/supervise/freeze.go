package supervise

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Freezer stops processes of a private server dead and lets them go on.
type Freezer struct {
	server *Process
	which  func() ([]int, error)
	held   []*os.Process // stopped, or about to be
}

var _ Staller = (*Freezer)(nil)

// Freezer freezes those children of the server's first process that which returns
// at the beginning of a stall. Processes that appear later are left alone.
func (p *Process) Freezer(which func() ([]int, error)) *Freezer {
	return &Freezer{server: p, which: which}
}

// Stall stops the processes. One that has ended meanwhile is no error; that there
// is none at all is.
func (f *Freezer) Stall() error {
	pids, err := f.which()
	if err != nil {
		return fmt.Errorf("find the processes to freeze: %w", err)
	}
	stopped := 0
	for _, pid := range pids {
		process, err := os.FindProcess(pid)
		if err != nil {
			return fmt.Errorf("find process %d to freeze it: %w", pid, err)
		}
		// On Linux the handle stays with this one process. Asked now, its parent tells
		// whether the number has gone to a stranger since the look.
		if parent, err := parentID(pid); err != nil || parent != f.server.pid {
			process.Release()
			continue
		}
		f.held = append(f.held, process) // first: whatever happens, it is continued
		switch err := process.Signal(syscall.SIGSTOP); {
		case err == nil:
			stopped++
		case !errors.Is(err, os.ErrProcessDone):
			return fmt.Errorf("freeze process %d: %w", pid, err)
		}
	}
	if stopped == 0 {
		return fmt.Errorf("no process of the server (%d) was there to be frozen: it may have ended", f.server.pid)
	}
	return nil
}

// Resume lets the processes go on.
func (f *Freezer) Resume() error {
	var left []*os.Process
	var failures []error
	for _, process := range f.held {
		if err := process.Signal(syscall.SIGCONT); err != nil && !errors.Is(err, os.ErrProcessDone) {
			left = append(left, process)
			failures = append(failures, fmt.Errorf("let process %d go on: %w", process.Pid, err))
			continue
		}
		process.Release()
	}
	f.held = left
	return errors.Join(failures...)
}

// Close is Resume: nothing else is held.
func (f *Freezer) Close() error { return f.Resume() }
