package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
)

// Scale says how values are spread along an axis.
type Scale string

const (
	// Auto is logarithmic where the drawn values are all above zero and span
	// more than a factor of 30, and linear from zero otherwise.
	Auto Scale = ""
	// Linear starts at zero unless a value is below it.
	Linear Scale = "linear"
	// Log cannot show values at or below zero; the figure says how many it
	// left out.
	Log Scale = "log"
)

// autoLogFactor is the span from which a linear axis from zero would press the
// low half of the points into its first millimetres.
const autoLogFactor = 30

func (s Scale) check() error {
	switch s {
	case Auto, Linear, Log:
		return nil
	}
	return fmt.Errorf("unknown scale %q: use linear, log, or leave it empty for the figure to choose", string(s))
}

// shows reports whether the value has a place on the scale.
func (s Scale) shows(v float64) bool {
	return finite(v) && (s != Log || v > 0)
}

// normalizer maps data to 0..1 for gonum.
func (s Scale) normalizer() plot.Normalizer {
	if s == Log {
		return logScale{}
	}
	return plot.LinearScale{}
}

// logScale is a logarithmic scale that has an answer for every value: what is
// not above zero lies far below the axis and is clipped there, where gonum's own
// scale panics (gonum/plot issue 681).
type logScale struct{}

var _ plot.Normalizer = logScale{}

func (logScale) Normalize(min, max, x float64) float64 {
	if !(x > 0) {
		return -1
	}
	return math.Log(x/min) / math.Log(max/min)
}

// largest bounds what an axis can show. Any latency, rate or count is far inside
// it, and sums and ratios of values inside it stay finite.
const largest = 1e100

// finite reports whether a value can be drawn: a number, not beyond largest, and
// not a denormal whose tick step would vanish.
func finite(v float64) bool {
	a := math.Abs(v)
	return a <= largest && (a >= 1/largest || a == 0)
}
