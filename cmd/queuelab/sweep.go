package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"queuelab/measure"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// runSweep finds the capacity: the peak of answered/s over closed runs.
func runSweep(ctx context.Context, c *console, args []string) (err error) {
	f := newFlags(c, "sweep", "[flags]")
	aimed := addTargetFlags(f)
	text := f.String("clients", "1,2,4,8,16,32", "the numbers of clients N to run with")
	offered := &workloadFlags{set: f, closed: true}
	addRunFlags(f, offered, 5)
	f.DurationVar(&offered.warmup, "warmup", 0, "traffic before each run whose results are thrown away")
	f.Uint64Var(&offered.seed, "seed", 0, "seed of the keys (default: random)")
	strict := addStrictFlag(f)
	if _, err := parse(f, args, 0); err != nil {
		return err
	}
	clients, err := parseClients(*text)
	if err != nil {
		return err
	}
	if !given(f)["seed"] {
		offered.seed = workload.NewSeed()
	}
	offered.clients = clients[0]
	w, err := offered.workload()
	if err != nil {
		return err
	}
	t, err := aimed.check()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	if err := t.start(ctx, c, aimed.lab); err != nil {
		return err
	}
	peak, invalid, err := sweep(ctx, c, t, clients, *w, offered.warmup)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%.0f\n", math.Round(float64(peak.Throughput)))
	return strictly(*strict, invalid)
}

// sweep runs once with each number of clients and returns the run with the highest
// throughput, and the first that is INVALID, nil when none is.
func sweep(ctx context.Context, c *console, t *target, clients []int, w workload.Workload, warmup time.Duration) (peak, invalid *record.Run, err error) {
	for _, n := range clients {
		w.Clients = n
		progress := startProgress(c, fmt.Sprintf("%d clients", n), w.Length)
		run, err := measure.Take(ctx, measure.Plan{
			Workload: &w, Warmup: warmup,
			Driver: t.driver, Options: t.options, CPU: t.cpu(), Counter: t.counter(&w), Started: progress.begin,
		})
		progress.end()
		if err != nil {
			return nil, nil, err
		}
		fmt.Fprintf(c.err, "clients %d: %s%s\n", n, run.Line, doubt(run))
		if doubt(run) != "" {
			fmt.Fprintf(c.err, "  %s\n", run.Validity.Reasons[0])
		}
		if run.Interrupted {
			return nil, nil, errInterrupted
		}
		if run.Verdict() == record.Invalid && invalid == nil {
			invalid = run
		}
		if run.Throughput.Known() && (peak == nil || run.Throughput > peak.Throughput) {
			peak = run
		}
	}
	if peak == nil {
		return nil, nil, errors.New("nothing was answered, so there is no capacity: look at the failures of one run with queuelab bench")
	}
	return peak, invalid, nil
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
