package reports

import (
	"fmt"
	"math"
	"slices"
	"time"

	"queuelab/analysis"
	"queuelab/measure/record"
)

// finite are the values that are numbers, ascending.
func finite(values []record.Value) []float64 {
	var out []float64
	for _, v := range values {
		if v.Known() {
			out = append(out, float64(v))
		}
	}
	slices.Sort(out)
	return out
}

// median of ascending values, NaN when there are none.
func median(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// digits prints a value with three significant digits or all before the point; "-" when it is
// not known.
func digits(v record.Value) string {
	x := math.Abs(float64(v))
	switch {
	case !v.Known():
		return "-"
	case x >= 100:
		return fmt.Sprintf("%.0f", float64(v))
	case x >= 10:
		return fmt.Sprintf("%.1f", float64(v))
	case x >= 1:
		return fmt.Sprintf("%.2f", float64(v))
	}
	return fmt.Sprintf("%.3g", float64(v))
}

// between prints a value with an interval behind it.
func between(v, lo, hi record.Value) string {
	if !v.Known() || !lo.Known() || !hi.Known() {
		return digits(v)
	}
	return fmt.Sprintf("%s [%s, %s]", digits(v), digits(lo), digits(hi))
}

func estimateText(e analysis.Estimate) string { return between(e.Value, e.Lo, e.Hi) }

// ratioText prints observed over predicted.
func ratioText(observed record.Value, predicted analysis.Estimate) string {
	if !observed.Known() || !predicted.Value.Known() || predicted.Value == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(observed/predicted.Value))
}

// plural counts things; many is the word for several, one with an s if left out.
func plural(n int, one string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case len(many) > 0:
		return fmt.Sprintf("%d %s", n, many[0])
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// span prints a length with a space before its unit.
func span(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%g s", d.Seconds())
}
