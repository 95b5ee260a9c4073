package reports

import (
	"fmt"
	"math"

	"queuelab/analysis"
	"queuelab/measure/record"
)

// quantity is a figure of a run as tables show it.
type quantity struct {
	key, label string
}

var quantities = []quantity{
	{"throughput", "answered/s"},
	{"mean", "mean (ms)"},
	{"p50", "p50 (ms)"},
	{"p99", "p99 (ms)"},
	{"max", "max (ms)"},
	{"failed", "not answered"},
	{"copies", "copies sent"},
}

// scenarioTable sets predicted beside observed, and another machine's figures
// beside the simulator fed with that machine's service law.
func (s *ScenarioResult) table(margin float64) *Table {
	t := &Table{
		Columns: []string{"run", "quantity", "predicted, any arrivals", "predicted, same arrivals", "observed", "observed / predicted", "verdict"},
		Caption: fmt.Sprintf("Any arrivals: median and %s. Same arrivals: the simulator on the schedules that were measured; observed / predicted refers to it. A single run is held against the margin as it is; several are judged by the 90 %% interval of their ratio, and Holm's procedure takes back what chance explains among all verdicts of the table. Latencies are of answered requests.", scenarioBandNote),
	}
	if s.Published != "" {
		t.Columns = append(t.Columns, "published", "simulated for it", "published / simulated")
		t.Caption += fmt.Sprintf(" Published: another machine's figures, as the study gives them; beside them the simulator with that machine's service time %s and the study's full lengths. %s", s.Published, s.Note)
	}
	for _, c := range s.Cases {
		for _, q := range quantities {
			if s.shown(c, q) {
				t.Rows = append(t.Rows, c.row(q, margin, s.Published != ""))
			}
		}
	}
	return t
}

func (c *CaseResult) row(q quantity, margin float64, published bool) []Cell {
	observed, replayed := c.figure(q.key), c.replayed(q.key)
	ratio, verdict := ratioText(observed, analysis.Estimate{Value: replayed}), c.verdict(q.key, margin)
	cells := Cells(c.Name, q.label, estimateText(c.Predicted.Figures[q.key]), digits(replayed), digits(observed), ratio, verdict)
	if !published {
		return cells
	}
	own, ok := c.Published.Figures[q.key]
	if !ok {
		return append(cells, Cells("-", estimateText(c.Published.Simulated.Figures[q.key]), "-")...)
	}
	simulated := c.Published.Simulated.Figures[q.key]
	return append(cells, Cells(digits(record.Value(own)), estimateText(simulated), ratioText(record.Value(own), simulated))...)
}

// verdict is the agreement of several runs; one run has no interval, and is held
// against the margin as it is.
func (c *CaseResult) verdict(key string, margin float64) string {
	a := c.Agreements[key]
	switch {
	case a.Runs > 1:
		return a.String()
	case a.Runs == 0 || !a.Ratio.Known():
		return "not resolvable"
	case within(a, margin):
		return fmt.Sprintf("within ±%.0f %%", 100*margin)
	}
	return fmt.Sprintf("beyond ±%.0f %%", 100*margin)
}

// within says whether a ratio lies within the margin.
func within(a *analysis.Agreement, margin float64) bool {
	return math.Abs(math.Log(float64(a.Ratio))) <= math.Log1p(margin)
}

// shown says whether a quantity of the case tells anything: a count of nothing,
// or of one copy a request, does not.
func (s *ScenarioResult) shown(c *CaseResult, q quantity) bool {
	switch q.key {
	case "copies":
		return c.Workload.Copies > 1
	case "failed":
		return !s.allAnswered()
	}
	return true
}

// allAnswered says whether every request was answered, wherever it was sent.
func (s *ScenarioResult) allAnswered() bool {
	for _, c := range s.Cases {
		if c.figure("failed") != 0 || c.Predicted.Figures["failed"].Hi != 0 || c.Published != nil && c.Published.Figures["failed"] != 0 {
			return false
		}
	}
	return true
}

// verdictWords count the quantities that are within the margin: by their verdict
// where runs were repeated.
func (s *ScenarioResult) verdictWords(margin float64) string {
	good, judged := 0, 0
	for _, c := range s.Cases {
		for _, q := range quantities {
			a := c.Agreements[q.key]
			if !s.shown(c, q) || !a.Ratio.Known() {
				continue
			}
			judged++
			if a.Runs > 1 && a.Verdict == analysis.Agrees || a.Runs == 1 && within(a, margin) {
				good++
			}
		}
	}
	return fmt.Sprintf("%s: %d of %d quantities within ±%.0f %% of their prediction. ", s.Title, good, judged, 100*margin)
}
