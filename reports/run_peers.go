package reports

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"queuelab/measure/host"
	"queuelab/measure/peer"
	"queuelab/measure/record"
)

// bench finds and measures load generators.
type bench struct {
	find     func(names []string) ([]peer.Tool, []peer.Missing, error)
	cost     func(context.Context, peer.CostPlan) ([]peer.Cost, error)
	queries  func(context.Context, peer.CostPlan) ([]peer.Cost, error)
	lateness func(context.Context, peer.LatenessPlan) ([]peer.Lateness, error)
	speed    func() time.Duration // of a fixed piece of work
}

// realBench measures the real ones.
var realBench = bench{peer.Find, peer.MeasureCost, peer.MeasureQueries, peer.MeasureLateness, func() time.Duration { return host.Speed(-1) }}

// measurePeers goes through the experiments that compare load generators, with those
// that are installed.
func (r *runner) measurePeers(ctx context.Context) error {
	if !r.Study.HasPeers() {
		return nil
	}
	r.step("looking for load generators", 0)
	found, missing, err := r.bench.find(r.Study.tools())
	if err != nil {
		return err
	}
	out := &PeersResult{}
	for _, t := range found {
		t.Path = fromHere(t.Path)
		out.Tools = append(out.Tools, ToolResult(t))
	}
	for _, m := range missing {
		out.Missing = append(out.Missing, MissingResult(m))
	}
	if !slices.ContainsFunc(found, func(t peer.Tool) bool { return t.Name == ourselves }) {
		return fmt.Errorf("the program %s itself is not found to be run beside the others; install it with: make build", ourselves)
	}
	r.results.Peers = out
	r.results.Header.Host = host.Facts()
	r.left -= r.peersTime(names(missing))
	for _, e := range r.Study.Experiments {
		if !e.ofPeers() {
			continue
		}
		if err := r.measurePeersOf(ctx, e, found); err != nil {
			return fmt.Errorf("%s: %w", e.Title, err)
		}
	}
	return nil
}

func names(missing []peer.Missing) (all []string) {
	for _, m := range missing {
		all = append(all, m.Name)
	}
	return all
}

func (r *runner) measurePeersOf(ctx context.Context, e Experiment, found []peer.Tool) error {
	var tools []peer.Tool
	for _, name := range e.Tools {
		for _, t := range found {
			if t.Name == name {
				tools = append(tools, t)
			}
		}
	}
	length := r.profile.peerLength(e.Kind)
	if e.Kind != LatenessKind {
		return r.measureCost(ctx, e, peer.CostPlan{Tools: tools, Clients: e.Clients[0], Length: length, Runs: r.profile.Reps})
	}
	for _, rate := range e.Rates {
		err := r.measureLateness(ctx, e, peer.LatenessPlan{Tools: tools, Rate: rate, Length: length, Runs: r.profile.Reps})
		if err != nil {
			return err
		}
	}
	return nil
}

// measureCost keeps the runs that there are, also when one of them failed.
func (r *runner) measureCost(ctx context.Context, e Experiment, plan peer.CostPlan) error {
	measure := r.bench.cost
	if e.Kind == QueriesKind {
		measure = r.bench.queries
	}
	var work steadiness
	plan.Watch = r.watch(&work, plan.Length)
	costs, err := measure(ctx, plan)
	if len(costs) == 0 {
		return errors.Join(err, notMeasured(err))
	}
	c := &CostResult{Title: e.Title, Kind: e.Kind, Clients: plan.Clients, Seconds: plan.Length.Seconds(), Runs: costRuns(costs), Work: append(work, r.timed())}
	c.Goals = c.judge(e.Goals)
	r.results.Peers.Costs = append(r.results.Peers.Costs, c)
	r.taken += len(costs)
	return err
}

func (r *runner) measureLateness(ctx context.Context, e Experiment, plan peer.LatenessPlan) error {
	var work steadiness
	plan.Watch = r.watch(&work, plan.Length)
	runs, err := r.bench.lateness(ctx, plan)
	if len(runs) == 0 {
		return errors.Join(err, notMeasured(err))
	}
	l := &LatenessResult{Title: e.Title, Rate: plan.Rate, Seconds: plan.Length.Seconds(), Runs: latenessRuns(runs), Work: append(work, r.timed())}
	l.Goals = l.judge(e.Goals)
	r.results.Peers.Lateness = append(r.results.Peers.Lateness, l)
	r.taken += len(runs)
	return err
}

// watch times the machine before each run, and announces it.
func (r *runner) watch(work *steadiness, length time.Duration) func(step string) {
	return func(step string) {
		*work = append(*work, r.timed())
		r.step(step, length)
	}
}

func (r *runner) timed() record.Value { return record.Milliseconds(r.bench.speed()) }

// notMeasured is an error where a measurement gave neither runs nor one.
func notMeasured(err error) error {
	if err != nil {
		return nil
	}
	return errors.New("no run was measured")
}

// peersTime is how long the experiments with these load generators take.
func (r *runner) peersTime(tools []string) time.Duration {
	var sum time.Duration
	for _, e := range r.Study.Experiments {
		runs := 0
		for _, t := range tools {
			if slices.Contains(e.Tools, t) {
				runs += r.profile.Reps * max(1, len(e.Rates))
			}
		}
		sum += time.Duration(runs) * r.profile.peerLength(e.Kind)
	}
	return sum
}

// fromHere is a path as a report tells it: a program inside the working directory is
// told from there, since where that lies says nothing to a reader.
func fromHere(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if inside, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(inside) {
		return inside
	}
	return path
}
