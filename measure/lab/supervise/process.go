package supervise

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"queuelab/measure/host/affinity"
	"queuelab/measure/host/self"
)

const (
	// stopBound is how long Stop waits. Killing takes milliseconds and removing a
	// database less than a second; the rest is for a machine that is busy.
	stopBound = 30 * time.Second
	// askEvery is the pause between two questions whether a server is ready.
	askEvery = 20 * time.Millisecond
	// tailBytes is how much of a server's log an error quotes.
	tailBytes = 2000
)

// role is that of a supervisor.
var role = &self.Role{Name: "lab-supervisor"}

// event is what a keeper tells about its server; one field is set.
type event struct {
	Started int    `json:"started,omitempty"` // the server's process id
	Ended   string `json:"ended,omitempty"`   // how the server ended
	Failed  string `json:"failed,omitempty"`  // what could not be done
}

// keeper is whoever runs the commands of a Spec and ends them.
type keeper struct {
	// events is closed when the keeper and all that it started are gone.
	events <-chan event
	// end makes it kill everything; it may be called more than once.
	end func()
}

// Process is a private server with all its processes and its directory.
type Process struct {
	spec     Spec
	cpu      int
	unpinned string // why it is not pinned
	pid      int
	started  chan error    // the outcome of starting
	ended    chan struct{} // closed when the server itself has ended
	gone     chan struct{} // closed when nothing of it is left
	how      string        // how it ended; to be read after ended is closed
	trouble  []error       // what went wrong later; to be read after gone is closed
	stop     func() error
}

// Start makes the private directory, runs the commands of the Spec and returns when
// the server's program has been started, which does not mean that it answers: see
// [Process.Ready]. It is pinned to the last CPU that this process may use, unless
// there is only one. The context bounds the start, not the server's life.
func Start(ctx context.Context, spec Spec) (*Process, error) {
	if !role.Armed() {
		return nil, errors.New("a private server needs a supervisor: call lab.SuperviseIfAsked first thing in main (in a test: in TestMain)")
	}
	if err := spec.User.mayEnter(filepath.Dir(spec.Dir)); err != nil {
		return nil, err
	}
	cpu, unpinned := affinity.LastCPU()
	k, err := launch(spec, cpu)
	if err != nil {
		return nil, fmt.Errorf("start the supervisor of a private server: %w", err)
	}
	p := &Process{
		spec: spec, cpu: cpu, unpinned: unpinned,
		started: make(chan error, 1), ended: make(chan struct{}), gone: make(chan struct{}),
	}
	p.stop = sync.OnceValue(func() error { return p.end(k) })
	go p.follow(k.events)
	select {
	case err = <-p.started:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		err = p.withLog(err)
		return nil, errors.Join(err, p.Stop())
	}
	return p, nil
}

// follow turns events into state until the keeper is gone.
func (p *Process) follow(events <-chan event) {
	starting, running := true, true
	report := func(err error) {
		if starting {
			starting = false
			p.started <- err
		} else if err != nil {
			p.trouble = append(p.trouble, err)
		}
	}
	for e := range events {
		switch {
		case e.Started != 0:
			p.pid = e.Started
			report(nil)
		case e.Ended != "":
			running = false
			p.how = e.Ended
			close(p.ended)
		case e.Failed != "":
			report(errors.New(e.Failed))
		}
	}
	if starting {
		report(errors.New("the supervisor ended before the server was started"))
	}
	if running {
		p.how = "its supervisor ended"
		close(p.ended)
	}
	close(p.gone)
}

// Ready asks until the answer is no error. It gives up when the server ends, when
// the context is done, or after the given time; the error then quotes the last
// answer and the end of the server's log.
func (p *Process) Ready(ctx context.Context, within time.Duration, ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, within, fmt.Errorf("no answer within %v", within))
	defer cancel()
	for {
		answer := ask(ctx)
		if answer == nil {
			return nil
		}
		select {
		case <-p.ended:
			return p.withLog(fmt.Errorf("the server ended (%s) before it answered", p.how))
		case <-ctx.Done():
			return p.withLog(fmt.Errorf("%w (last: %w)", context.Cause(ctx), answer))
		case <-time.After(askEvery):
		}
	}
}

// Stop kills every process of the server and removes its directory. It may be
// called more than once and at any time; all calls give the same answer.
func (p *Process) Stop() error { return p.stop() }

func (p *Process) end(k *keeper) error {
	k.end()
	select {
	case <-p.gone:
		return errors.Join(p.trouble...)
	case <-time.After(stopBound):
		return fmt.Errorf("the private server in %s is still being stopped after %v: look for its processes and remove the directory", p.spec.Dir, stopBound)
	}
}

// PID is the server's first process.
func (p *Process) PID() int { return p.pid }

// Dir is the private directory.
func (p *Process) Dir() string { return p.spec.Dir }

// CPU is the CPU that all processes of the server are pinned to, -1 when they are
// not.
func (p *Process) CPU() int { return p.cpu }

// Placement says where the server runs: "pinned to CPU 1", or that it is not
// pinned and why.
func (p *Process) Placement() string {
	if p.cpu < 0 {
		return "not pinned to a CPU: " + p.unpinned
	}
	return fmt.Sprintf("pinned to CPU %d", p.cpu)
}

// Account says who the server runs as.
func (p *Process) Account() string {
	if p.spec.User == nil {
		return fmt.Sprintf("uid %d", os.Getuid())
	}
	return p.spec.User.Name
}

// withLog adds the end of the server's log to an error.
func (p *Process) withLog(err error) error {
	tail, readErr := tailOf(filepath.Join(p.spec.Dir, logName))
	if readErr != nil || tail == "" {
		return err
	}
	return fmt.Errorf("%w; the server's log ends with:\n%s", err, tail)
}

func tailOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return "", err
	}
	text := make([]byte, min(size, tailBytes))
	n, err := f.ReadAt(text, size-int64(len(text)))
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return string(text[:n]), nil
}
