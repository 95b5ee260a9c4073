package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"queuelab/measure/lab"
)

// runLab starts a private server, says how to reach it, and stops it on Ctrl-C.
func runLab(ctx context.Context, c *console, args []string) error {
	f := newFlags(c, "lab", strings.Join(lab.Names(), " | "))
	words, err := parse(f, args, 1)
	if err != nil {
		return err
	}
	if len(words) == 0 || !slices.Contains(lab.Names(), words[0]) {
		return usagef("name the lab to start: %s", strings.Join(lab.Names(), " or "))
	}
	server, err := lab.Start(ctx, words[0], lab.Options{})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s\nCtrl-C stops it\n", server.Describe())
	return errors.Join(untilGone(ctx, words[0], server), server.Stop())
}

// lookEvery is the time between two looks at whether a lab's server still runs.
const lookEvery = time.Second

// untilGone returns when ctx ends, or with an error when the server ends by
// itself.
func untilGone(ctx context.Context, name string, server lab.Server) error {
	// Servers that are programs of their own tell their first process.
	own, ok := server.(interface{ PID() int })
	if !ok {
		<-ctx.Done()
		return nil
	}
	process, err := os.FindProcess(own.PID())
	if err != nil {
		return fmt.Errorf("the %s lab cannot be watched: %w", name, err)
	}
	defer process.Release()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			// Signal 0 only asks; a server of another user refuses it, and runs.
			if errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone) {
				return fmt.Errorf("the %s lab's server ended by itself: start the lab again", name)
			}
		}
	}
}
