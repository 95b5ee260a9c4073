package reports

import (
	"errors"
	"fmt"
	"strings"

	"queuelab/analysis"
	"queuelab/analysis/figure"
	"queuelab/measure/record"
	"queuelab/sim/kendall"
	"queuelab/sim/theory"
)

// openPanel is a quantity of the open figure: its label and where its values
// stand.
type openPanel struct {
	label, key string
	of         func(analysis.Prediction) analysis.Estimate
	theory     func(theory.Model) (float64, error) // seconds
}

var openPanels = []openPanel{
	{"mean latency (ms)", "mean",
		func(p analysis.Prediction) analysis.Estimate { return p.Mean },
		theory.Model.MeanLatency},
	{"p99 latency (ms)", "p99",
		func(p analysis.Prediction) analysis.Estimate { return p.P99 },
		func(m theory.Model) (float64, error) { return m.LatencyQuantile(0.99) }},
}

// openFigure draws latency against offered load for one target, with M/D/1 and
// M/M/1 at the same mean service time beside it.
func (r *runner) openFigure(t *TargetResult, o *OpenResult) (*Figure, error) {
	f := r.openData(t.Name+": open loop", o)
	f.Verdict = o.stamp(t)
	f.X = figure.LoadAxis(o.Capacity)
	for _, p := range openPanels {
		q := figure.Quantity{Label: p.label, Systems: []figure.System{r.openSystem(t, o, p, false)}}
		for _, name := range references(o) {
			line, err := reference(name, o, p)
			if err != nil {
				return nil, err
			}
			q.References = append(q.References, line)
		}
		f.Quantities = append(f.Quantities, q)
	}
	return r.draw("open-"+slug(t.Name)+"-"+slug(o.Title),
		fmt.Sprintf("%s: mean and 99th percentile of latency against offered load, predicted and observed", t.Name)+mark(f.Verdict), f)
}

// togetherFigure draws several targets of one open experiment against
// utilisation.
func (r *runner) togetherFigure(title string, targets []*TargetResult, results []*OpenResult) (*Figure, error) {
	var names []string
	for _, t := range targets {
		names = append(names, t.Name)
	}
	f := r.openData(strings.Join(names, " and ")+": "+title, results...)
	f.X = figure.XAxis{Label: "utilisation ρ"}
	for i, t := range targets {
		f.Verdict = record.Worst(f.Verdict, results[i].stamp(t))
	}
	for _, p := range openPanels {
		q := figure.Quantity{Label: p.label}
		for i, t := range targets {
			q.Systems = append(q.Systems, r.openSystem(t, results[i], p, true))
		}
		f.Quantities = append(f.Quantities, q)
	}
	return r.draw("open-"+slug(title), title+": mean and 99th percentile of latency against utilisation, predicted and observed"+mark(f.Verdict), f)
}

func (r *runner) openData(title string, results ...*OpenResult) figure.DataOverModel {
	var n int64
	for _, o := range results {
		for _, p := range o.Points {
			for _, run := range p.Runs {
				n += run.Observed.Requests.Answered
			}
		}
	}
	arrivals := "Poisson arrivals"
	if results[0].Even {
		arrivals = "even arrivals"
	}
	return figure.DataOverModel{
		Text: figure.Text{
			Title:        title,
			Subtitle:     fmt.Sprintf("%s, %s of %v at each load", arrivals, plural(r.profile.Reps, "run"), span(r.profile.Open)),
			Requests:     n,
			Runs:         r.profile.Reps,
			IntervalNote: "range over runs (below: 90 % interval)",
			BandNote:     bandNote,
			Caption:      "Predicted before the measurement, for runs of this length that start empty; reference models are in steady state. Ratios are to the simulation of the very same arrivals.",
		},
		Margin: r.Study.Margin,
	}
}

// openSystem is a target's prediction and observation in one panel; x is
// utilisation or the rate in requests/s.
func (r *runner) openSystem(t *TargetResult, o *OpenResult, panel openPanel, byUtilisation bool) figure.System {
	at := func(p LinePoint) float64 {
		if byUtilisation {
			return p.Load
		}
		return p.Rate
	}
	s := figure.System{Name: t.Name, Colour: r.colour(t.Name)}
	for _, p := range o.Line {
		s.Predicted = append(s.Predicted, predicted(at(p), panel.of(p.Predicted)))
	}
	for i := range o.Points {
		p := &o.Points[i]
		var runs []record.Value
		for _, run := range p.Runs {
			runs = append(runs, run.Observed.Observed(panel.key))
		}
		seen := observed(at(p.LinePoint), runs)
		seen.Ratio = p.ratio(panel)
		s.Observed = append(s.Observed, seen)
	}
	return s
}

// ratio is the agreement that the table shows, and that of every run.
func (p *OpenPoint) ratio(panel openPanel) *figure.Ratio {
	a := p.agreed(panel.key)
	r := &figure.Ratio{Y: float64(a.Ratio), Lo: float64(a.Lo), Hi: float64(a.Hi)}
	if a.Runs < 2 {
		return r
	}
	for _, run := range p.Runs {
		r.Reps = append(r.Reps, float64(run.Observed.Observed(panel.key)/run.Replay.Latency.Get(panel.key)))
	}
	return r
}

// references are the textbook models beside the prediction; those of one server
// say nothing about several.
func references(o *OpenResult) []string {
	if o.Servers > 1 {
		return nil
	}
	return []string{"M/D/1", "M/M/1"}
}

// reference is a textbook model with the calibrated mean service time.
func reference(name string, o *OpenResult, panel openPanel) (figure.Line, error) {
	model, err := kendall.Parse(name)
	if err != nil {
		return figure.Line{}, err
	}
	line := figure.Line{Name: name}
	for _, p := range o.Line {
		m, err := theory.New(model, theory.Params{Rate: p.Rate, Mean: float64(o.Service) / 1e3})
		if errors.Is(err, theory.ErrUnstable) {
			break
		}
		if err != nil {
			return line, fmt.Errorf("the reference %s: %w", name, err)
		}
		seconds, err := panel.theory(m)
		if err != nil {
			return line, fmt.Errorf("the reference %s: %w", name, err)
		}
		line.Points = append(line.Points, figure.Point{X: p.Rate, Y: seconds*1e3 + float64(o.DelayMS)})
	}
	return line, nil
}
