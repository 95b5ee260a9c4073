package record

import (
	"fmt"
	"maps"
	"slices"
)

// damage says what in a run that was read from a file can be in none; "" for nothing.
func (run *Run) damage() string {
	switch {
	case run == nil:
		return "it holds a run of a trial that is none"
	case !run.Requests.plausible():
		return "its outcomes do not add up to the scheduled requests"
	case run.Validity != nil && !slices.Contains([]string{Valid, Suspect, Invalid}, run.Validity.Verdict):
		return fmt.Sprintf("its verdict %q is none of %s, %s and %s", run.Validity.Verdict, Valid, Suspect, Invalid)
	}
	amounts := run.amounts()
	for _, name := range slices.Sorted(maps.Keys(amounts)) {
		for _, amount := range amounts[name] {
			if amount < 0 { // unknown ones are not
				return fmt.Sprintf("among its %s is %v, which is below zero", name, float64(amount))
			}
		}
	}
	return ""
}

// amounts are what cannot be below zero in a run, by what they are called in errors.
// Differences and slopes can be, and so can the share of the CPUs in use, from which
// time is taken that another clock told.
func (run *Run) amounts() map[string][]Value {
	w := run.Workload
	out := map[string][]Value{
		"rates and times": {run.Elapsed, run.Throughput, run.Utilisation, run.Loss, run.InSystem, run.Little.Sampled, run.Little.XW, run.Little.Error},
		"workload": {
			Value(w.Rate), Value(w.Session), Value(w.Clients), Value(w.Seconds), Value(w.Requests),
			Value(w.Timeout), Value(w.Retry), Value(w.Copies), Value(w.Drain), Value(w.Warmup),
		},
		"failures":    values(run.Failures),
		"n_eff":       values(run.Effective),
		"connections": values(run.Connections),
		"overflow":    {Value(run.Overflow)},
	}
	for name, times := range map[string]Quantities{
		"latencies": run.Latency, "nearest ranks": run.NearestRank, "waits": run.Wait, "service times": run.Service,
		"client times": run.Client, "waits for a connection": run.Pool, "lags": run.Lag, "times of failures": run.Failed,
	} {
		out[name] = values(times)
	}
	for class, times := range run.FailedTimes {
		out["times of "+class] = values(times)
	}
	if s := run.Sending; s != nil {
		out["sending"] = []Value{Value(s.Due), Value(s.Sent), s.Scheduled, s.Achieved, s.Peak, Value(s.Capped), Value(s.MostInFlight)}
	}
	if g := run.Generator; g != nil {
		out["generator"] = []Value{Value(g.CPUs), g.User, g.System, g.Spun}
	}
	if c := run.ServerCount; c != nil {
		out["server_count"] = []Value{Value(c.Counted), Value(c.Least), Value(c.Most)}
	}
	return out
}

// values are the values of a map.
func values[V int64 | Value](of map[string]V) []Value {
	var out []Value
	for _, v := range of {
		out = append(out, Value(v))
	}
	return out
}
