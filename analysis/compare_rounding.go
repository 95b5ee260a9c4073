package analysis

import (
	"slices"

	"queuelab/measure/record"
	"queuelab/measure/stats"
)

// Half of the last digit that a summary line has, in requests per second and in
// milliseconds.
const (
	halfRate    = 0.5
	halfLatency = 0.005
)

// rounding is how far off the least of a quantity's values may be, as a share of it,
// when one of the runs was read from a summary line; else 0.
func rounding(name string, runs []*record.Run, values []float64) float64 {
	if len(values) == 0 || !slices.ContainsFunc(runs, func(r *record.Run) bool { return r.Rounded }) {
		return 0
	}
	half := halfLatency
	if name == record.ThroughputKey {
		half = halfRate
	}
	return min(half/slices.Min(values), 0.99) // a value may be next to nothing
}

// widened is the shift with all that rounding may have hidden in its interval.
func (s *sample) widened(shift stats.Shift) stats.Shift {
	f := s.rounding
	shift.Lo = (1+shift.Lo)/f - 1
	shift.Hi = (1+shift.Hi)*f - 1
	shift.Reach = (1+shift.Reach)*f - 1
	return shift
}
