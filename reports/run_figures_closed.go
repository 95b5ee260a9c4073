package reports

import (
	"fmt"

	"queuelab/analysis/figure"
	"queuelab/measure/record"
	"queuelab/sim/theory"
)

// closedFigures draws throughput and latency against clients, and the capacity
// sweep.
func (r *runner) closedFigures(t *TargetResult, c *ClosedResult) (curve, sweep *Figure, err error) {
	throughput := figure.System{Name: t.Name, Colour: r.colour(t.Name)}
	latency := throughput
	for _, p := range c.Line {
		n := float64(p.Clients)
		throughput.Predicted = append(throughput.Predicted, predicted(n, p.Predicted.Throughput))
		latency.Predicted = append(latency.Predicted, predicted(n, p.Predicted.Mean))
	}
	var little []figure.Point
	for _, p := range c.Points {
		n := float64(p.Clients)
		throughput.Observed = append(throughput.Observed, observed(n, []record.Value{p.Observed.Throughput}))
		latency.Observed = append(latency.Observed, observed(n, []record.Value{p.Observed.Latency.Get("mean")}))
		little = append(little, figure.Point{X: n, Y: n / float64(p.Observed.Throughput) * 1e3})
	}
	bounds, err := closedBounds(t.Calibration, c)
	if err != nil {
		return nil, nil, err
	}
	x := figure.Quantity{Label: "throughput (answered/s)", Systems: []figure.System{throughput}, References: bounds.throughput}
	if curve, err = r.draw("closed-"+slug(t.Name)+"-"+slug(c.Title),
		fmt.Sprintf("%s: throughput and mean latency against the number of closed clients, predicted and observed", t.Name)+mark(c.stamp(t)),
		figure.ClosedCurve{
			Text:       r.closedText(t, "closed loop", c),
			Throughput: x,
			Latency:    figure.Quantity{Label: "mean latency (ms)", Systems: []figure.System{latency}, References: bounds.latency},
			Knee:       bounds.knee,
			Little:     little,
		}); err != nil {
		return nil, nil, err
	}
	sweep, err = r.draw("capacity-"+slug(t.Name)+"-"+slug(c.Title),
		fmt.Sprintf("%s: answered requests per second against the number of closed clients, with the peak marked", t.Name)+mark(c.stamp(t)),
		figure.CapacitySweep{Text: r.closedText(t, "capacity sweep", c), Throughput: x})
	return curve, sweep, err
}

func (r *runner) closedText(t *TargetResult, title string, c *ClosedResult) figure.Text {
	var n int64
	for _, p := range c.Points {
		n += p.Observed.Requests.Answered
	}
	return figure.Text{
		Title:    t.Name + ": " + title,
		Verdict:  c.stamp(t),
		Subtitle: fmt.Sprintf("each client sends again at once; a run of %s for each number", span(r.profile.Closed)),
		Requests: n, Runs: 1, BandNote: bandNote,
		Caption: "Predicted before the measurement, for runs of this length; the bounds are those of the steady state.",
	}
}

// closedLimits are the asymptotic bounds in the figure's units.
type closedLimits struct {
	throughput, latency []figure.Line
	knee                float64
}

// closedBounds takes the fixed delay as a think time that is part of latency.
func closedBounds(c CalibrationResult, closed *ClosedResult) (closedLimits, error) {
	delay := float64(c.DelayMS) / 1e3
	bounds, err := theory.NewBounds(delay, theory.Demand{Seconds: float64(c.ServiceMS) / 1e3, Servers: c.Servers})
	if err != nil {
		return closedLimits{}, fmt.Errorf("the bounds of the closed loop: %w", err)
	}
	most := figure.Line{Name: "upper bound"}
	least := figure.Line{Name: "lower bound"}
	for _, p := range closed.Line {
		n := float64(p.Clients)
		most.Points = append(most.Points, figure.Point{X: n, Y: bounds.MaxThroughput(p.Clients)})
		least.Points = append(least.Points, figure.Point{X: n, Y: (bounds.MinLatency(p.Clients) + delay) * 1e3})
	}
	return closedLimits{[]figure.Line{most}, []figure.Line{least}, bounds.Knee()}, nil
}
