package reports

import (
	"fmt"

	"queuelab/analysis"
	"queuelab/analysis/figure"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// scenarioBandNote is what the shaded band of a scenario's prediction is.
var scenarioBandNote = fmt.Sprintf("95 %% of %d simulated runs", scenarioReplications)

// scenarioFigure draws a scenario in the way of its kind.
func (r *runner) scenarioFigure(t *TargetResult, s *ScenarioResult) (*Figure, error) {
	kind, ok := findScenario(s.Kind)
	if !ok {
		return nil, fmt.Errorf("there is no scenario %q", s.Kind)
	}
	return r.draw(s.Kind+"-"+slug(t.Name)+"-"+slug(s.Title),
		fmt.Sprintf("%s: %s: %s, predicted and observed", t.Name, s.Title, kind.shows)+mark(s.stamp()),
		kind.draw(r, t, s, r.scenarioText(t, s)))
}

// percentiles draws latency at each percentile, a system for each case.
func percentiles(s *ScenarioResult, text figure.Text) figure.Figure {
	latency := figure.Quantity{Label: "latency (ms)"}
	for _, c := range s.Cases {
		latency.Systems = append(latency.Systems, c.percentiles())
	}
	return figure.Percentiles{Text: text, Latency: latency}
}

func (r *runner) scenarioText(t *TargetResult, s *ScenarioResult) figure.Text {
	kind, _ := findScenario(s.Kind)
	var n int64
	for _, c := range s.Cases {
		n += c.requests().Scheduled
	}
	return figure.Text{
		Title:    t.Name + ": " + s.Title,
		Subtitle: s.conditions(),
		Requests: n, Runs: r.profile.ScenarioReps,
		Verdict:  s.stamp(),
		BandNote: scenarioBandNote, IntervalNote: "range over runs",
		Caption: "Predicted before the measurement, from a calibration right before it. Latencies are of answered requests." + kind.caption,
	}
}

// conditions say under which the runs of a scenario were taken.
func (s *ScenarioResult) conditions() string {
	last := s.Cases[len(s.Cases)-1].Workload
	text := fmt.Sprintf("runs of %g s", last.Seconds)
	switch {
	case s.Kind == OverloadKind:
		text = fmt.Sprintf("%.1f requests/s offered to a server of %.1f/s", last.Rate, s.Cases[0].Capacity)
	case s.Kind != StallKind && last.Loop == "open":
		text += fmt.Sprintf(", %.1f requests/s", last.Rate)
	}
	if stall := s.stall(); stall.Any() {
		text += fmt.Sprintf("; the server %s for %s of every %s", stallWord(stall.Kind), span(stall.Length), span(stall.Period))
	}
	if last.Timeout > 0 {
		text += fmt.Sprintf("; timeout %g s", last.Timeout)
	}
	if last.Retry > 0 {
		text += fmt.Sprintf("; with retries: up to %d copies %g ms apart", last.Copies, last.Retry*1e3)
	}
	return text
}

// stall is that of all runs of a scenario, none where they have none.
func (s *ScenarioResult) stall() workload.Stall {
	stall, err := workload.ParseStall(s.Cases[0].Workload.Stall)
	if err != nil {
		return workload.Stall{}
	}
	return stall
}

// stallWord says what the server does in a stall.
func stallWord(kind workload.StallKind) string {
	if kind == workload.Lock {
		return "holds new work"
	}
	return "is frozen"
}

// percentiles are a case's latency at each quantile.
func (c *CaseResult) percentiles() figure.System {
	s := figure.System{Name: c.Name}
	for i, q := range c.Quantiles {
		s.Predicted = append(s.Predicted, predicted(q, c.Predicted.Percentiles[i]))
		var runs []record.Value
		for _, run := range c.Runs {
			runs = append(runs, run.Seen.Percentiles[i])
		}
		s.Observed = append(s.Observed, observed(q, runs))
	}
	return s
}

// coursePart is one panel of a course over time.
type coursePart struct {
	label     string
	scale     figure.Scale
	predicted func(analysis.Moment[analysis.Estimate]) analysis.Estimate
	seen      func(analysis.Moment[record.Value]) record.Value
}

// latencyPart stands at the instant at which requests were due, the others where
// they happened.
var latencyPart = coursePart{"mean latency (ms)", figure.Log,
	func(m analysis.Moment[analysis.Estimate]) analysis.Estimate { return m.Latency },
	func(m analysis.Moment[record.Value]) record.Value { return m.Latency }}

var courseParts = []coursePart{
	{"goodput (answered/s)", figure.Linear,
		func(m analysis.Moment[analysis.Estimate]) analysis.Estimate { return m.Goodput },
		func(m analysis.Moment[record.Value]) record.Value { return m.Goodput }},
	{"attempts (copies/s)", figure.Linear,
		func(m analysis.Moment[analysis.Estimate]) analysis.Estimate { return m.Attempts },
		func(m analysis.Moment[record.Value]) record.Value { return m.Attempts }},
	{"failures (requests/s)", figure.Linear,
		func(m analysis.Moment[analysis.Estimate]) analysis.Estimate { return m.Failures },
		func(m analysis.Moment[record.Value]) record.Value { return m.Failures }},
	latencyPart,
}

// course is one part of a case's course over time.
func (c *CaseResult) course(part coursePart) figure.System {
	s := figure.System{Name: c.Name}
	for i, m := range c.Predicted.Course {
		s.Predicted = append(s.Predicted, predicted(m.T, part.predicted(m)))
		var runs []record.Value
		for _, run := range c.Runs {
			runs = append(runs, part.seen(run.Seen.Course[i]))
		}
		s.Observed = append(s.Observed, observed(m.T, runs))
	}
	return s
}
