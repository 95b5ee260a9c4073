package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
)

// Percentiles is latency at each quantile, on an axis where each nine has equal
// width: 90 %, 99 % and 99.9 % stand at equal distances.
type Percentiles struct {
	Text
	// Latency has the quantile as X: a fraction, 0 ≤ X < 1. The largest of n
	// values stands at 1 − 1/n; a quantile of 1 has no place.
	Latency Quantity `json:"latency"`
	YScale  Scale    `json:"y_scale,omitempty"`
}

var _ Figure = Percentiles{}

// Draw lays the figure out in one panel.
func (f Percentiles) Draw(size Size) (Image, error) {
	s, err := f.sheet(size)
	if err != nil {
		return Image{}, fmt.Errorf("cannot draw %q: %w", f.Title, err)
	}
	return s.image(size)
}

func (f Percentiles) sheet(size Size) (sheet, error) {
	ps, err := paintsOf(f.Latency)
	if err != nil {
		return sheet{}, err
	}
	if err := f.YScale.check(); err != nil {
		return sheet{}, err
	}
	if err := checkQuantiles(f.Latency); err != nil {
		return sheet{}, err
	}
	q := f.Latency.inNines()
	scale := f.YScale.choose(q)
	if allEmpty(scale, q) {
		return sheet{}, errNothing
	}
	x := ninesAxis(q)
	p := q.panel(scale, ps, grainOf(size, q), percentilesHeight(size))
	for _, r := range []struct {
		quantile float64
		name     string
	}{{0.5, "p50"}, {0.99, "p99"}} {
		if at := nines(r.quantile); at <= x.hi {
			p.markBehind(rule{x: at, y: math.NaN(), style: ruleStyle}, r.name, inkSoft)
		}
	}
	return sheet{
		words:   f.Text,
		remarks: remarks(scale, q),
		key:     keyOf(f.Text, ps, q),
		columns: []column{{x, []*panel{p}}},
	}, nil
}

// percentilesHeight is the height of the data area.
func percentilesHeight(size Size) vg.Length {
	if size.Width < sideBySide {
		return 2.2 * vg.Inch
	}
	return 2.9 * vg.Inch
}
