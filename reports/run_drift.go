package reports

import (
	"fmt"
	"math"

	"queuelab/measure/record"
)

// drift is what happened to a server between two calibrations.
type drift struct {
	before, after CalibrationResult
	work          record.Value // how much longer the fixed piece of work took around runs in between, relative to that around the calibration
	known         bool         // the server's speed is given: it cannot drift
}

// The tables of a target's curves have the machine's speed for every row; those of
// a scenario have not.
func (t *TargetResult) drift() drift { return drift{t.Calibration, t.Again, 0, t.Known} }

func (s *ScenarioResult) drift() drift { return drift{s.Calibration, s.Again, s.Work, s.Known} }

// Drifts that make runs suspect and worthless.
const (
	suspectDrift = 0.05
	invalidDrift = 0.20
)

// worst is the largest drift: of the capacity, of the rate at which one client is
// served, from which open requests on one connection are predicted, or of the
// machine in between; unknown where the server's speed is given.
func (d drift) worst() record.Value {
	if d.known {
		return record.Unknown()
	}
	worst := record.Value(0)
	for _, moved := range []record.Value{d.after.Capacity/d.before.Capacity - 1, d.before.IdleMS/d.after.IdleMS - 1, d.work} {
		if math.Abs(float64(moved)) > math.Abs(float64(worst)) {
			worst = moved
		}
	}
	return worst
}

// trust is what the drift makes of the runs in between: SUSPECT, INVALID, or ""
// when it says nothing against them.
func (d drift) trust() string { return trust(d.worst()) }

// trust is what a relative change of the server or the machine makes of runs.
func trust(moved record.Value) string {
	switch worst := math.Abs(float64(moved)); {
	case worst > invalidDrift:
		return "INVALID"
	case worst > suspectDrift:
		return "SUSPECT"
	}
	return ""
}

// words say how far the server moved, and what that means.
func (d drift) words() string {
	if d.known {
		return "The server's capacity is known."
	}
	text := fmt.Sprintf("Calibrated before and after these runs, the capacity was %s and %s/s (%+.1f %%) and one client's mean latency %s and %s ms",
		digits(d.before.Capacity), digits(d.after.Capacity), 100*float64(d.after.Capacity/d.before.Capacity-1),
		digits(d.before.IdleMS), digits(d.after.IdleMS))
	if d.work != 0 {
		text += fmt.Sprintf("; around them the fixed piece of work took up to %.1f %% %s time than around the calibration", 100*math.Abs(float64(d.work)), moreOrLess(d.work))
	}
	if verdict := d.verdict(); verdict != "" {
		return text + ". " + verdict
	}
	return text + "."
}

// verdict is a sentence on runs that are not to be trusted, "" for others.
func (d drift) verdict() string {
	switch d.trust() {
	case "SUSPECT":
		return fmt.Sprintf("SUSPECT: the machine drifted by more than %.0f %%, so what differs by as much says little about the model.", 100*suspectDrift)
	case "INVALID":
		return fmt.Sprintf("INVALID: the machine drifted by more than %.0f %%, so these runs do not test the prediction.", 100*invalidDrift)
	}
	return ""
}

func moreOrLess(v record.Value) string {
	if v > 0 {
		return "more"
	}
	return "less"
}
