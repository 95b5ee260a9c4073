package figure

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
)

// Peers compares programs that did the same work by one quantity: a row a
// program, every run a point, the median a bar from zero with its value beside it.
type Peers struct {
	Text
	// Label of the horizontal axis, with its unit: "CPU time a request (µs)".
	Label string `json:"label"`
	// Rows stand from the top down.
	Rows []PeerRow `json:"rows"`
	// Goal is a value that one of the rows was to reach; nil for none.
	Goal *PeerGoal `json:"goal,omitempty"`
}

// PeerRow is one program and its runs. A value that is missing (NaN) or below zero
// is skipped, and the caption says so.
type PeerRow struct {
	Name   string
	Colour Colour
	Median float64
	// Runs in the order they were taken, which is that from the top down.
	Runs []float64
	// Note stands behind the row's last mark: "26 µs".
	Note string
}

// PeerGoal is a vertical line and what stands above it.
type PeerGoal struct {
	At   float64 `json:"at"`
	Name string  `json:"name"`
}

var _ Figure = Peers{}

// Draw lays the figure out in one panel.
func (f Peers) Draw(size Size) (Image, error) {
	s, err := f.sheet(size)
	if err != nil {
		return Image{}, fmt.Errorf("cannot draw %q: %w", f.Title, err)
	}
	return s.image(size)
}

func (f Peers) sheet(size Size) (sheet, error) {
	ps, err := f.check(size)
	if err != nil {
		return sheet{}, err
	}
	return sheet{words: f.Text, remarks: f.remarks(), key: f.key(ps), columns: f.columns(size, ps)}, nil
}

// nameShare is the part of a figure's width that the names of rows may take.
const nameShare = 0.35

// check gives every row its colour, and refuses what cannot be drawn.
func (f Peers) check(size Size) (paints, error) {
	if len(f.Rows) == 0 {
		return nil, errors.New("it has no rows: give it at least one")
	}
	q := Quantity{Label: f.Label}
	for _, r := range f.Rows {
		q.Systems = append(q.Systems, System{Name: r.Name, Colour: r.Colour})
		if body(inkDark).width(r.Name) > nameShare*size.Width {
			return nil, fmt.Errorf("the name %q leaves no room for its row: shorten it", r.Name)
		}
	}
	ps, err := paintsOf(q)
	if err == nil && f.hull().n == 0 {
		err = errNothing
	}
	return ps, err
}

// hull is everything of the row that must be visible.
func (r PeerRow) hull() hull {
	var h hull
	for _, v := range append([]float64{r.Median}, r.Runs...) {
		if drawn(v) {
			h.add(v, Linear)
		}
	}
	return h
}

func (f Peers) hasGoal() bool { return f.Goal != nil && drawn(f.Goal.At) }

func (f Peers) hull() hull {
	var h hull
	for _, r := range f.Rows {
		h.merge(r.hull())
	}
	return h
}

// rowPitch is the height of a row in points.
const rowPitch = 28

// columns are the one panel. Its notes lengthen the axis, whose numbers may narrow
// it in turn.
func (f Peers) columns(size Size, ps paints) []column {
	h := f.hull()
	if f.hasGoal() {
		h.add(f.Goal.At, Linear)
	}
	_, hi := h.padded(Linear)
	wide := columnWidth(size.Width, 1)
	var out []column
	for range settling {
		x := axis{label: f.Label, hi: hi, scale: Linear}
		out = []column{{x, []*panel{f.panel(ps, nil)}}}
		m := marginsOf(out, wide)
		area := wide - m.left - m.right
		longer := f.reach(hi, area)
		if longer == hi {
			out[0].panels[0] = f.panel(ps, f.labels(hi, area))
			break
		}
		hi = longer
	}
	return out
}

// noteAside is the distance in points of a note from the value before it.
const noteAside = 5

// longestNote is the share of the panel that a note may take; a longer one breaks
// into lines.
const longestNote = 0.4

func (r PeerRow) note(area vg.Length) block {
	text := r.Note
	if r.hull().n == 0 {
		text = or(r.Note, "no data")
	}
	return body(inkDark).set(text, longestNote*area)
}

// reach is the end of the axis at which every note has its place.
func (f Peers) reach(hi float64, area vg.Length) float64 {
	for _, r := range f.Rows {
		if free := area - noteAside - r.note(area).width(); free > 0 {
			hi = math.Max(hi, r.hull().hi*float64(area/free))
		}
	}
	return hi
}

// labels are the notes in their places.
func (f Peers) labels(hi float64, area vg.Length) []label {
	var out []label
	for i, r := range f.Rows {
		b := r.note(area)
		if len(b.lines) == 0 {
			continue
		}
		at := r.hull().hi/hi + float64(noteAside/area)
		out = append(out, label{b, at, f.middle(i), b.height() / 2, left})
	}
	return out
}

// middle is where a row stands on the vertical axis, which counts from below.
func (f Peers) middle(i int) float64 { return float64(len(f.Rows)-i) - 0.5 }

func (f Peers) panel(ps paints, notes []label) *panel {
	n := len(f.Rows)
	p := &panel{y: axis{hi: float64(n), scale: Linear}, height: vg.Length(n) * rowPitch, labels: notes}
	for i := range f.Rows {
		p.y.names = append(p.y.names, f.Rows[n-1-i].Name)
	}
	p.add(peerBars{f.Rows, ps})
	if g := f.Goal; f.hasGoal() {
		p.mark(g.At, rule{x: g.At, y: math.NaN(), style: ruleStyle}, g.Name, inkSoft)
	}
	p.add(blank(notes), peerRuns{f.Rows, ps})
	return p
}

// key says what bars and points are.
func (f Peers) key(ps paints) []keyItem {
	ink, points := inkDark, circle
	if len(ps) == 1 {
		for _, p := range ps {
			ink, points = p.ink, p.shape
		}
	}
	out := []keyItem{{keyRow, ink, points, "median of the runs"}}
	for _, r := range f.Rows {
		for _, v := range r.Runs {
			if drawn(v) {
				return append(out, keyItem{keyPoint, ink, points, "single runs in the order taken"})
			}
		}
	}
	return out
}

// remarks counts what is not drawn.
func (f Peers) remarks() []string {
	n := 0
	for _, r := range f.Rows {
		for _, v := range append([]float64{r.Median}, r.Runs...) {
			if !drawn(v) {
				n++
			}
		}
	}
	return missingRemark(n)
}
