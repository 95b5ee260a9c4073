package figure

import (
	"errors"
	"fmt"

	"gonum.org/v1/plot/vg"
)

// Trials shows things that were measured alike several times: every run a point,
// the median a bar from zero, so that its length is the quantity, and a ceiling
// as a line to read the bars against.
type Trials struct {
	Text
	// Panels are one or two, side by side where the size is wide enough.
	Panels []TrialPanel `json:"panels"`
}

// TrialPanel is one quantity of everything that was measured.
type TrialPanel struct {
	// Label of the vertical axis, with its unit: "throughput (answered/s)".
	Label string
	// Groups stand from left to right.
	Groups []TrialGroup
	// Ceiling is a horizontal line, such as the rate of an endpoint that does no
	// work; 0 or NaN draws none.
	Ceiling float64
	// CeilingName stands at the line. Empty: "ceiling".
	CeilingName string
}

// TrialGroup is one thing and its runs. It has the same colour in both panels.
// A value that is missing (NaN) or below zero is skipped, and the caption says
// so; a zero is drawn.
type TrialGroup struct {
	Name   string // below the axis
	Colour Colour
	Median float64
	// Lo and Hi are the interval of the median: none unless Lo < Hi, both finite.
	Lo, Hi float64
	// Runs in the order they were taken, which is that from left to right.
	Runs []float64
	// Note stands above the bar: "47 % of the ceiling", "spread 2.6 %".
	Note string
}

var _ Figure = Trials{}

// mostTrialPanels is how many quantities stay comparable side by side.
const mostTrialPanels = 2

// Draw lays the figure out: the panels side by side where the size is wide
// enough, and stacked otherwise.
func (f Trials) Draw(size Size) (Image, error) {
	s, err := f.sheet(size)
	if err != nil {
		return Image{}, fmt.Errorf("cannot draw %q: %w", f.Title, err)
	}
	return s.image(size)
}

func (f Trials) sheet(size Size) (sheet, error) {
	ps, err := f.check()
	if err != nil {
		return sheet{}, err
	}
	return sheet{words: f.Text, remarks: f.remarks(), key: f.key(ps), columns: f.columns(size, ps)}, nil
}

// check gives every group its colour, and refuses what cannot be drawn.
func (f Trials) check() (paints, error) {
	if len(f.Panels) == 0 {
		return nil, errors.New("it has no panels: give it one or two")
	}
	if len(f.Panels) > mostTrialPanels {
		return nil, fmt.Errorf("it has %d panels and a figure of trials holds %d: draw several figures", len(f.Panels), mostTrialPanels)
	}
	var qs []Quantity
	empty := true
	for _, p := range f.Panels {
		qs = append(qs, p.named())
		empty = empty && p.empty()
	}
	ps, err := paintsOf(qs...)
	if err == nil && empty {
		err = errNothing
	}
	return ps, err
}

// named is the panel's groups as systems without values, for their names and
// colours.
func (p TrialPanel) named() Quantity {
	q := Quantity{Label: p.Label}
	for _, g := range p.Groups {
		q.Systems = append(q.Systems, System{Name: g.Name, Colour: g.Colour})
	}
	return q
}

// columns are the panels in their places, one below the other in a narrow size.
func (f Trials) columns(size Size, ps paints) []column {
	var rooms []*trialRoom
	for _, p := range f.Panels {
		rooms = append(rooms, newTrialRoom(p, trialsHeight(size)))
	}
	place := func() []column {
		x := axis{hi: 1, scale: Linear, bare: true}
		var out []column
		for i, r := range rooms {
			if i > 0 && size.Width < sideBySide {
				out[0].panels = append(out[0].panels, r.panel(ps))
			} else {
				out = append(out, column{x, []*panel{r.panel(ps)}})
			}
		}
		return out
	}
	out := place()
	for range settling {
		wide := columnWidth(size.Width, len(out))
		m := marginsOf(out, wide)
		if !settle(rooms, wide-m.left-m.right) {
			break
		}
		out = place()
	}
	return out
}

// settling bounds the rounds in which texts and ranges find their room: texts
// above bars lengthen the axis, whose numbers then may narrow the panel.
const settling = 8

// trialsHeight is the height of the data area of one panel.
func trialsHeight(size Size) vg.Length {
	if size.Width < sideBySide {
		return 1.9 * vg.Inch
	}
	return 2.6 * vg.Inch
}

// key says what bars, points and whiskers are.
func (f Trials) key(ps paints) []keyItem {
	ink, points := inkDark, circle
	if len(ps) == 1 {
		for _, p := range ps {
			ink, points = p.ink, p.shape
		}
	}
	var has struct{ medians, runs, intervals bool }
	for _, p := range f.Panels {
		for _, g := range p.Groups {
			has.medians = has.medians || drawn(g.Median)
			has.intervals = has.intervals || g.hasInterval()
			for _, r := range g.Runs {
				has.runs = has.runs || drawn(r)
			}
		}
	}
	var out []keyItem
	if has.medians {
		out = append(out, keyItem{keyBar, ink, points, "median of the runs"})
	}
	if has.runs {
		out = append(out, keyItem{keyPoint, ink, points, "single runs in the order taken"})
	}
	if has.intervals {
		out = append(out, keyItem{keyWhisker, ink, points, or(f.IntervalNote, "interval of the median")})
	}
	return out
}

// remarks counts what is not drawn.
func (f Trials) remarks() []string {
	n := 0
	for _, p := range f.Panels {
		for _, g := range p.Groups {
			for _, v := range append([]float64{g.Median}, g.Runs...) {
				if !drawn(v) {
					n++
				}
			}
		}
	}
	return missingRemark(n)
}

// missingRemark says that n values are not drawn.
func missingRemark(n int) []string {
	switch n {
	case 0:
		return nil
	case 1:
		return []string{"1 value is missing or below zero and not drawn"}
	}
	return []string{fmt.Sprintf("%d values are missing or below zero and not drawn", n)}
}
