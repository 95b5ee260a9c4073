package peer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	// spare is how much longer than its schedule a tool may run, until it is killed.
	spare = 60 * time.Second
	// quoted is how many bytes of what a tool printed an error quotes.
	quoted = 1000
)

// outcome is one run of a tool.
type outcome struct {
	tally
	user, system time.Duration // of all its threads, from its start to its end
}

// run runs a tool until it ends and returns what it did and what that cost. When the
// context is done the tool is killed. A run that answered nothing, or where more than
// one request in a hundred failed, is an error: it would measure something else.
func (t Tool) run(ctx context.Context, k kind, j job, length time.Duration) (outcome, error) {
	o, err := t.try(ctx, k, j, length)
	if err != nil {
		return outcome{}, fmt.Errorf("run %s: %w", t.Name, err)
	}
	return o, nil
}

func (t Tool) try(ctx context.Context, k kind, j job, length time.Duration) (_ outcome, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, length+spare, fmt.Errorf("it did not end within %v, %v after its time", length+spare, spare))
	defer cancel()
	dir, err := os.MkdirTemp("", "queuelab-peer-")
	if err != nil {
		return outcome{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for i := 0; i < len(j.files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, j.files[i]), []byte(j.files[i+1]), 0o600); err != nil {
			return outcome{}, err
		}
	}
	text, state, err := t.execute(ctx, dir, j.args)
	if err != nil {
		return outcome{}, err
	}
	if j.report != nil {
		if text, _, err = t.execute(ctx, dir, j.report); err != nil {
			return outcome{}, err
		}
	}
	did, err := k.parse(text)
	if err != nil {
		return outcome{}, fmt.Errorf("its report cannot be read: %w; it ends with:\n%s", err, tail(text))
	}
	if did.answered == 0 || did.failed > (did.answered+did.failed)/100 {
		return outcome{}, fmt.Errorf("%d of its %d requests failed, which would be measured too; its report ends with:\n%s",
			did.failed, did.answered+did.failed, tail(text))
	}
	return outcome{did, state.UserTime(), state.SystemTime()}, nil
}

// execute runs the tool's program once and returns what it printed and what the
// kernel counted.
func (t Tool) execute(ctx context.Context, dir string, args []string) (string, *os.ProcessState, error) {
	var out, complaint bytes.Buffer
	cmd := exec.CommandContext(ctx, t.Path, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &complaint
	// What it started and left behind could hold the pipes open.
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		return "", nil, context.Cause(ctx)
	}
	if err != nil {
		return "", nil, fmt.Errorf("%w; it printed:\n%s", err, tail(out.String()+complaint.String()))
	}
	return out.String(), cmd.ProcessState, nil
}

// tail is the end of what a tool printed.
func tail(text string) string { return text[max(0, len(text)-quoted):] }
