package reports

import (
	"fmt"
	"slices"
)

// scenarioSection is a scenario's part of the page.
func (r *runner) scenarioSection(t *TargetResult, s *ScenarioResult) (Section, error) {
	f, err := r.scenarioFigure(t, s)
	if err != nil {
		return Section{}, err
	}
	kind, _ := findScenario(s.Kind)
	return Section{
		Heading: t.Name + ": " + s.Title,
		Text:    []string{kind.words(s), s.modelWords() + " " + s.drift().words()},
		Figure:  f,
		Table:   s.table(r.Study.Margin),
	}, nil
}

// both prints a latency of a case, observed and predicted for its arrivals.
func (c *CaseResult) both(key string) string {
	observed, predicted := c.figure(key), c.replayed(key)
	switch {
	case !observed.Known():
		return "not resolvable"
	case !predicted.Known():
		return digits(observed) + " ms"
	}
	return fmt.Sprintf("%s ms (%s predicted)", digits(observed), digits(predicted))
}

// factor is how many times larger a latency is in one case than in another.
func factor(key string, large, small *CaseResult) string {
	observed, predicted := large.figure(key)/small.figure(key), large.replayed(key)/small.replayed(key)
	if !predicted.Known() {
		return digits(observed) + " times"
	}
	return fmt.Sprintf("%s times (%s predicted)", digits(observed), digits(predicted))
}

// notable is the factor from which a difference is worth a sentence.
const notable = 1.5

// modelWords say what predicted.
func (s *ScenarioResult) modelWords() string {
	var models []string
	for _, c := range s.Cases {
		text := fmt.Sprintf("%s (mean service %s ms)", c.Model, digits(c.Service))
		if !slices.Contains(models, text) {
			models = append(models, text)
		}
	}
	if len(models) == 1 {
		return "The model is " + models[0] + "."
	}
	// Closed and open runs have a model each, in the order of the cases.
	return fmt.Sprintf("The model is %s for the closed loop and %s for the open one.", models[0], models[1])
}
