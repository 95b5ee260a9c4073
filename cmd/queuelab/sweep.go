package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"queuelab/measure"
	"queuelab/measure/workload"
)

// longestSweep bounds each run of a sweep, in seconds: 11 days.
const longestSweep = 1e6

// runSweep finds the capacity: the peak of answered/s over closed runs.
func runSweep(ctx context.Context, c *console, args []string) (err error) {
	f := newFlags(c, "sweep", "[flags]")
	aimed := addTargetFlags(f)
	text := f.String("clients", "1,2,4,8,16,32", "the numbers of clients N to run with")
	seconds := f.Float64("seconds", 5, "length of each run in seconds")
	seed := f.Uint64("seed", 0, "seed of the keys (default: random)")
	if _, err := parse(f, args, 0); err != nil {
		return err
	}
	clients, err := parseClients(*text)
	if err != nil {
		return err
	}
	if !(*seconds > 0) || *seconds > longestSweep {
		return usagef("-seconds is %g: it must be above zero and at most %g", *seconds, longestSweep)
	}
	if !given(f)["seed"] {
		*seed = workload.NewSeed()
	}
	t, err := aimed.check()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	if err := t.start(ctx, c, aimed.lab); err != nil {
		return err
	}
	peak, err := sweep(ctx, c, t, clients, *seconds, *seed)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%.0f\n", math.Round(peak))
	return nil
}

// sweep runs once with each number of clients and returns the highest
// throughput.
func sweep(ctx context.Context, c *console, t *target, clients []int, seconds float64, seed uint64) (peak float64, err error) {
	for _, n := range clients {
		length := workload.Nanoseconds(seconds)
		progress := startProgress(c, fmt.Sprintf("%d clients", n), length)
		run, err := measure.Take(ctx, measure.Plan{
			Workload: &workload.Workload{Clients: n, Length: length, Drain: workload.DefaultDrain(length), Seed: seed},
			Driver:   t.driver, Options: t.options, CPU: t.cpu(), Started: progress.begin,
		})
		progress.end()
		if err != nil {
			return 0, err
		}
		fmt.Fprintf(c.err, "clients %d: %s\n", n, run.Line)
		if run.Interrupted {
			return 0, errInterrupted
		}
		if run.Throughput.Known() {
			peak = max(peak, float64(run.Throughput))
		}
	}
	if peak == 0 {
		return 0, errors.New("nothing was answered, so there is no capacity: look at the failures of one run with queuelab bench")
	}
	return peak, nil
}

func parseClients(text string) ([]int, error) {
	var out []int
	for _, word := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 {
			return nil, usagef("-clients %q: %q is not a number of clients of at least 1", text, word)
		}
		out = append(out, n)
	}
	return out, nil
}
