package supervise

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// SuperviseIfAsked turns this process into a supervisor when it was started as one,
// and then does not return. Every program that starts private servers calls it
// first thing in main, a test in TestMain.
func SuperviseIfAsked() {
	if role.Taken() {
		supervise()
		os.Exit(0)
	}
}

// supervisor runs the commands of one Spec in the process made for it.
type supervisor struct {
	spec    Spec
	log     *os.File
	tell    *json.Encoder
	waiting []Command // not yet started; the server is the last
	begun   time.Time
	running int   // process id of the command started last; 0 once it has ended
	started []int // process ids of all commands
}

func supervise() {
	syscall.CloseOnExec(controlFD)
	syscall.CloseOnExec(statusFD)
	control, status := os.NewFile(controlFD, "control"), os.NewFile(statusFD, "status")
	s := &supervisor{begun: time.Now(), tell: json.NewEncoder(status)}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		s.report(event{Failed: "become the reaper of the server's processes: " + err.Error()})
		return
	}
	ended, asked := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGCHLD)
	signal.Notify(asked, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)

	if json.NewDecoder(control).Decode(&s.spec) != nil {
		return // the program was gone before it said what to run
	}
	closed := make(chan struct{})
	go func() {
		io.Copy(io.Discard, control) // returns at the end of file, whatever its cause
		close(closed)
	}()
	defer s.end()
	if !s.begin() {
		<-closed // leaves the log in place until the program has read it
		return
	}
	for {
		select {
		case <-closed:
			return
		case <-asked:
			return
		case <-ended:
			s.reap()
		}
	}
}

// report tells the program an event. When the program is gone nobody listens, and
// the closed control pipe says so.
func (s *supervisor) report(e event) { _ = s.tell.Encode(e) }

func (s *supervisor) begin() bool {
	log, err := s.spec.make()
	if err != nil {
		s.report(event{Failed: "make the private directory: " + err.Error()})
		return false
	}
	s.log = log
	s.waiting = append(s.spec.Before, s.spec.Server)
	s.next()
	return true
}

// next starts the first command that waits.
func (s *supervisor) next() {
	command := s.waiting[0]
	s.waiting = s.waiting[1:]
	pid, err := s.fork(command)
	if err != nil {
		s.report(event{Failed: fmt.Sprintf("start %s: %v", command.Path, err)})
		return
	}
	s.running = pid
	s.started = append(s.started, pid)
	if len(s.waiting) == 0 {
		s.report(event{Started: pid})
	}
}

func (s *supervisor) fork(c Command) (pid int, err error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return 0, err
	}
	defer null.Close()
	attr := &syscall.ProcAttr{
		Dir:   s.spec.Dir,
		Env:   s.spec.environment(),
		Files: []uintptr{null.Fd(), s.log.Fd(), s.log.Fd()},
		Sys:   &syscall.SysProcAttr{},
	}
	if u := s.spec.User; u != nil {
		attr.Sys.Credential = &syscall.Credential{Uid: uint32(u.UID), Gid: uint32(u.GID)}
	}
	return syscall.ForkExec(c.Path, c.argv(), attr)
}

// reap collects every child that has ended, the server's orphans among them.
func (s *supervisor) reap() {
	for {
		pid, status, err := wait()
		if err != nil || pid == 0 {
			return
		}
		if pid == s.running {
			s.ended(status)
		}
	}
}

// ended goes on after the command started last. Its process id is free from here
// on: an orphan that gets it later is not the command.
func (s *supervisor) ended(status syscall.WaitStatus) {
	s.running = 0
	switch {
	case len(s.waiting) == 0:
		s.report(event{Ended: describe(status)})
	case status.Exited() && status.ExitStatus() == 0:
		s.next()
	default:
		name := filepath.Base(s.spec.Before[len(s.started)-1].Path)
		s.report(event{Failed: fmt.Sprintf("%s failed: %s", name, describe(status))})
	}
}

// end kills every descendant until there is none, and removes what they leave.
//
// A process missed in one look at /proc, because it was just being born or
// orphaned, is found in a later one: only the kernel's word that this process has
// no child left, to which every orphan comes, ends the loop.
func (s *supervisor) end() {
	left := newLeftovers(s.spec, s.begun, s.started)
	for pause := time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		for _, pid := range Descendants(os.Getpid()) {
			left.note(pid)
			_ = syscall.Kill(pid, syscall.SIGKILL) // what has ended meanwhile needs none
		}
		if childless() {
			break
		}
		time.Sleep(pause)
	}
	if err := left.remove(); err != nil {
		s.report(event{Failed: "clean up after a private server: " + err.Error()})
	}
}

func childless() bool {
	for {
		pid, _, err := wait()
		if err != nil {
			return true // ECHILD
		}
		if pid == 0 {
			return false
		}
	}
}

// wait collects one child that has ended: pid 0 when none has, an error when there
// is no child.
func wait() (pid int, status syscall.WaitStatus, err error) {
	for {
		pid, err = syscall.Wait4(-1, &status, syscall.WNOHANG|syscall.WALL, nil)
		if err != syscall.EINTR {
			return pid, status, err
		}
	}
}

func describe(status syscall.WaitStatus) string {
	if status.Signaled() {
		return "signal: " + status.Signal().String()
	}
	return fmt.Sprintf("exit status %d", status.ExitStatus())
}
