package reports

import (
	"fmt"

	"queuelab/analysis"
	"queuelab/measure/record"
)

// closedSections are the two views of a closed experiment: the laws of the
// closed loop, and the capacity.
func (r *runner) closedSections(t *TargetResult, c *ClosedResult) ([]Section, error) {
	curve, sweep, err := r.closedFigures(t, c)
	if err != nil {
		return nil, err
	}
	return []Section{
		{
			Heading: t.Name + ": " + c.Title,
			Text:    []string{distrusted(r.closedWords(c), t)},
			Figure:  curve,
			Table:   closedTable(c, t.Speeds),
		},
		{
			Heading: t.Name + ": capacity",
			Text:    []string{distrusted(capacityWords(t, c), t)},
			Figure:  sweep,
			Table:   sweepTable(c),
		},
	}, nil
}

// closedWords says how closely Little's law held.
func (r *runner) closedWords(c *ClosedResult) string {
	worst, at := 0.0, 0
	for _, p := range c.Points {
		gap := p.littleGap()
		if gap < 0 {
			gap = -gap
		}
		if gap >= worst {
			worst, at = gap, p.Clients
		}
	}
	reason := fmt.Sprintf(", because a run of %s begins with an empty queue", span(r.profile.Closed))
	if c.failed() > 0 {
		reason = fmt.Sprintf("; %s not answered", plural(int(c.failed()), "request was", "requests were"))
	}
	last := c.Points[len(c.Points)-1]
	return fmt.Sprintf("In a closed loop latency is a consequence of the number of clients: by Little's law the mean is N / X. "+
		"With %s the mean was %s ms and N / X is %s ms; over all runs the two differ by at most %.1f %% (at N = %d)%s.",
		plural(last.Clients, "client"), digits(last.Observed.Latency.Get("mean")), digits(last.little()), 100*worst, at, reason)
}

// little is N/X in ms.
func (p ClosedPoint) little() record.Value {
	return record.Value(float64(p.Clients) * 1e3 / float64(p.Observed.Throughput))
}

// littleGap is how far the measured mean lies from N/X, relative to it.
func (p ClosedPoint) littleGap() float64 {
	return float64(p.Observed.Latency.Get("mean")/p.little()) - 1
}

func closedTable(c *ClosedResult, speeds speeds) *Table {
	t := &Table{
		Columns: []string{"clients N", "X predicted", "X observed", "ratio", "mean predicted", "mean observed", "ratio", "N / X observed", "machine speed"},
		Units:   []string{"", "1/s", "1/s", "", "ms", "ms", "", "ms", ""},
		Caption: fmt.Sprintf("Throughput X and mean latency: predicted (median and %s), observed, and their ratio. %s", bandNote, speedNote),
	}
	for _, p := range c.Points {
		mean := p.Observed.Latency.Get("mean")
		t.Rows = append(t.Rows, Cells(fmt.Sprint(p.Clients),
			estimateText(p.Predicted.Throughput), digits(p.Observed.Throughput), ratioText(p.Observed.Throughput, p.Predicted.Throughput),
			estimateText(p.Predicted.Mean), digits(mean), ratioText(mean, p.Predicted.Mean),
			digits(p.little()), digits(speeds.during(closedName(c.Title, p.Clients)))))
	}
	return t
}

// failed is how many requests were not answered.
func (c *ClosedResult) failed() (n int64) {
	for _, p := range c.Points {
		n += p.Observed.Requests.Scheduled - p.Observed.Requests.Answered
	}
	return n
}

// peak is the point with the highest throughput.
func (c *ClosedResult) peak() ClosedPoint {
	best := c.Points[0]
	for _, p := range c.Points {
		if !best.Observed.Throughput.Known() || p.Observed.Throughput > best.Observed.Throughput {
			best = p
		}
	}
	return best
}

func capacityWords(t *TargetResult, c *ClosedResult) string {
	peak, last := c.peak(), c.Points[len(c.Points)-1]
	return fmt.Sprintf("The capacity is the peak of answered requests per second: %s/s, reached with %s. "+
		"The calibration put the bottleneck's demand at %s ms a request (a capacity of %s/s) and the delay outside the queue at %s ms. "+
		"%s",
		digits(peak.Observed.Throughput), plural(peak.Clients, "client"), digits(t.Calibration.DemandMS), digits(t.Calibration.Capacity), digits(t.Calibration.DelayMS),
		tailWords(last, c.Discipline))
}

// tailWords compare the p99 with the most clients with that of the discipline; ""
// where a run is too short for one.
func tailWords(p ClosedPoint, discipline string) string {
	observed := p.Observed.Latency.Get("p99")
	if !observed.Known() || !p.Predicted.P99.Value.Known() {
		return ""
	}
	return fmt.Sprintf("With %s the p99 was %s ms; with the service times of one client, %s predicts %s ms.",
		plural(p.Clients, "client"), digits(observed), discipline, estimateText(p.Predicted.P99))
}

// distrusted adds to a text that the target's curves are not to be trusted.
func distrusted(text string, t *TargetResult) string {
	if verdict := t.drift().verdict(); verdict != "" {
		return text + " " + verdict
	}
	return text
}

// sweepTable has a row for each run's summary line.
func sweepTable(c *ClosedResult) *Table {
	t := &Table{
		Columns: []string{"clients N", "predicted", "observed", "ratio", "mean", "p50", "p99 predicted", "p99 observed", "ratio", "max", "failed"},
		Units:   []string{"", "answered/s", "answered/s", "", "ms", "ms", "ms", "ms", "", "ms", ""},
		Caption: "The capacity sweep. The mean latency of a closed loop follows from its throughput; its p99 tells who is served next: first come, first served makes latencies alike, sharing keeps the spread of the service times.",
	}
	for _, p := range c.Points {
		o := p.Observed
		t.Rows = append(t.Rows, Cells(fmt.Sprint(p.Clients),
			digits(p.Predicted.Throughput.Value), digits(o.Throughput), ratioText(o.Throughput, p.Predicted.Throughput),
			digits(o.Latency.Get("mean")), digits(o.Latency.Get("p50")),
			estimateText(p.Predicted.P99), digits(o.Latency.Get("p99")), ratioText(o.Latency.Get("p99"), p.Predicted.P99), digits(o.Latency.Get("max")),
			fmt.Sprint(o.Requests.Scheduled-o.Requests.Answered)))
	}
	return t
}

// openWords says which model was used and what the highest load showed.
func openWords(o *OpenResult) string {
	last := o.Points[len(o.Points)-1]
	return fmt.Sprintf("The model is %s: mean service %s ms, delay %s ms; ρ is the offered load over its capacity of %.0f/s. "+
		"At ρ = %g the mean latency was %s ms where %s ms were predicted for the same arrivals.",
		o.Model, digits(o.Service), digits(o.DelayMS), o.Capacity, last.Load, digits(last.Mean.Observed), digits(last.Mean.Predicted))
}

// openTable judges mean and p99 at every load.
func openTable(o *OpenResult, speeds speeds) *Table {
	t := &Table{
		Columns: []string{"ρ", "offered", "quantity", "predicted, any arrivals", "predicted, same arrivals", "observed", "ratio", "verdict", "failed", "machine speed"},
		Units:   []string{"", "1/s", "", "ms", "ms", "ms", "", "", "", ""},
		Caption: fmt.Sprintf("Any arrivals: median and %s. Same arrivals: the simulator on the schedules that were measured, median over runs, as observed. Ratio: observed / predicted on the same arrivals, geometric mean over runs with its 90 %% interval; a single DISAGREES must also stand out among all verdicts of the table (Holm's procedure). %s", bandNote, speedNote),
	}
	for i := range o.Points {
		p := &o.Points[i]
		var names []string
		var failed int64
		for rep, run := range p.Runs {
			names = append(names, openName(o.Title, p.Load, rep))
			failed += run.Observed.Requests.Scheduled - run.Observed.Requests.Answered
		}
		tail := []string{fmt.Sprint(failed), digits(speeds.during(names...))}
		t.Rows = append(t.Rows,
			agreementRow(p, "mean", p.Predicted.Mean, &p.Mean, tail),
			agreementRow(p, "p99", p.Predicted.P99, &p.P99, tail))
	}
	return t
}

func agreementRow(p *OpenPoint, quantity string, e analysis.Estimate, a *analysis.Agreement, tail []string) []Cell {
	ratio := "-"
	if a.Ratio.Known() {
		ratio = fmt.Sprintf("%.3f", float64(a.Ratio))
	}
	if a.Lo.Known() && a.Hi.Known() {
		ratio = fmt.Sprintf("%s [%.3f, %.3f]", ratio, float64(a.Lo), float64(a.Hi))
	}
	return Cells(append([]string{fmt.Sprintf("%g", p.Load), fmt.Sprintf("%.1f", p.Rate), quantity,
		estimateText(e), digits(a.Predicted), digits(a.Observed), ratio, a.String()}, tail...)...)
}
