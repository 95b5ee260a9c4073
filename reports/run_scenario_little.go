package reports

import (
	"fmt"
	"math"

	"queuelab/analysis"
	"queuelab/analysis/figure"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

var littleScenario = scenario{
	kind: LittleKind, title: "Little's law in a closed loop",
	needs: []string{"clients", "length"},
	cases: closedCases,
	view:  func(*workload.Workload, float64) analysis.View { return analysis.View{} },
	draw:  (*runner).littleCurve,
	shows: "throughput and mean latency against the number of closed clients",
	words: littleWords,
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

func littleWords(s *ScenarioResult) string {
	worst, gap, at := 0.0, 0.0, s.Cases[0]
	for _, c := range s.Cases {
		if d := math.Abs(float64(c.figure("mean"))/c.little() - 1); d > worst {
			worst, at = d, c
		}
		for _, run := range c.Runs {
			if g := run.Observed.Little.Gap; g.Known() {
				gap = max(gap, math.Abs(float64(g)))
			}
		}
	}
	first, last := s.Cases[0], s.Cases[len(s.Cases)-1]
	return fmt.Sprintf("Little's law: in a closed loop without think time the mean latency is N / X, whatever the server. "+
		"The mean was %s at %s/s with %s, and %s at %s/s with %s. "+
		"It differs from N / X by at most %.1f %% (with %s); a run's beginning and end, which the law leaves out, weigh the more the fewer requests it has. "+
		"The number in system that was looked at during the runs differs from throughput times latency by at most %.1f %%.",
		first.both("mean"), digits(first.figure("throughput")), plural(first.Workload.Clients, "client"),
		last.both("mean"), digits(last.figure("throughput")), plural(last.Workload.Clients, "client"),
		100*worst, plural(at.Workload.Clients, "client"), 100*gap)
}
