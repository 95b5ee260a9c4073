package trial

import (
	"queuelab/measure/record"
	"queuelab/measure/stats"
)

// line is the summary line of a trial: medians over the runs, and all failures. A
// run without answers has the rate 0, and no latencies. Like the line of a run it
// shows what too few answers cannot resolve.
func line(runs []*record.Run) string {
	var lines, answered []record.Line
	out := record.Line{Mean: record.Unknown(), P50: record.Unknown(), P99: record.Unknown(), Max: record.Unknown()}
	for _, r := range runs {
		out.Failed += r.Requests.Scheduled - r.Requests.Answered
		l := lineOf(r)
		lines = append(lines, l)
		if l.Mean.Known() {
			answered = append(answered, l)
		}
	}
	if len(answered) == 0 {
		return out.String()
	}
	out.Throughput = middle(lines, func(l record.Line) record.Value { return l.Throughput })
	out.Elapsed = middle(lines, func(l record.Line) record.Value { return l.Elapsed })
	out.Mean = middle(answered, func(l record.Line) record.Value { return l.Mean })
	out.P50 = middle(answered, func(l record.Line) record.Value { return l.P50 })
	out.P99 = middle(answered, func(l record.Line) record.Value { return l.P99 })
	out.Max = middle(answered, func(l record.Line) record.Value { return l.Max })
	return out.String()
}

// middle is the median of a figure.
func middle(lines []record.Line, figure func(record.Line) record.Value) record.Value {
	values := make([]float64, len(lines))
	for i, l := range lines {
		values[i] = float64(figure(l))
	}
	return record.Value(stats.Median(values))
}

// lineOf is what a run's line says, with all digits where they are known: the line
// alone has the quantiles that so few answers do not resolve.
func lineOf(r *record.Run) record.Line {
	unknown := record.Unknown()
	l, err := record.ReadLine(r.Line)
	if err != nil {
		l = record.Line{Mean: unknown, P50: unknown, P99: unknown, Max: unknown}
	}
	for _, known := range []struct {
		exact  record.Value
		figure *record.Value
	}{
		{r.Throughput, &l.Throughput}, {r.Elapsed, &l.Elapsed}, {r.Observed("mean"), &l.Mean},
		{r.Observed("p50"), &l.P50}, {r.Observed("p99"), &l.P99}, {r.Observed("max"), &l.Max},
	} {
		if known.exact.Known() {
			*known.figure = known.exact
		}
	}
	return l
}
