package cleanup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"queuelab/measure/host/self"
	"queuelab/measure/record"
)

const (
	// readyBound is how long the guard may take to be ready; it takes milliseconds.
	readyBound = time.Minute
	// answerBound is how long Finish waits for the guard's answer.
	answerBound = sweepBound + 30*time.Second
)

// afterFinish is the patience once no request is under way: late rows are those of
// requests that were given up, at most.
var afterFinish = patience{quiet: 400 * time.Millisecond, bound: 15 * time.Second}

// Guard stands by to delete what a run writes.
type Guard struct {
	order   order
	process *exec.Cmd
	control *os.File // to the guard
	status  *os.File // from the guard
	answers *json.Decoder
	finish  func() (record.Rows, error)
}

// launch starts this program as a guard and waits until it is ready.
func launch(ctx context.Context, o order) (*Guard, error) {
	g, err := start(o)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { g.process.Process.Kill() })()
	deadline := time.Now().Add(readyBound)
	g.control.SetWriteDeadline(deadline)
	g.status.SetReadDeadline(deadline)
	var a answer
	err = json.NewEncoder(g.control).Encode(o)
	if err == nil {
		err = g.answers.Decode(&a)
	}
	if err == nil && a.Failed == "" && ctx.Err() == nil {
		return g, nil
	}
	g.process.Process.Kill() // nothing was written yet
	ended := g.release()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case a.Failed != "":
		return nil, errors.New(a.Failed)
	}
	return nil, fmt.Errorf("it ended (%s) before it was ready: %w", ended, err)
}

// start starts the process. It keeps the environment, for the PG* variables, and the
// working directory, for the files that a DSN may name.
func start(o order) (*Guard, error) {
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
	g := &Guard{
		order: o, control: controlW, status: statusR, answers: json.NewDecoder(statusR),
		process: &exec.Cmd{
			Path:        program,
			Args:        []string{guardRole.Name},
			Stderr:      os.Stderr, // for what it has to say when this program is gone
			ExtraFiles:  []*os.File{controlR, statusW},
			SysProcAttr: &syscall.SysProcAttr{Setsid: true},
		},
	}
	g.finish = sync.OnceValues(g.end)
	err = g.process.Start()
	controlR.Close()
	statusW.Close()
	if err != nil {
		return nil, errors.Join(err, controlW.Close(), statusR.Close())
	}
	return g, nil
}

// release waits for the end of the process and says how it ended.
func (g *Guard) release() string {
	g.control.Close()
	_ = g.process.Wait() // its state says the same
	g.status.Close()
	return g.process.ProcessState.String()
}

// Finish has the guard delete the rows, and returns how many there were before the
// run, after it, and after the clean-up. It takes a second or so, and minutes at
// most. It may be called more than once; all calls give the same answer.
//
// An error may come with rows that were counted: when the clean-up would have deleted
// rows from before the run and was rolled back, when more or fewer rows are left than
// there were before, or when the guard had ended early and this process deleted the
// rows in its place.
func (g *Guard) Finish() (record.Rows, error) { return g.finish() }

func (g *Guard) end() (record.Rows, error) {
	deadline := time.Now().Add(answerBound)
	g.control.SetWriteDeadline(deadline)
	g.status.SetReadDeadline(deadline)
	_ = json.NewEncoder(g.control).Encode(request{Finish: true}) // if the guard has ended, there is no answer
	var a answer
	err := g.answers.Decode(&a)
	late := errors.Is(err, os.ErrDeadlineExceeded)
	if late {
		g.process.Process.Kill()
	}
	ended := g.release()
	switch {
	case late:
		return record.Rows{}, fmt.Errorf("the guard that was to delete the rows of the run did not answer within %v: look whether they are still there, and delete them with: %s", answerBound, g.order.SQL)
	case err != nil:
		return g.stepIn(ended)
	case a.Failed != "":
		return a.Rows, errors.New(a.Failed)
	}
	return a.Rows, nil
}

// stepIn deletes the rows in the place of a guard that ended early.
func (g *Guard) stepIn(ended string) (record.Rows, error) {
	rows, err := sweep(g.order)
	if err != nil {
		return rows, fmt.Errorf("the guard of the clean-up ended early (%s): %w", ended, err)
	}
	return rows, fmt.Errorf("the guard of the clean-up ended early (%s), so that nobody would have cleaned up after this program; it deleted the rows itself", ended)
}

func sweep(o order) (record.Rows, error) {
	s, err := newSweeper(o)
	if err != nil {
		return record.Rows{}, err
	}
	return s.sweep(context.Background(), afterFinish)
}
