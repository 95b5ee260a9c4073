package reports

import (
	"fmt"
	"math"

	"queuelab/measure/record"
)

// steadiness is how long a small fixed piece of work took, in ms: before each run of
// an experiment with load generators, and after the last.
type steadiness []record.Value

// drift is the largest distance from the first timing, relative to it.
func (s steadiness) drift() record.Value {
	worst := record.Value(0)
	for _, v := range s {
		if moved := v/s[0] - 1; math.Abs(float64(moved)) > math.Abs(float64(worst)) {
			worst = moved
		}
	}
	return worst
}

// words say how steady the machine was, and what that means.
func (s steadiness) words() string {
	text := fmt.Sprintf("Between these runs a fixed piece of work took up to %.1f %% %s time than before the first.", 100*math.Abs(float64(s.drift())), moreOrLess(s.drift()))
	switch trust(s.drift()) {
	case record.Suspect:
		text += fmt.Sprintf(" SUSPECT: the machine drifted by more than %.0f %%, so that load generators which differ by as much may not differ at all.", 100*suspectDrift)
	case record.Invalid:
		text += fmt.Sprintf(" INVALID: the machine drifted by more than %.0f %%, so that these runs say little about the load generators.", 100*invalidDrift)
	}
	return text
}

// steadinessOf is that of an experiment at all its rates.
func steadinessOf(rates []*LatenessResult) (all steadiness) {
	for _, l := range rates {
		all = append(all, l.Work...)
	}
	return all
}
