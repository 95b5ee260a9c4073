package reports

import (
	"fmt"
	"slices"

	"queuelab/measure/record"
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
		Text:    []string{kind.words(s), s.modelWords() + " " + s.driftWords()},
		Figure:  f,
		Table:   s.table(),
	}, nil
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
