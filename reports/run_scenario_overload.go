package reports

import (
	"fmt"
	"math"

	"queuelab/analysis/figure"
	"queuelab/measure/workload"
)

var overloadScenario = scenario{
	kind: OverloadKind, title: "Overload",
	needs:   []string{"loads", "lengths"},
	cases:   overloadCases,
	view:    courseView,
	draw:    overloadCourse,
	shows:   "latency over time",
	caption: " The predicted line and band are of the longest run and hold for the others as far as they go; (ρ − 1) t is the growth of a fluid's latency, without chance.",
	words:   overloadWords,
}

func overloadCases(e *Experiment) []Case {
	var out []Case
	for _, d := range e.Lengths {
		out = append(out, Case{Name: span(d), Load: e.Loads[0], Arrivals: workload.Poisson, Length: d})
	}
	return out
}

// overloadCourse draws latency over time for every length, with the growth that
// a fluid would have.
func overloadCourse(_ *runner, _ *TargetResult, s *ScenarioResult, text figure.Text) figure.Figure {
	q := figure.Quantity{Label: "mean latency of requests due (ms)"}
	last := s.Cases[len(s.Cases)-1]
	for _, c := range s.Cases {
		system := c.course(latencyPart)
		if c != last {
			system.Predicted = nil // that of the longest run holds for all
		}
		q.Systems = append(q.Systems, system)
	}
	rho := last.Workload.Rate / last.Capacity
	growth := figure.Line{Name: "(ρ − 1) t"}
	for i := 0; i <= 10; i++ {
		t := last.Workload.Seconds * float64(i) / 10
		growth.Points = append(growth.Points, figure.Point{X: t, Y: max(rho-1, 0) * t * 1e3})
	}
	q.References = []figure.Line{growth}
	return figure.Course{Text: text, X: "time at which requests were due (s)", Panels: []figure.CoursePanel{{Quantity: q, Scale: figure.Linear}}}
}

func overloadWords(s *ScenarioResult) string {
	first, last := s.Cases[0], s.Cases[len(s.Cases)-1]
	rho := last.Workload.Rate / last.Capacity
	text := fmt.Sprintf("At ρ = %.2f the queue grows as long as the run lasts, by %.0f ms of latency each second for a fluid. The mean latency was %s over %s and %s over %s. ",
		rho, 1e3*(rho-1), first.both("mean"), first.Name, last.both("mean"), last.Name)
	growth := last.figure("mean") / first.figure("mean")
	stretch := last.Workload.Seconds / first.Workload.Seconds
	switch {
	case !growth.Known():
		return text + "One of them answered nothing."
	case float64(growth) > math.Sqrt(stretch):
		return text + fmt.Sprintf("A run %.3g times as long shows %s the latency: above its capacity a server has no latency of its own, only that of the run.", stretch, factor("mean", last, first))
	}
	return text + fmt.Sprintf("Here a run %.3g times as long shows only %s the latency: the server was faster than its calibration, or the arrivals happened to come slower.", stretch, factor("mean", last, first))
}
