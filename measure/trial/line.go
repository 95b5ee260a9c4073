package trial

import (
	"queuelab/measure/record"
	"queuelab/measure/stats"
)

// line is the summary line of a trial: medians over the runs that had answers, and
// all failures. Like that of a run it shows what too few answers cannot resolve.
func line(runs []*record.Run) string {
	var answered []record.Line
	out := record.Line{Mean: record.Unknown(), P50: record.Unknown(), P99: record.Unknown(), Max: record.Unknown()}
	for _, r := range runs {
		out.Failed += r.Requests.Scheduled - r.Requests.Answered
		if l, err := record.ReadLine(r.Line); err == nil && l.Mean.Known() {
			answered = append(answered, l)
		}
	}
	if len(answered) == 0 {
		return out.String()
	}
	for _, figure := range []func(*record.Line) *record.Value{
		func(l *record.Line) *record.Value { return &l.Throughput },
		func(l *record.Line) *record.Value { return &l.Elapsed },
		func(l *record.Line) *record.Value { return &l.Mean },
		func(l *record.Line) *record.Value { return &l.P50 },
		func(l *record.Line) *record.Value { return &l.P99 },
		func(l *record.Line) *record.Value { return &l.Max },
	} {
		var values []float64
		for i := range answered {
			values = append(values, float64(*figure(&answered[i])))
		}
		*figure(&out) = record.Value(stats.Median(values))
	}
	return out.String()
}
