package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// shell runs command lines.
type shell struct {
	program string        // what "$0" is to them: this one
	grace   time.Duration // how long one that is interrupted may take to stop its servers
}

// Of a command's output and of its errors so much is read.
const (
	mostOutput = 64 << 20
	mostErrors = 4 << 10
)

// run runs a line, and returns what it printed and the end of what it said on
// standard error. When ctx ends it is interrupted, and killed if it does not end
// then. Nothing that it started in its process group is left running.
func (s shell) run(ctx context.Context, line string) (output []byte, errorText string, err error) {
	// Files, because a pipe would be read until the last process that holds it ends.
	out, err := scratch()
	if err != nil {
		return nil, "", err
	}
	defer out.Close()
	errs, err := scratch()
	if err != nil {
		return nil, "", err
	}
	defer errs.Close()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line, s.program)
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.WaitDelay = s.grace
	err = cmd.Run()
	if cmd.Process != nil {
		// Most often there is nothing left to kill.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	output, failed := contents(out, 0, mostOutput+1)
	if len(output) > mostOutput {
		failed = fmt.Errorf("it printed more than %d MiB", mostOutput>>20)
	}
	end, _ := errs.Seek(0, io.SeekEnd) // which leaves 0 where it cannot
	said, unread := contents(errs, max(end-mostErrors, 0), mostErrors)
	return output, string(said), errors.Join(err, failed, unread)
}

// scratch is a file that goes away when it is closed.
func scratch() (*os.File, error) {
	file, err := os.CreateTemp("", "queuelab-compare-")
	if err != nil {
		return nil, fmt.Errorf("there is no place for a command's output: %w", err)
	}
	return file, os.Remove(file.Name())
}

func contents(file *os.File, from, most int64) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(file, from, most))
}

// because is how a command ended, with its last words.
func because(err error, said string) error {
	if words := lastWords(said); words != "" {
		return fmt.Errorf("%w: %s", err, words)
	}
	return err
}

// lastWords are the last line of what a command said on standard error.
func lastWords(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
