package validity

import (
	"fmt"
	"math"
	"strconv"

	"queuelab/measure/record"
)

// suspect is a finding that makes a run SUSPECT.
func suspect(format string, values ...any) *finding {
	return &finding{record.Suspect, fmt.Sprintf(format, values...)}
}

// invalid is a finding that makes a run INVALID.
func invalid(format string, values ...any) *finding {
	return &finding{record.Invalid, fmt.Sprintf(format, values...)}
}

// limits are the values above which a figure makes a run SUSPECT, and INVALID.
type limits struct{ suspect, invalid float64 }

// exceeded is the verdict on a value and the limit that it is above; "" for none.
func (l limits) exceeded(value float64) (verdict string, limit float64) {
	switch {
	case value > l.invalid:
		return record.Invalid, l.invalid
	case value > l.suspect:
		return record.Suspect, l.suspect
	}
	return "", 0
}

// grouped writes a count with its thousands apart: 9,412.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// many writes a count with its noun, of which the plural has an s.
func many(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return grouped(n) + " " + noun
}

// number writes a figure to three digits, and in full where it has more.
func number(v float64) string {
	if math.Abs(v) >= 1000 && math.Abs(v) < 1e15 {
		return grouped(int64(math.Round(v)))
	}
	return fmt.Sprintf("%.3g", v)
}

func percent(share float64) string { return number(100*share) + " %" }

// milliseconds writes a time of run files.
func milliseconds(v float64) string { return number(v) + " ms" }

// chance writes the p-value of a test.
func chance(p float64) string {
	if p < 0.001 {
		return "p < 0.001"
	}
	return fmt.Sprintf("p = %.1g", p)
}
