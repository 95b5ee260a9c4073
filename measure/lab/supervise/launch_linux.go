package supervise

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"

	"queuelab/measure/host/affinity"
	"queuelab/measure/host/self"
)

// Descriptors of the supervisor beyond standard error.
const (
	controlFD = 3 // the Spec comes in; end of file means: kill everything
	statusFD  = 4 // events go out, one JSON object a line
)

// launch starts this program as a supervisor, pinned to the CPU, which its
// children inherit.
func launch(spec Spec, cpu int) (*keeper, error) {
	order, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	program, err := self.Path()
	if err != nil {
		return nil, err
	}
	controlR, controlW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	statusR, statusW, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, controlR.Close(), controlW.Close())
	}
	cmd := &exec.Cmd{
		Path: program,
		Args: []string{role.Name},
		Env:  []string{"PATH=" + os.Getenv("PATH")},
		Dir:  "/",
		// A crash of the supervisor tells its story through the status pipe.
		Stderr:      statusW,
		ExtraFiles:  []*os.File{controlR, statusW},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	err = affinity.On(cpu, cmd.Start)
	controlR.Close()
	statusW.Close()
	if err != nil {
		controlW.Close()
		statusR.Close()
		return nil, err
	}
	events := make(chan event)
	go listen(statusR, cmd, events)
	go controlW.Write(order) // where this fails, the supervisor has ended, which listen reports
	return &keeper{events: events, end: sync.OnceFunc(func() { controlW.Close() })}, nil
}

// listen passes on what the supervisor tells, until it is gone.
func listen(status io.ReadCloser, cmd *exec.Cmd, events chan<- event) {
	defer close(events)
	defer status.Close()
	var other []string
	lines := bufio.NewScanner(status)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			other = append(other, lines.Text())
			continue
		}
		events <- e
	}
	if err := cmd.Wait(); err != nil {
		events <- event{Failed: fmt.Sprintf("the supervisor of a private server ended early (%v); its processes may still run\n%s", err, strings.Join(other, "\n"))}
	}
}
