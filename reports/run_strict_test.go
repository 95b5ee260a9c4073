package reports

import (
	"errors"
	"strings"
	"testing"

	"queuelab/analysis"
	"queuelab/measure/record"
)

// A strict report fails by an INVALID run and by a margin that was missed, and by
// nothing else.
func TestStrict(t *testing.T) {
	target := func(verdict, agreement string) *Results {
		return &Results{Targets: []*TargetResult{{
			Verdicts:  []VerdictResult{{Run: "closed-1", Verdict: record.Valid}, {Run: "closed-2", Verdict: verdict}},
			Open:      []*OpenResult{{Points: []OpenPoint{{Mean: analysis.Agreement{Verdict: agreement}}}}},
			Scenarios: []*ScenarioResult{{Cases: []*CaseResult{{Agreements: map[string]*analysis.Agreement{"mean": {Verdict: agreement}}}}}},
		}}}
	}
	for _, tt := range []struct {
		verdict, agreement string
		invalid, disagree  int
	}{
		{record.Valid, analysis.Agrees, 0, 0},
		{record.Suspect, analysis.Inconclusive, 0, 0},
		{record.Invalid, analysis.Agrees, 1, 0},
		{record.Suspect, analysis.Disagrees, 0, 2},
	} {
		err := target(tt.verdict, tt.agreement).strict()
		var strict *StrictError
		if tt.invalid+tt.disagree == 0 {
			if err != nil {
				t.Errorf("%s and %s fail: %v", tt.verdict, tt.agreement, err)
			}
			continue
		}
		if !errors.As(err, &strict) || strict.Invalid != tt.invalid || strict.Disagree != tt.disagree {
			t.Errorf("%s and %s say %v", tt.verdict, tt.agreement, err)
		}
	}
	missed := &Results{Peers: &PeersResult{Costs: []*CostResult{{Goals: []GoalResult{{Limit: 1, Measured: 2}, {Limit: 1, Measured: 0.5}}}}}}
	var strict *StrictError
	if err := missed.strict(); !errors.As(err, &strict) || strict.Missed != 1 {
		t.Errorf("a goal of two was missed, and strictness says %v", err)
	}
	if text := (&StrictError{Invalid: 1, Disagree: 2}).Error(); !strings.Contains(text, "1 run is INVALID, 2 predictions DISAGREE with what was observed, and 0 goals were missed") {
		t.Errorf("it says %q", text)
	}
}
