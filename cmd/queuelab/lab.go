package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
	<-ctx.Done()
	return server.Stop()
}
