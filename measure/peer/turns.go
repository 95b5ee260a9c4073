package peer

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// turn is one run of one tool.
type turn struct {
	tool Tool
	kind kind
	run  int // from 1
}

// turns are all runs in their order: A B C, C B A, A B C, so that a machine that grows
// slower or faster steadily harms no tool more than another. A tool for which able
// says no is an error.
func turns(tools []Tool, runs int, able func(kind) bool, what string) ([]turn, error) {
	if len(tools) == 0 {
		return nil, errors.New("no load generator is given to measure: install one, or name another")
	}
	if runs < 1 {
		return nil, fmt.Errorf("%d runs measure nothing: give at least 1", runs)
	}
	var order []turn
	for run := 1; run <= runs; run++ {
		for i := range tools {
			if run%2 == 0 {
				i = len(tools) - 1 - i
			}
			k, err := find(tools[i].Name)
			if err != nil {
				return nil, err
			}
			if !able(k) {
				return nil, fmt.Errorf("%s cannot %s: leave it out", k.name, what)
			}
			order = append(order, turn{tools[i], k, run})
		}
	}
	return order, nil
}

// wholeSeconds is a run's length as every tool takes it.
func wholeSeconds(length time.Duration) (int, error) {
	if length < time.Second || length%time.Second != 0 {
		return 0, fmt.Errorf("a run of %v cannot be asked of all load generators: give whole seconds, at least 1s", length)
	}
	return int(length / time.Second), nil
}

// each runs do for all turns, telling watch of each before.
func each(ctx context.Context, order []turn, watch func(string), what string, do func(context.Context, turn) error) error {
	for i, t := range order {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if watch != nil {
			watch(fmt.Sprintf("%s: %s (%d of %d)", what, t.tool.Name, i+1, len(order)))
		}
		if err := do(ctx, t); err != nil {
			return err
		}
	}
	return nil
}
