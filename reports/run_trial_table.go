package reports

import (
	"fmt"
	"slices"
	"strings"

	"queuelab/measure/record"
)

// table has a row an endpoint: what its runs say together.
func (t *TrialResult) table() *Table {
	out := &Table{
		Columns: []string{"endpoint", "median", "interval of the median", "spread", "p50", "p99", "not answered"},
		Units:   []string{"", "answered/s", "answered/s", "%", "ms", "ms", ""},
		Caption: fmt.Sprintf("Medians over %s. The interval lies between two of the runs and covers the median of all such runs with the probability behind it. Spread: (max − min) / median of the throughput.", plural(t.runs(), "run")),
	}
	if t.ceiling() != nil {
		out.Columns, out.Units = append(out.Columns, "share of the ceiling", "interval", "cost over the ceiling", "interval"), append(out.Units, "%", "%", "µs", "µs")
		out.Caption += fmt.Sprintf(" With X the median throughput and C that of %s, the ceiling, the share is X / C and the cost 1 / X − 1 / C: how much longer a request keeps the bottleneck busy.", t.Ceiling)
	}
	noise := record.Unknown()
	for _, e := range t.Endpoints {
		q := e.quantity(record.ThroughputKey)
		row := []string{e.Name, digits(q.Median), levelled(q), percentage(q.Spread),
			digits(e.quantity("p50").Median), digits(e.quantity("p99").Median), fmt.Sprint(e.failed())}
		if t.ceiling() != nil {
			share, cost := t.against(e)
			shares, costs, level := t.uncertain(e)
			row = append(row, percentage(share), spanned(shares, percentage), digits(cost), spanned(costs, digits))
			if level.Known() {
				noise = level // all endpoints have as many runs
			}
		}
		out.Rows = append(out.Rows, Cells(row...))
	}
	if noise.Known() {
		out.Caption += fmt.Sprintf(" The intervals of both are what the noise of the runs leaves of them (Hodges–Lehmann, %.1f %%).", 100*float64(noise))
	}
	return out
}

// runsTable has a row a run.
func (t *TrialResult) runsTable(speeds speeds) *Table {
	out := &Table{
		Columns: []string{"endpoint", "run", "throughput", "mean", "p50", "p99", "max", "not answered", "pause before", "in TIME_WAIT", "ports left", "machine speed"},
		Units:   []string{"", "", "answered/s", "ms", "ms", "ms", "ms", "", "s", "", "", ""},
		Caption: "Every run that was taken, with the wait for free local ports before it, the closed connections to the server that still held one, and the ports that were left. Machine speed: how fast the fixed piece of work ran around the run, 1 being around the first one.",
	}
	first := trialRun(t.Endpoints[0].Name, 0)
	for _, e := range t.Endpoints {
		for i, run := range e.Run.Reps {
			pause := run.Pause
			if pause == nil {
				pause = &record.Pause{Waited: record.Unknown(), TimeWait: record.Unknown(), Left: record.Unknown()}
			}
			out.Rows = append(out.Rows, Cells(e.Name, fmt.Sprint(i+1), digits(run.Throughput),
				digits(run.Latency.Get("mean")), digits(run.Latency.Get("p50")), digits(run.Latency.Get("p99")), digits(run.Latency.Get("max")),
				fmt.Sprint(run.Requests.Scheduled-run.Requests.Answered),
				decimal(pause.Waited), counted(pause.TimeWait), counted(pause.Left),
				digits(1/(1+speeds.moved([]string{first}, []string{trialRun(e.Name, i)})))))
		}
	}
	return out
}

// publishedTable sets another machine's figures beside ours; nil for none.
func (t *TrialResult) publishedTable() *Table {
	if !slices.ContainsFunc(t.Endpoints, func(e *EndpointResult) bool { return e.Published != nil }) {
		return nil
	}
	out := &Table{
		Columns: []string{"endpoint", "published", "here", "published p99", "p99 here", "published spread", "spread here"},
		Units:   []string{"", "answered/s", "answered/s", "ms", "ms", "%", "%"},
		Caption: strings.TrimSpace("Another machine's figures beside those of this one: compare the shapes. " + t.Note),
	}
	if t.ceiling() != nil {
		out.Columns = append(out.Columns, "published share of the ceiling", "share here", "published cost over the ceiling", "cost here")
		out.Units = append(out.Units, "%", "%", "µs", "µs")
	}
	for _, e := range t.Endpoints {
		row := []string{e.Name, digits(e.published(record.ThroughputKey)), digits(e.rate()),
			digits(e.published("p99")), digits(e.quantity("p99").Median),
			percentage(e.published(spreadKey)), percentage(e.quantity(record.ThroughputKey).Spread)}
		if t.ceiling() != nil {
			share, cost := t.againstPublished(e)
			ownShare, ownCost := t.against(e)
			row = append(row, percentage(share), percentage(ownShare), digits(cost), digits(ownCost))
		}
		out.Rows = append(out.Rows, Cells(row...))
	}
	return out
}

// levelled prints the interval of a median with its level.
func levelled(q record.Repeated) string {
	if !q.Level.Known() {
		return "-"
	}
	return fmt.Sprintf("%s–%s (%s %%)", digits(q.Interval[0]), digits(q.Interval[1]), level(q))
}

// spanned prints an interval.
func spanned(i record.Interval, print func(record.Value) string) string {
	if !i[0].Known() {
		return "-"
	}
	return print(i[0]) + "–" + print(i[1])
}

// level is that of an interval in per cent.
func level(q record.Repeated) string { return fmt.Sprintf("%.4g", 100*float64(q.Level)) }

// decimal prints a value with one digit behind the point.
func decimal(v record.Value) string {
	if !v.Known() {
		return "-"
	}
	return fmt.Sprintf("%.1f", float64(v))
}

// percentage prints a fraction in per cent.
func percentage(v record.Value) string { return decimal(100 * v) }

// counted prints a whole number.
func counted(v record.Value) string {
	if !v.Known() {
		return "-"
	}
	return fmt.Sprintf("%.0f", float64(v))
}

// printTrials prints the tables of all trials as text.
func (r *runner) printTrials() error {
	if r.Tables == nil {
		return nil
	}
	for _, t := range r.results.Targets {
		for _, trial := range t.Trials {
			if _, err := fmt.Fprintf(r.Tables, "%s: %s: %s\n", t.Name, trial.Title, trial.conditions()); err != nil {
				return err
			}
			if err := trial.table().writeText(r.Tables); err != nil {
				return err
			}
		}
	}
	return nil
}
