package figure

import (
	"fmt"
	"math"
)

// DataOverModel is the physicist's plot: above, predicted curves with their
// bands and observed points with their intervals; below, at 30 % of the height,
// observed / predicted around 1 with the margin shaded. It draws latency against
// load, one target with mean and p99 or several systems in one panel.
type DataOverModel struct {
	Text
	X XAxis `json:"x"`
	// Quantities have a pair of panels each: one, or two such as mean and p99.
	Quantities []Quantity `json:"quantities"`
	// YScale is common to all quantities, so that they can be read against each
	// other.
	YScale Scale `json:"y_scale,omitempty"`
	// Margin is δ, the relative error agreed on before measuring: 0.10 shades
	// 1/1.1 to 1.1. Zero shades nothing.
	Margin float64 `json:"margin,omitempty"`
}

var _ Figure = DataOverModel{}

// XAxis is the horizontal axis: its label with the unit, and optionally a second
// unit along the top.
type XAxis struct {
	Label  string       `json:"label"`
	Second *SecondScale `json:"second,omitempty"`
}

// LoadAxis is an axis of offered load in requests/s, with utilisation ρ along
// the top where the capacity in requests/s is known (above zero).
func LoadAxis(capacity float64) XAxis {
	x := XAxis{Label: "offered load (requests/s)"}
	if capacity > 0 && !math.IsInf(capacity, 1) {
		x.Second = &SecondScale{Label: "utilisation ρ", PerUnit: 1 / capacity}
	}
	return x
}

// mostQuantities is how many pairs of panels stay readable on one page.
const mostQuantities = 2

// Draw lays the figure out: two quantities stand side by side where the size is
// wide enough, and are stacked otherwise.
func (f DataOverModel) Draw(size Size) (Image, error) {
	s, err := f.sheet(size)
	if err != nil {
		return Image{}, fmt.Errorf("cannot draw %q: %w", f.Title, err)
	}
	return s.image(size)
}

func (f DataOverModel) sheet(size Size) (sheet, error) {
	ps, err := f.check()
	if err != nil {
		return sheet{}, err
	}
	scale := f.YScale.choose(f.Quantities...)
	if allEmpty(scale, f.Quantities...) {
		return sheet{}, errNothing
	}
	s := sheet{words: f.Text, remarks: remarks(scale, f.Quantities...), key: keyOf(f.Text, ps, f.Quantities...)}
	x := horizontalAxis(f.X, Linear, f.Quantities...)
	g, height := grainOf(size, f.Quantities...), pairHeight(size, len(f.Quantities) == 1)
	for i, q := range f.Quantities {
		panels := []*panel{q.panel(scale, ps, g, height*(1-ratioShare))}
		if f.hasRatios(scale) {
			panels = append(panels, q.ratioPanel(x, scale, ps, g, f.Margin, height*ratioShare))
		}
		if size.Width < sideBySide && i > 0 {
			s.columns[0].panels = append(s.columns[0].panels, panels...)
			continue
		}
		s.columns = append(s.columns, column{x: x, panels: panels})
	}
	return s, nil
}

// hasRatios reports whether there is anything for the ratio panels to show.
func (f DataOverModel) hasRatios(scale Scale) bool {
	for _, q := range f.Quantities {
		if q.hasRatios(scale) {
			return true
		}
	}
	return false
}

func (f DataOverModel) check() (paints, error) {
	if len(f.Quantities) == 0 {
		return nil, fmt.Errorf("it has no quantities: give it one, or two such as mean and p99")
	}
	if len(f.Quantities) > mostQuantities {
		return nil, fmt.Errorf("it has %d quantities and a page holds %d: draw several figures", len(f.Quantities), mostQuantities)
	}
	if f.Margin < 0 || f.Margin > 10 || math.IsNaN(f.Margin) {
		return nil, fmt.Errorf("margin %v is not a relative error: write 0.1 for 10 %%", f.Margin)
	}
	if err := f.YScale.check(); err != nil {
		return nil, err
	}
	return paintsOf(f.Quantities...)
}
