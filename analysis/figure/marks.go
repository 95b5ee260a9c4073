package figure

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Widths and radii in points.
const (
	axisWidth      = 0.5
	curveWidth     = 1.1
	referenceWidth = 0.7
	barWidth       = 0.9
	pointRadius    = 2.1
	pointRim       = 0.7
	repRadius      = 1.0
	ringRadius     = 3.2
)

// Opacity of what lies behind lines and points.
const (
	bandAlpha = 0.18
	repAlpha  = 0.4
)

// dashes tell reference lines apart.
var dashes = [mostReferences][]vg.Length{
	{4, 2}, {1.2, 1.6}, {6, 2, 1.2, 2}, {2.2, 2.2}, {8, 3},
}

// place maps a data point to the panel.
func place(c *draw.Canvas, p *plot.Plot, x, y float64) vg.Point {
	return vg.Point{X: c.X(p.X.Norm(x)), Y: c.Y(p.Y.Norm(y))}
}

// visible reports whether both axes have a place for the value.
func visible(p *plot.Plot, x, y float64) bool {
	return shownOn(p.X, x) && shownOn(p.Y, y)
}

func shownOn(a plot.Axis, v float64) bool {
	_, log := a.Scale.(logScale)
	return finite(v) && (!log || v > 0)
}

// band is the shaded area between Lo and Hi of a prediction.
type band struct {
	points []Point
	ink    color.Color
}

var _ plot.Plotter = band{}

func (b band) Plot(c draw.Canvas, p *plot.Plot) {
	var upper, lower []vg.Point
	flush := func() {
		if len(upper) > 1 {
			outline := upper
			for i := len(lower) - 1; i >= 0; i-- {
				outline = append(outline, lower[i])
			}
			c.FillPolygon(b.ink, c.ClipPolygonXY(outline))
		}
		upper, lower = nil, nil
	}
	for _, pt := range b.points {
		if !pt.hasBand() || !visible(p, pt.X, pt.Hi) {
			flush()
			continue
		}
		upper = append(upper, place(&c, p, pt.X, pt.Hi))
		lower = append(lower, place(&c, p, pt.X, pt.Lo))
	}
	flush()
}

// observations are the measured points of one system: repetitions faint beside
// them, the intervals, and the points, where they are few with a white rim that
// lifts them off the line.
type observations struct {
	points []Observation
	paint  paint
	grain  grain
	aside  vg.Length // moves all of it to the right
}

var _ plot.Plotter = observations{}

// repsAside is how far repetitions stand to the right of their point, so that
// the point does not hide them.
const repsAside = 3.8

func (o observations) Plot(c draw.Canvas, p *plot.Plot) {
	bar := draw.LineStyle{Color: o.grain.ink(o.paint.ink), Width: barWidth * o.grain.radius / pointRadius}
	for _, ob := range o.points {
		for _, r := range ob.Reps {
			if visible(p, ob.X, r) {
				at := o.place(&c, p, ob.X, r).Add(vg.Point{X: repsAside})
				o.paint.shape.fill(&c, at, repRadius, faded(o.paint.ink, repAlpha))
			}
		}
		if visible(p, ob.X, ob.Y) && ob.hasInterval() {
			ends := []vg.Point{o.place(&c, p, ob.X, ob.Lo), o.place(&c, p, ob.X, ob.Hi)}
			c.StrokeLines(bar, c.ClipLinesY(ends)...)
		}
	}
	for _, ob := range o.points {
		if visible(p, ob.X, ob.Y) {
			at := o.place(&c, p, ob.X, ob.Y)
			if o.grain.rim > 0 {
				o.paint.shape.fill(&c, at, o.grain.radius+o.grain.rim, color.White)
			}
			o.paint.shape.fill(&c, at, o.grain.radius, o.grain.ink(o.paint.ink))
		}
	}
}

func (o observations) place(c *draw.Canvas, p *plot.Plot, x, y float64) vg.Point {
	return place(c, p, x, y).Add(vg.Point{X: o.aside})
}

// rings are hollow diamonds around values: a second, independent reading of the
// same quantity.
type rings struct {
	points []Point
	ink    color.Color
}

var _ plot.Plotter = rings{}

func (r rings) Plot(c draw.Canvas, p *plot.Plot) {
	for _, pt := range r.points {
		if visible(p, pt.X, pt.Y) {
			diamond.outline(&c, place(&c, p, pt.X, pt.Y), ringRadius, draw.LineStyle{Color: r.ink, Width: referenceWidth})
		}
	}
}

// region shades the panel between two levels.
type region struct {
	lo, hi float64
	ink    color.Color
}

var _ plot.Plotter = region{}

func (r region) Plot(c draw.Canvas, p *plot.Plot) {
	lo, hi := c.Y(p.Y.Norm(r.lo)), c.Y(p.Y.Norm(r.hi))
	corners := []vg.Point{{X: c.Min.X, Y: lo}, {X: c.Max.X, Y: lo}, {X: c.Max.X, Y: hi}, {X: c.Min.X, Y: hi}}
	c.FillPolygon(r.ink, c.ClipPolygonXY(corners))
}

// level is a horizontal line across the panel.
type level struct {
	y     float64
	style draw.LineStyle
}

var _ plot.Plotter = level{}

func (l level) Plot(c draw.Canvas, p *plot.Plot) {
	y := c.Y(p.Y.Norm(l.y))
	c.StrokeLines(l.style, []vg.Point{{X: c.Min.X, Y: y}, {X: c.Max.X, Y: y}})
}

// rule is a vertical line from the top of the panel down to a value, or to the
// axis where the value has no place.
type rule struct {
	x, y  float64
	style draw.LineStyle
}

var _ plot.Plotter = rule{}

func (r rule) Plot(c draw.Canvas, p *plot.Plot) {
	if !shownOn(p.X, r.x) {
		return
	}
	foot := c.Min.Y
	if shownOn(p.Y, r.y) {
		foot = c.Y(p.Y.Norm(r.y)) + pointRadius + 1
	}
	x := c.X(p.X.Norm(r.x))
	c.StrokeLines(r.style, c.ClipLinesXY([]vg.Point{{X: x, Y: c.Max.Y}, {X: x, Y: foot}})...)
}
