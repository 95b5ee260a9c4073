package trial

import (
	"maps"
	"slices"

	"queuelab/measure/record"
	"queuelab/measure/stats"
)

// Combine makes a trial of runs of the same kind, at least one: medians over the
// runs, counts summed, and the runs themselves in Reps. A median is unknown when it
// is of any of the runs; one that was interrupted is counted and has no part in the
// medians, unless there is no other.
func Combine(name string, runs []*record.Run) *record.Run {
	first := runs[0]
	out := record.NewRun(first.Source)
	out.Model, out.Target, out.Remote = first.Model, first.Target, first.Remote
	out.Workload, out.Seed, out.Stable, out.Formulas = first.Workload, first.Seed, first.Stable, first.Formulas
	out.Connections = map[string]int64{}
	for _, r := range runs {
		add(&out.Requests, r.Requests)
		sum(out.Failures, r.Failures)
		sum(out.Connections, r.Connections)
		out.Overflow += r.Overflow
		out.Interrupted = out.Interrupted || r.Interrupted
		if r.Stable != nil && !*r.Stable {
			out.Stable = r.Stable // one that has no steady state leaves none to the trial
		}
	}
	counted := whole(runs)
	out.FailedTimes = failedTimes(runs)
	medians(out, counted)
	out.Header = header(runs)
	out.Trial = &record.Trial{Name: name, Quantities: repeated(counted), Warnings: warnings(counted)}
	out.Interval = intervals(out.Trial.Quantities)
	out.Line = line(counted)
	out.Validity = validity(runs)
	for _, r := range runs {
		out.Reps = append(out.Reps, slim(r))
	}
	return out
}

// whole are the runs that were not cut by an interruption, or all when there is no
// such run.
func whole(runs []*record.Run) []*record.Run {
	var out []*record.Run
	for _, r := range runs {
		if !r.Interrupted {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return runs
	}
	return out
}

func add(to *record.Counts, c record.Counts) {
	to.Scheduled += c.Scheduled
	to.Answered += c.Answered
	to.Failed += c.Failed
	to.TimedOut += c.TimedOut
	to.Unfinished += c.Unfinished
	to.Unsent += c.Unsent
	to.Copies += c.Copies
}

func sum(to, counts map[string]int64) {
	for what, n := range counts {
		to[what] += n
	}
}

// medians sets the figures of a trial.
func medians(out *record.Run, runs []*record.Run) {
	for _, figure := range []func(*record.Run) *record.Value{
		func(r *record.Run) *record.Value { return &r.Elapsed },
		func(r *record.Run) *record.Value { return &r.Throughput },
		func(r *record.Run) *record.Value { return &r.Utilisation },
		func(r *record.Run) *record.Value { return &r.Loss },
		func(r *record.Run) *record.Value { return &r.InSystem },
		func(r *record.Run) *record.Value { return &r.Growth },
		func(r *record.Run) *record.Value { return &r.Little.Sampled },
		func(r *record.Run) *record.Value { return &r.Little.XW },
		func(r *record.Run) *record.Value { return &r.Little.Gap },
	} {
		*figure(out) = median(runs, func(r *record.Run) record.Value { return *figure(r) })
	}
	for _, figures := range []func(*record.Run) *record.Quantities{
		func(r *record.Run) *record.Quantities { return &r.Latency },
		func(r *record.Run) *record.Quantities { return &r.Wait },
		func(r *record.Run) *record.Quantities { return &r.Service },
		func(r *record.Run) *record.Quantities { return &r.Client },
		func(r *record.Run) *record.Quantities { return &r.Pool },
		func(r *record.Run) *record.Quantities { return &r.Lag },
		func(r *record.Run) *record.Quantities { return &r.Failed },
	} {
		known := *figures(runs[0])
		if known == nil {
			continue
		}
		all := record.Quantities{}
		for key := range known {
			all[key] = median(runs, func(r *record.Run) record.Value { return figures(r).Get(key) })
		}
		*figures(out) = all
	}
	out.Effective = map[string]int64{}
	for _, r := range runs {
		sum(out.Effective, r.Effective)
	}
	for key := range out.Latency {
		out.Latency[key] = median(runs, func(r *record.Run) record.Value { return pooled(key, runs, r) })
	}
}

// pooled is a figure of one run's latencies, as far as the runs together support it.
func pooled(key string, runs []*record.Run, r *record.Run) record.Value {
	if record.Supported(key, runs) {
		return r.Observed(key)
	}
	return r.Latency.Get(key)
}

// median is that of a figure over runs, unknown when it is of any of them.
func median(runs []*record.Run, figure func(*record.Run) record.Value) record.Value {
	values := known(runs, figure)
	if values == nil {
		return record.Unknown()
	}
	return record.Value(stats.Median(values))
}

// known are the values of a figure in the order of the runs, nil when one of them
// is unknown.
func known(runs []*record.Run, figure func(*record.Run) record.Value) []float64 {
	var values []float64
	for _, r := range runs {
		v := figure(r)
		if !v.Known() {
			return nil
		}
		values = append(values, float64(v))
	}
	return values
}

// repeated says how far throughput and latencies move from run to run.
func repeated(runs []*record.Run) map[string]record.Repeated {
	out := map[string]record.Repeated{
		record.ThroughputKey: record.NewRepeated(known(runs, func(r *record.Run) record.Value { return r.Throughput })),
	}
	for key := range runs[0].Latency {
		out[key] = record.NewRepeated(known(runs, func(r *record.Run) record.Value { return pooled(key, runs, r) }))
	}
	return out
}

// level is the confidence of the intervals of a run.
const level = 0.95

// intervals are those of the medians of latencies that reach it, which takes six
// runs.
func intervals(quantities map[string]record.Repeated) map[string]record.Interval {
	out := map[string]record.Interval{}
	for key, q := range quantities {
		if key != record.ThroughputKey && q.Level >= level {
			out[key] = q.Interval
		}
	}
	return out
}

// header is the trial's: the first run's, until the end of the last. What belongs to
// one run alone is left to the runs.
func header(runs []*record.Run) *record.Header {
	first, last := runs[0].Header, runs[len(runs)-1].Header
	if first == nil || last == nil {
		return nil
	}
	h := *first
	h.End, h.SpeedAfter = last.End, last.SpeedAfter
	h.Steal, h.Rows = "", nil
	return &h
}

// slim is a run without the facts of machine and server, which stand in the trial's
// header.
func slim(r *record.Run) *record.Run {
	out := *r
	if r.Header != nil {
		h := *r.Header
		h.Host, h.Server = nil, nil
		out.Header = &h
	}
	out.Failures, out.Connections = maps.Clone(r.Failures), maps.Clone(r.Connections)
	out.Reps = slices.Clone(r.Reps)
	return &out
}
