//go:build !linux

package supervise

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// killAfter is how long an interrupted server may take before it is killed.
const killAfter = 5 * time.Second

// SuperviseIfAsked does nothing here: only on Linux is there a supervisor.
func SuperviseIfAsked() { role.Taken() }

// Children is not known here.
func Children(int) ([]int, error) {
	return nil, fmt.Errorf("list the processes of a server: needs Linux: %w", errors.ErrUnsupported)
}

func stopped(int) bool { return true }

func parentID(int) (int, error) {
	return 0, fmt.Errorf("find the parent of a process: needs Linux: %w", errors.ErrUnsupported)
}

// Title is not known here.
func Title(int) (string, error) {
	return "", fmt.Errorf("read the title of a process: needs Linux: %w", errors.ErrUnsupported)
}

// launch runs the commands as plain child processes in a goroutine.
func launch(spec Spec, _ int) (*keeper, error) {
	log, err := spec.make()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(spec.Dir))
	}
	events, asked := make(chan event), make(chan struct{})
	go func() {
		defer close(events)
		defer log.Close()
		run(&spec, log, events, asked)
		<-asked
		if err := os.RemoveAll(spec.Dir); err != nil {
			events <- event{Failed: err.Error()}
		}
	}()
	return &keeper{events: events, end: sync.OnceFunc(func() { close(asked) })}, nil
}

// run returns when the last command has ended, by itself or because it was asked.
func run(spec *Spec, log *os.File, events chan<- event, asked <-chan struct{}) {
	commands := slices.Concat(spec.Before, []Command{spec.Server})
	for i, c := range commands {
		cmd := &exec.Cmd{Path: c.Path, Args: c.argv()}
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = spec.Dir, spec.environment(), log, log
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if u := spec.User; u != nil {
			cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(u.UID), Gid: uint32(u.GID)}
		}
		if err := cmd.Start(); err != nil {
			events <- event{Failed: fmt.Sprintf("start %s: %v", c.Path, err)}
			return
		}
		server := i == len(commands)-1
		if server {
			events <- event{Started: cmd.Process.Pid}
		}
		err := waitOrEnd(cmd, asked)
		if server {
			events <- event{Ended: fmt.Sprint(cmd.ProcessState)}
		} else if err != nil {
			events <- event{Failed: fmt.Sprintf("%s failed: %v", filepath.Base(c.Path), err)}
			return
		}
	}
}

// waitOrEnd waits for a command. Once asked it interrupts it, on which nginx and
// PostgreSQL end their own children, and later kills its process group.
func waitOrEnd(cmd *exec.Cmd, asked <-chan struct{}) error {
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-asked:
	}
	cmd.Process.Signal(os.Interrupt)
	select {
	case err := <-ended:
		return err
	case <-time.After(killAfter):
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		return <-ended
	}
}
