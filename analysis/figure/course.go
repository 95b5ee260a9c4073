package figure

import (
	"errors"
	"fmt"
)

// Course is what happened over time: panels stacked over one axis of time, each
// with its own quantity and scale, and stretches of time shaded across all of
// them. A system has one colour in all panels and is named once, in the key.
type Course struct {
	Text
	// X is the label of the axis. Empty: "time since the run's start (s)".
	X string `json:"x,omitempty"`
	// Panels are 1 to 5, from the top down.
	Panels []CoursePanel `json:"panels"`
	// Shaded lie behind everything, such as the times a server stood still.
	Shaded []Span `json:"shaded,omitempty"`
	// ShadedNote says in the key what they are. Empty: "shaded interval".
	ShadedNote string `json:"shaded_note,omitempty"`
}

// CoursePanel is one panel of a Course: what it shows, on which scale.
type CoursePanel struct {
	Quantity Quantity `json:"quantity"`
	Scale    Scale    `json:"scale,omitempty"`
}

var _ Figure = Course{}

// mostPanels is how many panels stay readable on one page.
const mostPanels = 5

// Draw lays the figure out: the panels have the whole width in every size.
func (f Course) Draw(size Size) (Image, error) {
	s, err := f.sheet(size)
	if err != nil {
		return Image{}, fmt.Errorf("cannot draw %q: %w", f.Title, err)
	}
	return s.image(size)
}

func (f Course) sheet(size Size) (sheet, error) {
	qs, ps, err := f.check()
	if err != nil {
		return sheet{}, err
	}
	x := horizontalAxis(XAxis{Label: or(f.X, "time since the run's start (s)")}, Linear, qs...)
	col := column{x: x}
	g, height := grainOf(size, qs...), courseHeight(size, len(f.Panels))
	empty, hidden := true, 0
	for _, p := range f.Panels {
		scale := p.Scale.choose(p.Quantity)
		panel := p.Quantity.unnamed(scale, ps, g, height)
		panel.backdrop = append(panel.backdrop, shades{f.Shaded, x, inkShade})
		col.panels = append(col.panels, panel)
		empty = empty && p.Quantity.empty(scale)
		hidden += p.Quantity.hidden(scale)
	}
	if empty {
		return sheet{}, errNothing
	}
	return sheet{words: f.Text, remarks: hiddenRemark(hidden), key: f.key(ps, x, qs), columns: []column{col}}, nil
}

func (f Course) check() ([]Quantity, paints, error) {
	if len(f.Panels) == 0 {
		return nil, nil, errors.New("it has no panels: give it one to five")
	}
	if len(f.Panels) > mostPanels {
		return nil, nil, fmt.Errorf("it has %d panels and a page holds %d: draw several figures", len(f.Panels), mostPanels)
	}
	var qs []Quantity
	for _, p := range f.Panels {
		if err := p.Scale.check(); err != nil {
			return nil, nil, err
		}
		qs = append(qs, p.Quantity)
	}
	ps, err := paintsOf(qs...)
	return qs, ps, err
}

// key names the systems, then the kinds of marks, then what is shaded.
func (f Course) key(ps paints, x axis, qs []Quantity) []keyItem {
	out := append(systemKey(ps, qs...), keyOf(f.Text, ps, qs...)...)
	for _, s := range f.Shaded {
		if s.shownOn(x) {
			return append(out, keyItem{kind: keyShade, ink: inkShade, text: or(f.ShadedNote, "shaded interval")})
		}
	}
	return out
}
