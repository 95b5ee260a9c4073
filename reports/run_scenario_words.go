package reports

import (
	"fmt"
	"math"
	"strings"

	"queuelab/measure/record"
)

// scenarioSection is a scenario's part of the page.
func (r *runner) scenarioSection(t *TargetResult, s *ScenarioResult) (Section, error) {
	f, err := r.scenarioFigure(t, s)
	if err != nil {
		return Section{}, err
	}
	text := []string{s.words()}
	if c := s.collapseWords(); c != "" {
		text = append(text, c)
	}
	return Section{
		Heading: t.Name + ": " + s.Title,
		Text:    append(text, s.modelWords()+" "+s.driftWords()),
		Figure:  f,
		Table:   s.table(),
	}, nil
}

// words say what the scenario showed.
func (s *ScenarioResult) words() string {
	switch s.Kind {
	case StallKind:
		return s.stallWords()
	case LittleKind:
		return s.littleWords()
	case OverloadKind:
		return s.overloadWords()
	case SpacingKind:
		return s.spacingWords()
	}
	return s.retryWords()
}

// both prints a figure of a case, observed and predicted.
func (c *CaseResult) both(key string) string {
	return fmt.Sprintf("%s ms (%s predicted)", digits(c.figure(key)), digits(c.replayed(key)))
}

// times is how many times larger one value is than another.
func times(large, small record.Value) string {
	return digits(large/small) + " times"
}

// notable is the factor from which a difference is worth a sentence.
const notable = 1.5

func (s *ScenarioResult) stallWords() string {
	closed, open := s.Cases[0], s.Cases[len(s.Cases)-1]
	a, b := closed.figure("p99"), open.figure("p99")
	text := fmt.Sprintf("A stall meets at most the %s of the closed loop, which then wait and send nothing; the open loop is charged for every request that was due meanwhile. "+
		"The p99 was %s closed and %s open; the longest latency %s and %s ms. ",
		plural(closed.Workload.Clients, "client"), closed.both("p99"), open.both("p99"), digits(closed.figure("max")), digits(open.figure("max")))
	switch {
	case !a.Known() || !b.Known():
		return text + "These runs were too short for a p99 of both loops."
	case float64(b/a) > notable:
		return text + fmt.Sprintf("The open loop's p99 is %s the closed one's: a closed loop hides the stall from its percentiles (coordinated omission).", times(b, a))
	}
	return text + "Here the percentiles of the closed loop do not hide the stall."
}

func (s *ScenarioResult) littleWords() string {
	worst, at := 0.0, 0
	gap := 0.0
	for _, c := range s.Cases {
		if d := math.Abs(float64(c.figure("mean"))/c.little() - 1); d >= worst {
			worst, at = d, c.Workload.Clients
		}
		for _, run := range c.Runs {
			if g := run.Observed.Little.Gap; g.Known() {
				gap = max(gap, math.Abs(float64(g)))
			}
		}
	}
	first, last := s.Cases[0], s.Cases[len(s.Cases)-1]
	return fmt.Sprintf("Little's law: in a closed loop without think time the mean latency is N / X, whatever the server. "+
		"From N = %d to N = %d the throughput went from %s to %s/s and the mean latency from %s to %s. "+
		"The measured mean differs from N / X by at most %.1f %% (at N = %d, where a run's beginning and end weigh most); the number in system that was looked at during the runs differs from throughput times latency by at most %.1f %%.",
		first.Workload.Clients, last.Workload.Clients, digits(first.figure("throughput")), digits(last.figure("throughput")),
		first.both("mean"), last.both("mean"), 100*worst, at, 100*gap)
}

func (s *ScenarioResult) overloadWords() string {
	first, last := s.Cases[0], s.Cases[len(s.Cases)-1]
	rho := last.Workload.Rate / last.Capacity
	text := fmt.Sprintf("At ρ = %.2f the queue grows as long as the run lasts, by %.0f ms of latency each second for a fluid. The mean latency was %s over %s and %s over %s. ",
		rho, 1e3*max(rho-1, 0), first.both("mean"), first.Name, last.both("mean"), last.Name)
	growth := last.figure("mean") / first.figure("mean")
	stretch := last.Workload.Seconds / first.Workload.Seconds
	if float64(growth) > notable {
		return text + fmt.Sprintf("A run %.3g times as long shows %s the latency: above its capacity a server has no latency of its own, only that of the run.", stretch, times(last.figure("mean"), first.figure("mean")))
	}
	return text + fmt.Sprintf("Here a run %.3g times as long shows hardly more latency: either the server was faster than its calibration, or the arrivals of the longer run came in at a lower rate.", stretch)
}

func (s *ScenarioResult) spacingWords() string {
	poisson, even := s.Cases[0], s.Cases[1]
	a, b := poisson.figure("p99"), even.figure("p99")
	text := fmt.Sprintf("The same load, spaced in two ways: the p99 was %s with Poisson arrivals and %s with even ones; the means were %s and %s. ",
		poisson.both("p99"), even.both("p99"), poisson.both("mean"), even.both("mean"))
	switch {
	case !a.Known() || !b.Known():
		return text + "These runs were too short for a p99 of both."
	case float64(a/b) > notable:
		return text + fmt.Sprintf("Random gaps alone make the p99 %s as high: no arrival law is neutral.", times(a, b))
	}
	return text + "Here the spacing hardly matters."
}

func (s *ScenarioResult) retryWords() string {
	without, with := s.Cases[0], s.Cases[1]
	share := func(c *CaseResult) record.Value {
		return 100 * (1 - c.figure("failed")*record.Value(len(c.Runs))/record.Value(c.requests()))
	}
	perRequest := func(c *CaseResult) record.Value {
		return c.figure("copies") * record.Value(len(c.Runs)) / record.Value(c.requests())
	}
	return fmt.Sprintf("The server is frozen, then works again. Without retries %s %% of the requests were answered, with a p99 of %s; with up to %d copies of each, %s %% were, and each request was sent %s times (%s copies predicted, %s observed). ",
		digits(share(without)), without.both("p99"), with.Workload.Copies, digits(share(with)), digits(perRequest(with)), digits(with.replayed("copies")), digits(with.figure("copies"))) +
		s.stormWords(with.collapsed() > 0, without.collapsed() > 0)
}

// stormWords say who recovered.
func (s *ScenarioResult) stormWords(with, without bool) string {
	switch {
	case with && !without:
		return "The copies keep the server saturated after the freeze is over: a metastable failure, which the same freeze without retries does not cause."
	case with && without:
		return "The server did not recover even without retries: the freezes alone are more than it can work off."
	case without:
		return "The server recovered with retries and not without them, which the model does not explain."
	}
	return "The server recovered in time, with retries too."
}

// collapseWords give the probability of collapse of clients that retry, which
// chance decides; "" for others, which a server always survives or never.
func (s *ScenarioResult) collapseWords() string {
	if s.Kind != RetriesKind {
		return ""
	}
	var parts []string
	for _, c := range s.Cases {
		if p := c.Predicted.Collapse; p != nil {
			parts = append(parts, fmt.Sprintf("%s, %d of %d simulated runs collapsed (probability %s, 95 %% interval %s to %s) and %d of %s",
				c.Name, p.Collapsed, p.Runs, digits(p.Share), digits(p.Lo), digits(p.Hi), c.collapsed(), plural(len(c.Runs), "observed run")))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "A run has collapsed when, of the requests due in the last quarter before its last stall, fewer than half were answered: " + strings.Join(parts, "; ") + "."
}

// modelWords say what predicted.
func (s *ScenarioResult) modelWords() string {
	var models []string
	for _, c := range s.Cases {
		text := c.Model + " for " + c.Name
		if len(models) == 0 || c.Model != s.Cases[len(models)-1].Model {
			models = append(models, text)
		}
	}
	if len(models) == 1 {
		return fmt.Sprintf("The model is %s, with a mean service time of %s ms.", s.Cases[0].Model, digits(s.Calibration.ServiceMS))
	}
	return fmt.Sprintf("The model is %s, with a bottleneck's demand of %s ms.", sentence(models), digits(s.Calibration.ServiceMS))
}

// driftWords say how far the machine moved meanwhile.
func (s *ScenarioResult) driftWords() string {
	if s.Known {
		return "The server's capacity is known."
	}
	text := fmt.Sprintf("Calibrated right before and right after, its capacity was %s and %s/s (%+.1f %%)",
		digits(s.Calibration.Capacity), digits(s.Again.Capacity), 100*float64(s.Again.Capacity/s.Calibration.Capacity-1))
	switch s.trust() {
	case "SUSPECT":
		return text + ": the machine drifted by more than 5 %, so what differs by as much says little about the model."
	case "INVALID":
		return text + ": the machine drifted by more than 20 %, so this does not test the prediction."
	}
	return text + "."
}
