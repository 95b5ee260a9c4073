package supervise

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"
)

// Freezer stops a private server dead and lets it go on.
type Freezer struct {
	server *Process
	held   []*os.Process // stopped, or about to be
}

var _ Staller = (*Freezer)(nil)

// Freezer freezes the server's first process and all its children.
func (p *Process) Freezer() *Freezer { return &Freezer{server: p} }

// Stall stops the first process and then its children, so that a connection that a
// client opens meanwhile, in place of one that timed out, say, waits like all others.
// A process that has been sent SIGSTOP still ends a fork that it had begun: its
// children are looked for when it has stopped.
func (f *Freezer) Stall() error {
	select {
	case <-f.server.ended: // its number may be a stranger's by now
		return fmt.Errorf("the server (process %d) cannot be frozen: it has ended (%s)", f.server.pid, f.server.how)
	default:
	}
	server, err := os.FindProcess(f.server.pid)
	if err != nil {
		return fmt.Errorf("find the server (process %d) to freeze it: %w", f.server.pid, err)
	}
	if err := f.stop(server); err != nil {
		return err
	}
	for until := time.Now().Add(freezeBound); !stopped(f.server.pid) && time.Now().Before(until); {
		time.Sleep(freezeLook)
	}
	children, err := Children(f.server.pid)
	if err != nil {
		return fmt.Errorf("find the processes to freeze: %w", err)
	}
	for _, pid := range children {
		if err := f.stopChild(pid); err != nil {
			return err
		}
	}
	return nil
}

// A process stops within microseconds on a free CPU. One that waits for a disk may
// take longer than a stall should wait for it.
const (
	freezeBound = 100 * time.Millisecond
	freezeLook  = 200 * time.Microsecond
)

// stopChild stops a process that was seen as a child of the server's.
func (f *Freezer) stopChild(pid int) error {
	process, err := os.FindProcess(pid)
	if err != nil {
		return fmt.Errorf("find process %d to freeze it: %w", pid, err)
	}
	// On Linux the handle stays with this one process. Asked now, its parent tells
	// whether the number has gone to a stranger since the look.
	if parent, err := parentID(pid); err != nil || parent != f.server.pid {
		process.Release()
		return nil
	}
	return f.stop(process)
}

// stop stops a process; that it has ended meanwhile is no error.
func (f *Freezer) stop(process *os.Process) error {
	f.held = append(f.held, process) // first: whatever happens, it is continued
	if err := process.Signal(syscall.SIGSTOP); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("freeze process %d: %w", process.Pid, err)
	}
	return nil
}

// Resume lets the processes go on, the first one last: work that was in service goes
// on before new work is taken in.
func (f *Freezer) Resume() error {
	var left []*os.Process
	var failures []error
	for _, process := range slices.Backward(f.held) {
		if err := process.Signal(syscall.SIGCONT); err != nil && !errors.Is(err, os.ErrProcessDone) {
			left = append(left, process)
			failures = append(failures, fmt.Errorf("let process %d go on: %w", process.Pid, err))
			continue
		}
		process.Release()
	}
	slices.Reverse(left)
	f.held = left
	return errors.Join(failures...)
}

// Close is Resume: nothing else is held.
func (f *Freezer) Close() error { return f.Resume() }
