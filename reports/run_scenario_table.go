package reports

import (
	"fmt"

	"queuelab/analysis"
	"queuelab/measure/record"
)

// quantity is a figure of a run as tables show it.
type quantity struct {
	key, label string
	count      bool // shown only where it is not zero everywhere
}

var quantities = []quantity{
	{"throughput", "answered/s", false},
	{"mean", "mean (ms)", false},
	{"p50", "p50 (ms)", false},
	{"p99", "p99 (ms)", false},
	{"max", "max (ms)", false},
	{"failed", "not answered", true},
	{"copies", "copies sent", true},
}

// scenarioTable sets predicted beside observed, and another machine's figures
// beside the simulator fed with that machine's service law.
func (s *ScenarioResult) table() *Table {
	t := &Table{
		Columns: []string{"run", "quantity", "predicted, any arrivals", "predicted, same arrivals", "observed", "observed / predicted", "verdict"},
		Caption: fmt.Sprintf("Any arrivals: median and %s. Same arrivals: the simulator on the schedules that were measured; observed / predicted refers to it. The verdict of a single run is whether it lies in the band.", scenarioBandNote),
	}
	if s.Published != "" {
		t.Columns = append(t.Columns, "published", "simulated for it", "published / simulated")
		t.Caption += fmt.Sprintf(" Published: another machine's figures, as the study gives them; beside them the simulator with that machine's service time %s and the study's full lengths. %s", s.Published, s.Note)
	}
	for _, c := range s.Cases {
		for _, q := range quantities {
			if q.count && s.zero(q.key) {
				continue
			}
			t.Rows = append(t.Rows, c.row(q, s.Published != ""))
		}
	}
	return t
}

// zero says whether a count is zero, or the number of requests, in every run, so
// that a row of it would say nothing.
func (s *ScenarioResult) zero(key string) bool {
	for _, c := range s.Cases {
		if key == "copies" && c.Workload.Copies > 1 {
			return false
		}
		if key != "copies" && (c.figure(key) != 0 || c.Predicted.Figures[key].Hi != 0 || c.Published != nil && c.Published.Figures[key] != 0) {
			return false
		}
	}
	return true
}

func (c *CaseResult) row(q quantity, published bool) []Cell {
	observed, replayed := c.figure(q.key), c.replayed(q.key)
	ratio, verdict := ratioText(observed, analysis.Estimate{Value: replayed}), c.verdict(q.key)
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

// verdict is the agreement of several runs; of one, whether it lies in the band
// of predicted runs.
func (c *CaseResult) verdict(key string) string {
	if a := c.Agreements[key]; a.Runs > 1 {
		return a.String()
	}
	e, v := c.Predicted.Figures[key], c.figure(key)
	switch {
	case !v.Known() || !e.Lo.Known():
		return "not resolvable"
	case e.Lo <= v && v <= e.Hi:
		return "in the band"
	case v < e.Lo:
		return "below the band"
	}
	return "above the band"
}

// bandWords count the figures of a scenario that lie in their bands.
func (s *ScenarioResult) bandWords() string {
	inside, known := 0, 0
	for _, c := range s.Cases {
		for _, q := range quantities {
			e, v := c.Predicted.Figures[q.key], c.figure(q.key)
			if q.count && s.zero(q.key) || !v.Known() || !e.Lo.Known() {
				continue
			}
			known++
			if e.Lo <= v && v <= e.Hi {
				inside++
			}
		}
	}
	return fmt.Sprintf("%s: %d of %d figures in the predicted band. ", s.Title, inside, known)
}
