package reports

import (
	"fmt"

	"queuelab/analysis"
	"queuelab/measure/record"
)

// StrictError says what of a report that was written does not hold.
type StrictError struct {
	Invalid  int // runs that cannot be believed
	Disagree int // predictions that DISAGREE with what was observed
	Missed   int // goals that were not met
}

func (e *StrictError) Error() string {
	return fmt.Sprintf("%s INVALID, %s what was observed, and %s missed: see the report's page",
		plural(e.Invalid, "run is", "runs are"), plural(e.Disagree, "prediction DISAGREES with", "predictions DISAGREE with"), plural(e.Missed, "goal was", "goals were"))
}

// strict is a *[StrictError] when a run is INVALID, or a margin or a goal was missed.
func (r *Results) strict() error {
	e := &StrictError{}
	for _, t := range r.Targets {
		e.Invalid += t.count(record.Invalid)
		for _, a := range t.agreements() {
			if a.Verdict == analysis.Disagrees {
				e.Disagree++
			}
		}
	}
	if r.Peers != nil {
		for _, g := range r.Peers.goals() {
			if !g.met() {
				e.Missed++
			}
		}
	}
	if e.Invalid+e.Disagree+e.Missed == 0 {
		return nil
	}
	return e
}

// agreements are those of everything on the target that was held against a margin.
func (t *TargetResult) agreements() (all []analysis.Agreement) {
	for _, o := range t.Open {
		for _, p := range o.Points {
			all = append(all, p.Mean, p.P99)
		}
	}
	for _, s := range t.Scenarios {
		for _, c := range s.Cases {
			for _, a := range c.Agreements {
				all = append(all, *a)
			}
		}
	}
	return all
}
