package figure

import (
	"errors"
	"fmt"
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
// A missing value (NaN) is skipped, and the caption says so.
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

// mostTrialPanels is how many quantities of a trial one figure compares.
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
	if _, err := f.check(); err != nil {
		return sheet{}, err
	}
	return sheet{}, errors.New("trials have no drawing yet")
}

func (f Trials) check() (paints, error) {
	if len(f.Panels) == 0 {
		return nil, errors.New("it has no panels: give it one or two")
	}
	if len(f.Panels) > mostTrialPanels {
		return nil, fmt.Errorf("it has %d panels and a figure of trials holds %d: draw several figures", len(f.Panels), mostTrialPanels)
	}
	var qs []Quantity
	for _, p := range f.Panels {
		qs = append(qs, p.named())
	}
	return paintsOf(qs...)
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
