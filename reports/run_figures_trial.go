package reports

import (
	"fmt"
	"math"

	"queuelab/analysis/figure"
	"queuelab/measure/record"
)

// trialFigure draws the runs of every endpoint: throughput and p99.
func (r *runner) trialFigure(t *TargetResult, trial *TrialResult) (*Figure, error) {
	f := figure.Trials{
		Text: figure.Text{
			Title:    t.Name + ": " + trial.Title,
			Subtitle: trial.conditions(),
			Requests: trial.requests(), Runs: trial.runs(), Verdict: trial.stamp(),
			IntervalNote: trial.intervalNote(),
		},
		Panels: []figure.TrialPanel{trial.panel("throughput (answered/s)", record.ThroughputKey), trial.panel("p99 of latency (ms)", "p99")},
	}
	if c := trial.ceiling(); c != nil {
		f.Panels[0].Ceiling, f.Panels[0].CeilingName = float64(c.rate()), "ceiling: "+c.Name
	}
	if !drawable(f.Panels[1]) {
		f.Panels = f.Panels[:1] // the runs are too short for a p99
	}
	alt := fmt.Sprintf("%s: %s: throughput and 99th percentile of latency of each run and endpoint", t.Name, trial.Title)
	return r.draw("trial-"+slug(t.Name)+"-"+slug(trial.Title), alt+mark(f.Verdict), f)
}

// intervalNote says what the intervals of the figure are.
func (t *TrialResult) intervalNote() string {
	q := t.Endpoints[0].quantity(record.ThroughputKey)
	if !q.Level.Known() {
		return ""
	}
	return fmt.Sprintf("%s %% interval of the median", level(q))
}

// panel shows one quantity of all endpoints.
func (t *TrialResult) panel(label, key string) figure.TrialPanel {
	p := figure.TrialPanel{Label: label}
	for i, e := range t.Endpoints {
		q := e.quantity(key)
		g := figure.TrialGroup{
			Name: e.Name, Colour: colours[i%len(colours)],
			Median: float64(q.Median), Lo: float64(q.Interval[0]), Hi: float64(q.Interval[1]),
		}
		if q.Spread.Known() {
			g.Note = fmt.Sprintf("spread %s %%", percentage(q.Spread))
		}
		for _, run := range e.Run.Reps {
			v := run.Latency.Get(key)
			if key == record.ThroughputKey {
				v = run.Throughput
			}
			g.Runs = append(g.Runs, float64(v))
		}
		p.Groups = append(p.Groups, g)
	}
	return p
}

// drawable says whether a panel has a median to show.
func drawable(p figure.TrialPanel) bool {
	for _, g := range p.Groups {
		if !math.IsNaN(g.Median) {
			return true
		}
	}
	return false
}
