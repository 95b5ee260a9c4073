package reports

import (
	"fmt"
	"strings"

	"queuelab/analysis/figure"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

var retriesScenario = scenario{
	kind: RetriesKind, title: "A retry storm",
	needs:   []string{"loads", "length", "stall", "retry", "timeout"},
	takes:   []string{"copies"},
	cases:   retryCases,
	view:    courseView,
	draw:    retryCourse,
	shows:   "goodput, attempts, failures and latency over time",
	caption: " Latency stands at the time for which requests were due, the rest where it happened; a line ends where requests of many simulated runs had no answer. After the schedule's end only what is open is waited for.",
	words:   retryWords,
}

// retryCases leave the storm for last: a server goes on with it for a while.
func retryCases(e *Experiment) []Case {
	without := openCases(e)[0]
	with := without
	with.Name, without.Name, with.Retry = "with retries", "without retries", e.Retry
	return []Case{without, with}
}

// retryCourse draws what clients and server did over time.
func retryCourse(_ *runner, _ *TargetResult, s *ScenarioResult, text figure.Text) figure.Figure {
	stall := s.stall()
	course := figure.Course{Text: text, ShadedNote: "the server " + stallWord(stall.Kind), Shaded: spans(stall, s.Cases[0].Workload)}
	for _, part := range courseParts {
		q := figure.Quantity{Label: part.label}
		for _, c := range s.Cases {
			q.Systems = append(q.Systems, c.course(part))
		}
		course.Panels = append(course.Panels, figure.CoursePanel{Quantity: q, Scale: part.scale})
	}
	return course
}

// spans are the times in which the server stands still until the last timeout.
func spans(stall workload.Stall, w record.Workload) []figure.Span {
	var out []figure.Span
	for i := int64(0); stall.Begin(i).Seconds() < w.Seconds+w.Timeout; i++ {
		out = append(out, figure.Span{From: stall.Begin(i).Seconds(), To: (stall.Begin(i) + stall.Length).Seconds()})
	}
	return out
}

func retryWords(s *ScenarioResult) string {
	without, with := s.Cases[0], s.Cases[1]
	a, b := without.requests(), with.requests()
	share := func(part, whole int64) record.Value { return record.Value(100 * float64(part) / float64(whole)) }
	return fmt.Sprintf("The server %s, then works again. Without retries %s %% of the requests were answered, with a p99 of %s. With up to %d copies of each %s %% were, and each request was sent %s times on average (%s copies predicted, %s observed). ",
		stallWord(s.stall().Kind), digits(share(a.Answered, a.Scheduled)), without.both("p99"),
		with.Workload.Copies, digits(share(b.Answered, b.Scheduled)), digits(share(b.Copies, b.Scheduled)/100), digits(with.replayed("copies")), digits(with.figure("copies"))) +
		stormWords(with, without) + collapseWords(s)
}

// stormWords say who recovered, in so many of the observed runs.
func stormWords(with, without *CaseResult) string {
	in := func(c *CaseResult) string { return fmt.Sprintf("%d of %s", c.collapsed(), plural(len(c.Runs), "run")) }
	switch {
	case with.collapsed() == len(with.Runs) && without.collapsed() == 0:
		return "The copies keep the server saturated after it works again: a metastable failure, which the same stall without retries does not cause. "
	case with.collapsed()+without.collapsed() == 0:
		return "The server recovered in time, with retries too. "
	}
	return fmt.Sprintf("The server did not recover in %s with retries and in %s without. ", in(with), in(without))
}

// collapseWords give the probability of collapse, which chance decides.
func collapseWords(s *ScenarioResult) string {
	var parts []string
	for _, c := range s.Cases {
		if p := c.Predicted.Collapse; p != nil {
			parts = append(parts, fmt.Sprintf("%s, %d of %d simulated runs did (probability %s, 95 %% interval %s to %s) and %d of %s",
				c.Name, p.Collapsed, p.Runs, digits(p.Share), digits(p.Lo), digits(p.Hi), c.collapsed(), plural(len(c.Runs), "observed run")))
		}
	}
	return "A run counts as collapsed when fewer than half of the requests due in the last quarter before its last stall were answered: " + strings.Join(parts, "; ") + "."
}
