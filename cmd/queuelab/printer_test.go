package main

import (
	"bytes"
	"context"
	"errors"
	"testing"
)

func TestPrinterKeepsControlCharactersOff(t *testing.T) {
	var b bytes.Buffer
	p := &printer{to: &b}
	p.Write([]byte("a\x1b[2Jb\tρ\x00\n"))
	if got, want := b.String(), "a?[2Jb\tρ?\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// A result that cannot be printed is a failure, not a success.
func TestUnprintableResultFails(t *testing.T) {
	var stderr bytes.Buffer
	for _, args := range [][]string{
		{"theory", "-model", "M/D/1", "-mean", "5ms", "-rate", "100"},
		{"simulate", "-open", "-rate", "5", "-service", "exp:5ms", "-seconds", "1"},
	} {
		if status := run(context.Background(), &console{full{}, &stderr}, args); status != statusFailed {
			t.Errorf("%v: exit status %d, want %d", args, status, statusFailed)
		}
	}
}

// Whatever an interruption breaks, it is an interruption.
func TestInterruptedVerbIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	status, _, stderr := execute(t, ctx, "bench", "-url", "http://127.0.0.1:1/", "-open", "-rate", "5", "-seconds", "1")
	if status != statusInterrupted {
		t.Errorf("exit status %d, %q; want %d", status, stderr, statusInterrupted)
	}
}
