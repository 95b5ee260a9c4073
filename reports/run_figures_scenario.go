package reports

import (
	"fmt"
	"math"

	"queuelab/analysis"
	"queuelab/analysis/figure"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// scenarioBandNote is what the shaded band of a scenario's prediction is.
var scenarioBandNote = fmt.Sprintf("95 %% of %d simulated runs", scenarioReplications)

// scenarioFigure draws a scenario in the way of its kind.
func (r *runner) scenarioFigure(t *TargetResult, s *ScenarioResult) (*Figure, error) {
	name := s.Kind + "-" + slug(t.Name) + "-" + slug(s.Title)
	text := r.scenarioText(t, s)
	switch s.Kind {
	case LittleKind:
		return r.draw(name, alt(t, s, "throughput and mean latency against the number of closed clients"), r.littleCurve(t, s, text))
	case OverloadKind:
		return r.draw(name, alt(t, s, "latency over time"), overloadCourse(s, text))
	case RetriesKind:
		return r.draw(name, alt(t, s, "goodput, attempts, failures and latency over time"), retryCourse(s, text))
	}
	latency := figure.Quantity{Label: "latency (ms)"}
	for _, c := range s.Cases {
		latency.Systems = append(latency.Systems, c.percentiles())
	}
	return r.draw(name, alt(t, s, "latency at each percentile"), figure.Percentiles{Text: text, Latency: latency})
}

func alt(t *TargetResult, s *ScenarioResult, what string) string {
	return fmt.Sprintf("%s: %s: %s, predicted and observed", t.Name, s.Title, what)
}

func (r *runner) scenarioText(t *TargetResult, s *ScenarioResult) figure.Text {
	var n int64
	for _, c := range s.Cases {
		n += c.requests()
	}
	return figure.Text{
		Title:    t.Name + ": " + s.Title,
		Subtitle: s.conditions(),
		Requests: n, Runs: r.profile.ScenarioReps,
		Verdict:  s.trust(),
		BandNote: scenarioBandNote, IntervalNote: "range over runs",
		Caption: "Predicted before the measurement, from a calibration right before it.",
	}
}

// conditions say what all runs of a scenario have in common.
func (s *ScenarioResult) conditions() string {
	w := s.Cases[len(s.Cases)-1].Workload // which has all that the others have
	text := fmt.Sprintf("runs of %g s", w.Seconds)
	if s.Kind == OverloadKind {
		text = fmt.Sprintf("%.1f requests/s offered to a server of %.1f/s", w.Rate, s.Cases[0].Capacity)
	} else if w.Loop == "open" {
		text += fmt.Sprintf(", open at %.1f requests/s", w.Rate)
	}
	if stall, err := workload.ParseStall(w.Stall); err == nil {
		text += fmt.Sprintf("; the server %s for %s of every %s", stallWord(stall.Kind), span(stall.Length), span(stall.Period))
	}
	if w.Retry > 0 {
		text += fmt.Sprintf("; up to %d copies %g ms apart", w.Copies, w.Retry*1e3)
	}
	if w.Timeout > 0 {
		text += fmt.Sprintf(", timeout %g s", w.Timeout)
	}
	return text
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

// overloadCourse draws latency over time for every length, with the growth that
// a fluid would have.
func overloadCourse(s *ScenarioResult, text figure.Text) figure.Figure {
	q := figure.Quantity{Label: "mean latency of requests due (ms)"}
	last := s.Cases[len(s.Cases)-1]
	for _, c := range s.Cases {
		system := c.course(latencyPart)
		if c != last {
			system.Predicted = nil // that of the longest run holds for all
		}
		q.Systems = append(q.Systems, system)
	}
	rho := last.Workload.Rate / last.Capacity
	growth := figure.Line{Name: "(ρ − 1) t"}
	for i := 0; i <= 10; i++ {
		t := last.Workload.Seconds * float64(i) / 10
		growth.Points = append(growth.Points, figure.Point{X: t, Y: max(rho-1, 0) * t * 1e3})
	}
	q.References = []figure.Line{growth}
	return figure.Course{Text: text, X: "time at which requests were due (s)", Panels: []figure.CoursePanel{{Quantity: q, Scale: figure.Linear}}}
}

// retryCourse draws what clients and server did over time.
func retryCourse(s *ScenarioResult, text figure.Text) figure.Figure {
	course := figure.Course{Text: text, ShadedNote: "server frozen", Shaded: stallsOf(s.Cases[0].Workload)}
	for _, part := range courseParts {
		q := figure.Quantity{Label: part.label}
		for _, c := range s.Cases {
			q.Systems = append(q.Systems, c.course(part))
		}
		course.Panels = append(course.Panels, figure.CoursePanel{Quantity: q, Scale: part.scale})
	}
	return course
}

// stallsOf are the times in which the server stands still within the schedule.
func stallsOf(w record.Workload) []figure.Span {
	stall, err := workload.ParseStall(w.Stall)
	if err != nil {
		return nil // it has none
	}
	var out []figure.Span
	for i := int64(0); stall.Begin(i).Seconds() < w.Seconds+w.Timeout; i++ {
		out = append(out, figure.Span{From: stall.Begin(i).Seconds(), To: (stall.Begin(i) + stall.Length).Seconds()})
	}
	return out
}

// littleCurve draws the closed runs with the latency that Little's law gives.
func (r *runner) littleCurve(t *TargetResult, s *ScenarioResult, text figure.Text) figure.Figure {
	throughput := figure.System{Name: t.Name, Colour: r.colour(t.Name)}
	latency := throughput
	var little []figure.Point
	for _, c := range s.Cases {
		n := float64(c.Workload.Clients)
		add := func(to *figure.System, key string) {
			var runs []record.Value
			for _, run := range c.Runs {
				runs = append(runs, run.Seen.Figures[key])
			}
			to.Predicted = append(to.Predicted, predicted(n, c.Predicted.Figures[key]))
			to.Observed = append(to.Observed, observed(n, runs))
		}
		add(&throughput, "throughput")
		add(&latency, "mean")
		if y := c.little(); !math.IsNaN(y) {
			little = append(little, figure.Point{X: n, Y: y})
		}
	}
	return figure.ClosedCurve{
		Text:       text,
		Throughput: figure.Quantity{Label: "throughput (answered/s)", Systems: []figure.System{throughput}},
		Latency:    figure.Quantity{Label: "mean latency (ms)", Systems: []figure.System{latency}},
		Little:     little,
	}
}

// little is N/X in ms, from the observed throughput.
func (c *CaseResult) little() float64 {
	return float64(c.Workload.Clients) * 1e3 / float64(c.figure("throughput"))
}
