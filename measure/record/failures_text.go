package record

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// failureLine lists what was not answered, by class, and how long that took; "" when
// all was answered.
func failureLine(run *Run) string {
	n := run.Requests
	var parts []string
	for _, class := range slices.Sorted(maps.Keys(run.Failures)) {
		parts = append(parts, fmt.Sprintf("%s %d%s", class, run.Failures[class], lasted(run.FailedTimes[class])))
	}
	for _, rest := range []struct {
		name  string
		count int64
		note  string
	}{
		{"timed out", n.TimedOut, givenUp(run.Workload.Timeout)},
		{"unfinished", n.Unfinished, oldest(run.FailedTimes[UnfinishedKey])},
		{"unsent", n.Unsent, ""},
	} {
		if rest.count > 0 {
			parts = append(parts, fmt.Sprintf("%s %d%s", rest.name, rest.count, rest.note))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("of %d scheduled, not answered: %s", n.Scheduled, strings.Join(parts, ", "))
}

// lasted says how long the failures of a class took; "" where that is not known.
func lasted(times Quantities) string {
	longest := times.Get("max")
	if !longest.Known() {
		return ""
	}
	if p50 := times.Get("p50"); p50.Known() {
		return fmt.Sprintf(" (p50 %s, max %s)", span(p50), span(longest))
	}
	return fmt.Sprintf(" (max %s)", span(longest))
}

// givenUp says what a timeout, in seconds, counts from; "" without one.
func givenUp(timeout float64) string {
	if timeout <= 0 {
		return ""
	}
	return fmt.Sprintf(" (given up %v after their sending)", nanoseconds(timeout))
}

// oldest says how long ago the first of what is unfinished was sent; "" where that is
// not known.
func oldest(ages Quantities) string {
	if age := ages.Get("max"); age.Known() {
		return fmt.Sprintf(" (the oldest %s)", span(age))
	}
	return ""
}

// span prints milliseconds, long ones in seconds.
func span(milliseconds Value) string {
	if milliseconds >= 1000 {
		return fmt.Sprintf("%.1f s", float64(milliseconds)/1e3)
	}
	return fmt.Sprintf("%.2f ms", float64(milliseconds))
}
