package reports

import (
	"fmt"

	"queuelab/analysis/figure"
)

var stallScenario = scenario{
	kind: StallKind, title: "A stall through a closed and an open loop",
	needs: []string{"clients", "loads", "length", "stall"},
	cases: func(e *Experiment) []Case { return append(closedCases(e), openCases(e)...) },
	view:  percentilesView,
	draw: func(_ *runner, _ *TargetResult, s *ScenarioResult, text figure.Text) figure.Figure {
		return percentiles(s, text)
	},
	shows: "latency at each percentile",
	words: stallWords,
}

// stallWords compares the first closed with the last open run.
func stallWords(s *ScenarioResult) string {
	closed, open := s.Cases[0], s.Cases[len(s.Cases)-1]
	a, b := closed.figure("p99"), open.figure("p99")
	met := float64(closed.Workload.Clients) * closed.Workload.Seconds / s.stall().Period.Seconds()
	text := fmt.Sprintf("A stall meets at most the %s of a closed loop, which then wait and send nothing: some %.0f requests of all that this run sent, %.1f %%. An open loop is charged for every request that was due meanwhile. "+
		"The p99 was %s (%s) and %s (%s); the longest latency %s and %s ms. ",
		plural(closed.Workload.Clients, "client"), met, 100*met*float64(len(closed.Runs))/float64(closed.requests().Scheduled), closed.both("p99"), closed.Name, open.both("p99"), open.Name, digits(closed.figure("max")), digits(open.figure("max")))
	switch {
	case !a.Known() || !b.Known():
		return text + "These runs were too short for a p99 of both loops."
	case float64(b/a) > notable:
		return text + fmt.Sprintf("The open loop's p99 is %s the closed one's, though it offers less: what a closed loop hides from its percentiles (coordinated omission).", factor("p99", open, closed))
	}
	return text + "Here the p99 of the closed loop is not the smaller one by much."
}
