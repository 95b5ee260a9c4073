package reports

import (
	"fmt"
	"math"
	"strconv"

	"queuelab/measure/record"
)

// GoalResult is one thing that was to be reached, and what was measured.
type GoalResult struct {
	Goal     string       `json:"goal"` // in words
	Limit    record.Value `json:"limit"`
	AtLeast  bool         `json:"at_least,omitempty"` // the limit bounds from below
	Measured record.Value `json:"measured"`
	Unit     string       `json:"unit,omitempty"` // of both
}

// met says whether the goal was reached; what was not measured was not.
func (g GoalResult) met() bool {
	if g.AtLeast {
		return g.Measured >= g.Limit
	}
	return g.Measured <= g.Limit
}

// outcome says in words whether the goal was reached, and by how much it was missed.
func (g GoalResult) outcome() string {
	off := 100 * (float64(g.Measured/g.Limit) - 1)
	switch {
	case !g.Measured.Known():
		return "not measured"
	case g.met():
		return "met"
	case g.AtLeast:
		return fmt.Sprintf("missed by %s %%", digits(record.Value(-off)))
	}
	return fmt.Sprintf("missed by %s %%", digits(record.Value(off)))
}

// written is a limit as the study writes it.
func written(limit float64) string { return strconv.FormatFloat(limit, 'f', -1, 64) }

// with adds the unit of the goal to a value.
func (g GoalResult) with(value string) string {
	if value == "-" || g.Unit == "" {
		return value
	}
	return value + " " + g.Unit
}

// judge holds the medians of the runs against the goals.
func (c *CostResult) judge(goals *Goals) (out []GoalResult) {
	if goals == nil {
		return nil
	}
	limits, atLeast, what := goals.AtMost, false, "a request costs at most %s times the CPU time that it costs %s"
	if c.Kind == QueriesKind {
		limits, atLeast, what = goals.AtLeast, true, "at least %s times as many queries a second as %s"
	}
	own := c.median(ourselves, c.compared)
	for _, tool := range orderedTools(limits) {
		out = append(out, GoalResult{
			Goal: fmt.Sprintf(what, written(limits[tool]), tool), Limit: record.Value(limits[tool]), AtLeast: atLeast,
			Measured: own / c.median(tool, c.compared), Unit: "times",
		})
	}
	return out
}

// judge holds the runs at one rate against the goals: their medians, and of the
// offered rate the worst.
func (l *LatenessResult) judge(goals *Goals) (out []GoalResult) {
	if goals == nil {
		return nil
	}
	at := fmt.Sprintf(" at %s requests/s", grouped(l.Rate))
	add := func(goal string, limit float64, measured record.Value, unit string, atLeast bool) {
		if limit > 0 {
			out = append(out, GoalResult{Goal: goal + at, Limit: record.Value(limit), AtLeast: atLeast, Measured: measured, Unit: unit})
		}
	}
	p50, p99 := float64(goals.P50)/1e3, float64(goals.P99)/1e3
	percent := math.Round(1e8*goals.RateError) / 1e6 // as it was written
	add(fmt.Sprintf("p50 of the lateness at most %s µs", written(p50)), p50, l.median(ourselves, lateP50), "µs", false)
	add(fmt.Sprintf("p99 of the lateness at most %s µs", written(p99)), p99, l.median(ourselves, lateP99), "µs", false)
	add(fmt.Sprintf("offered rate off by at most %s %% in every run", written(percent)), percent, 100*l.largest(ourselves, l.rateError), "%", false)
	add(fmt.Sprintf("SCV of the gaps at most %s", written(goals.SCV[l.Rate])), goals.SCV[l.Rate], l.median(ourselves, gapSCV), "", false)
	for _, tool := range orderedTools(goals.Better) {
		b := goals.Better[tool]
		add(fmt.Sprintf("%s at least %s times as late at p50", tool, written(b.P50)), b.P50, l.times(tool, lateP50), "times", true)
		add(fmt.Sprintf("%s at least %s times as late at p99", tool, written(b.P99)), b.P99, l.times(tool, lateP99), "times", true)
	}
	return out
}

// times is how many times as late as this load generator a tool is, by the medians
// of the runs.
func (l *LatenessResult) times(tool string, figure func(LatenessRun) record.Value) record.Value {
	return l.median(tool, figure) / l.median(ourselves, figure)
}

// goals are those of all experiments.
func (p *PeersResult) goals() (all []GoalResult) {
	for _, c := range p.Costs {
		all = append(all, c.Goals...)
	}
	for _, l := range p.Lateness {
		all = append(all, l.Goals...)
	}
	return all
}

// goalWords say how many goals were met.
func (p *PeersResult) goalWords() string {
	goals, met := p.goals(), 0
	for _, g := range goals {
		if g.met() {
			met++
		}
	}
	return fmt.Sprintf("Of %s that the study set before the measurement, %s met: the first table has each with what was measured.", plural(len(goals), "goal"), plural(met, "was", "were"))
}

// goalSection holds every goal against what was measured.
func (p *PeersResult) goalSection() Section {
	table := &Table{
		Columns: []string{"goal", "limit", "measured", "outcome"},
		Caption: "Medians over the runs, the offered rate's error in the worst of them. A goal in times compares with the same tool's median.",
	}
	for _, g := range p.goals() {
		bound := "≤ "
		if g.AtLeast {
			bound = "≥ "
		}
		table.Rows = append(table.Rows, Cells(g.Goal, bound+g.with(written(float64(g.Limit))), g.with(digits(g.Measured)), g.outcome()))
	}
	return Section{Heading: "What was to be reached", Table: table}
}
