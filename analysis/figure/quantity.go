package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// panel turns the quantity into a panel that names the systems at the ends of
// their lines.
func (q Quantity) panel(scale Scale, ps paints, g grain, height vg.Length) *panel {
	p := q.unnamed(scale, ps, g, height)
	for _, s := range q.Systems {
		p.ends = append(p.ends, ending{s.Name, ps[s.Name].ink, s.named(scale)})
	}
	return p
}

// unnamed is the panel without the names of its systems.
func (q Quantity) unnamed(scale Scale, ps paints, g grain, height vg.Length) *panel {
	lo, hi := q.verticalRange(scale)
	p := &panel{y: axis{label: q.Label, lo: lo, hi: hi, scale: scale}, height: height}
	for _, ref := range q.References {
		p.ends = append(p.ends, ending{ref.Name, inkSoft, curve{points: ref.Points}})
	}
	p.add(q.marks(ps, g)...)
	switch {
	case q.empty(scale):
		p.note = "no data: " + errNothing.Error()
	case !q.observed(scale) && q.wasMeasured():
		p.note = "nothing observed that can be drawn"
	}
	return p
}

// marks are everything inside the panel from the back to the front: references,
// bands, predicted lines, observed points; where points are many they lie behind
// the lines and the references. The system with the most points is the rearmost,
// so that a short run on the path of a long one stays visible.
func (q Quantity) marks(ps paints, g grain) []plot.Plotter {
	systems := slices.Clone(q.Systems)
	slices.SortStableFunc(systems, func(a, b System) int { return len(b.Observed) - len(a.Observed) })
	var references, bands, lines, points []plot.Plotter
	for i, r := range q.References {
		references = append(references, curve{r.Points, draw.LineStyle{Color: inkSoft, Width: referenceWidth, Dashes: dashes[i]}})
	}
	for _, s := range systems {
		bands = append(bands, band{s.Predicted, faded(ps[s.Name].ink, bandAlpha)})
		lines = append(lines, curve{s.Predicted, curveStyle(ps[s.Name].ink)})
		points = append(points, observations{points: s.Observed, paint: ps[s.Name], grain: g})
	}
	if g.dense {
		return slices.Concat(bands, points, lines, references)
	}
	return slices.Concat(references, bands, lines, points)
}

func curveStyle(ink color.Color) draw.LineStyle {
	return draw.LineStyle{Color: ink, Width: curveWidth}
}

// named is the curve at whose end the system's name stands: the predicted one,
// or the observed points where nothing was predicted.
func (s System) named(scale Scale) curve {
	for _, p := range s.Predicted {
		if finite(p.X) && scale.shows(p.Y) {
			return curve{points: s.Predicted}
		}
	}
	var c curve
	for _, o := range s.Observed {
		c.points = append(c.points, Point{X: o.X, Y: o.Y})
	}
	return c
}

// wasMeasured reports whether observations were handed over at all.
func (q Quantity) wasMeasured() bool {
	for _, s := range q.Systems {
		if len(s.Observed) > 0 {
			return true
		}
	}
	return false
}

// hidden counts the observed and predicted values that a logarithmic axis cannot
// show.
func (q Quantity) hidden(scale Scale) int {
	n := 0
	count := func(x, v float64) {
		if finite(x) && finite(v) && !scale.shows(v) {
			n++
		}
	}
	for _, s := range q.Systems {
		for _, o := range s.Observed {
			count(o.X, o.Y)
			for _, r := range o.Reps {
				count(o.X, r)
			}
		}
		for _, p := range s.Predicted {
			count(p.X, p.Y)
		}
	}
	return n
}

// remarks says what a logarithmic axis left out.
func remarks(scale Scale, qs ...Quantity) []string {
	n := 0
	for _, q := range qs {
		n += q.hidden(scale)
	}
	return hiddenRemark(n)
}

// hiddenRemark says that n values are not shown.
func hiddenRemark(n int) []string {
	switch n {
	case 0:
		return nil
	case 1:
		return []string{"1 value at or below zero has no place on the logarithmic axis"}
	}
	return []string{fmt.Sprintf("%d values at or below zero have no place on the logarithmic axis", n)}
}

// horizontalAxis is the axis that all quantities share.
func horizontalAxis(a XAxis, scale Scale, qs ...Quantity) axis {
	var s hull
	for _, q := range qs {
		s.merge(q.horizontal(scale))
	}
	lo, hi := s.paddedX(scale)
	out := axis{label: a.Label, lo: lo, hi: hi, scale: scale}
	if s := a.Second; s != nil && s.PerUnit > 0 && finite(s.PerUnit*lo) && finite(s.PerUnit*hi) {
		out.second = s
	}
	return out
}

// predictedAt is the predicted curve at x, interpolated between its neighbours
// as the line is drawn; ok is false outside the curve. Exact where the curve has
// a point at x.
func predictedAt(points []Point, x float64, scale Scale) (Point, bool) {
	below, above := Point{X: math.Inf(-1)}, Point{X: math.Inf(1)}
	for _, p := range points {
		if !finite(p.X) || !scale.shows(p.Y) {
			continue
		}
		if p.X <= x && p.X > below.X {
			below = p
		}
		if p.X >= x && p.X < above.X {
			above = p
		}
	}
	if math.IsInf(below.X, 0) || math.IsInf(above.X, 0) {
		return Point{}, false
	}
	if below.X == above.X {
		return below, true
	}
	t := (x - below.X) / (above.X - below.X)
	if scale == Log {
		return Point{X: x, Y: math.Exp((1-t)*math.Log(below.Y) + t*math.Log(above.Y))}, true
	}
	return Point{X: x, Y: (1-t)*below.Y + t*above.Y}, true
}
