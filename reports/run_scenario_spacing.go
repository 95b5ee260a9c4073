package reports

import (
	"fmt"

	"queuelab/analysis/figure"
	"queuelab/measure/workload"
)

var spacingScenario = scenario{
	kind: SpacingKind, title: "Poisson and even arrivals",
	needs: []string{"loads", "length"},
	cases: spacingCases,
	view:  percentilesView,
	draw: func(_ *runner, _ *TargetResult, s *ScenarioResult, text figure.Text) figure.Figure {
		return percentiles(s, text)
	},
	shows: "latency at each percentile",
	words: spacingWords,
}

func spacingCases(e *Experiment) []Case {
	poisson := openCases(e)[0]
	even := poisson
	poisson.Name, even.Name, even.Arrivals = "Poisson", "even", workload.Even
	return []Case{poisson, even}
}

func spacingWords(s *ScenarioResult) string {
	poisson, even := s.Cases[0], s.Cases[1]
	a, b := poisson.figure("p99"), even.figure("p99")
	text := fmt.Sprintf("The same load, spaced in two ways: the p99 was %s with Poisson arrivals and %s with even ones; the means were %s and %s. ",
		poisson.both("p99"), even.both("p99"), poisson.both("mean"), even.both("mean"))
	switch {
	case !a.Known() || !b.Known():
		return text + "These runs were too short for a p99 of both."
	case float64(a/b) > notable:
		return text + fmt.Sprintf("Random gaps alone make the p99 %s as high: no arrival law is neutral.", factor("p99", poisson, even))
	}
	return text + "Here the spacing hardly matters."
}
