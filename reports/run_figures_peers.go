package reports

import (
	"fmt"
	"math"

	"queuelab/analysis/figure"
	"queuelab/measure/record"
)

// toolColours keep a load generator's colour throughout a report. Pgbench is never
// in one figure with vegeta.
var toolColours = map[string]figure.Colour{
	ourselves: figure.Blue, "vegeta": figure.Red, "bombardier": figure.Green, "hey": figure.Purple,
	"wrk": figure.Cyan, "ab": figure.Yellow, "pgbench": figure.Red,
}

// costFigure draws every run of every tool, the best tool at the top.
func (r *runner) costFigure(c *CostResult, goals *Goals) (*Figure, error) {
	f := figure.Peers{
		Text: figure.Text{
			Title:    c.Title,
			Subtitle: fmt.Sprintf("empty page of nginx, closed, %s, runs of %g s", plural(c.Clients, "client"), c.Seconds),
			Requests: c.requests(), Runs: r.profile.Reps, Verdict: trust(c.Work.drift()), Caption: "user and system CPU time of the whole process",
		},
		Label: "CPU time a request (µs)",
		Goal:  c.goal(goals),
	}
	unit := " µs"
	if c.Kind == QueriesKind {
		f.Subtitle = fmt.Sprintf("SELECT 1 against PostgreSQL, closed, %s, runs of %g s", plural(c.Clients, "client"), c.Seconds)
		f.Label, f.Caption, unit = "answered (1/s)", "", "/s"
	}
	for _, tool := range c.tools() {
		row := figure.PeerRow{Name: tool, Colour: toolColours[tool], Median: float64(c.median(tool, c.compared))}
		for _, v := range c.of(tool, c.compared) {
			row.Runs = append(row.Runs, float64(v))
		}
		if m := record.Value(row.Median); m.Known() {
			row.Note = digits(m) + unit
		}
		f.Rows = append(f.Rows, row)
	}
	alt := fmt.Sprintf("%s: %s of every run of each load generator, with the median", c.Title, f.Label)
	return r.draw(c.Kind+"-"+slug(c.Title), alt+mark(f.Verdict), f)
}

func (c *CostResult) requests() (n int64) {
	for _, r := range c.Runs {
		n += r.Requests
	}
	return n
}

// goal is the goal that is hardest to reach, nil without one.
func (c *CostResult) goal(goals *Goals) *figure.PeerGoal {
	if goals == nil {
		return nil
	}
	limits, bound, harder := goals.AtMost, "at most", func(a, b float64) bool { return a < b }
	if c.Kind == QueriesKind {
		limits, bound, harder = goals.AtLeast, "at least", func(a, b float64) bool { return a > b }
	}
	var hardest *figure.PeerGoal
	for _, tool := range orderedTools(limits) {
		at := limits[tool] * float64(c.median(tool, c.compared))
		if !math.IsNaN(at) && (hardest == nil || harder(at, hardest.At)) {
			hardest = &figure.PeerGoal{At: at, Name: fmt.Sprintf("goal of %s: %s %s × %s", ourselves, bound, written(limits[tool]), tool)}
		}
	}
	return hardest
}

// latenessFigure draws the share of requests sent by a lateness, a panel a rate.
func (r *runner) latenessFigure(e Experiment, rates []*LatenessResult) (*Figure, error) {
	f := figure.Lateness{
		Text: figure.Text{
			Title:    e.Title,
			Subtitle: fmt.Sprintf("even gaps, runs of %g s, by the kernel's time stamps of what arrives", rates[0].Seconds),
			Runs:     r.profile.Reps, Verdict: trust(steadinessOf(rates).drift()), Caption: "names stand where the curves end",
		},
		X: "send lateness (µs)",
	}
	for _, l := range rates {
		panel := figure.LatenessPanel{Name: grouped(l.Rate) + " requests/s"}
		for _, tool := range l.tools() {
			panel.Curves = append(panel.Curves, l.curve(tool))
		}
		for _, run := range l.Runs {
			f.Requests += run.Requests
		}
		f.Panels = append(f.Panels, panel)
	}
	if g := e.Goals; g != nil {
		for _, q := range []struct{ late, share float64 }{{float64(g.P50) / 1e3, 0.5}, {float64(g.P99) / 1e3, 0.99}} {
			if q.late > 0 {
				f.Goals, f.GoalNote = append(f.Goals, figure.Point{X: q.late, Y: q.share}), "goals of "+ourselves+": to pass on the left"
			}
		}
	}
	alt := fmt.Sprintf("%s: share of the requests that each load generator had sent by a lateness, at each rate", e.Title)
	return r.draw(LatenessKind+"-"+slug(e.Title), alt+mark(f.Verdict), f)
}

// curve is a tool's quantiles of every run, and their medians over the runs.
func (l *LatenessResult) curve(tool string) figure.LatenessCurve {
	c := figure.LatenessCurve{Name: tool, Colour: toolColours[tool]}
	longest := 0
	for _, run := range l.Runs {
		if run.Tool != tool {
			continue
		}
		var values figure.Values
		for _, v := range run.Sorted {
			values = append(values, math.Round(v*1e3)/1e3) // nanoseconds
		}
		c.Runs = append(c.Runs, values)
		longest = max(longest, len(values))
	}
	for i := range longest {
		var at []record.Value
		for _, values := range c.Runs {
			if len(values) == longest {
				at = append(at, record.Value(values[i]))
			}
		}
		c.Median = append(c.Median, median(finite(at)))
	}
	return c
}
