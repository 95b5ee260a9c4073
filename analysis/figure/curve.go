package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// curve is a line through points; it breaks where a value is missing. A single
// point between gaps is drawn as a short level stroke: predicted values are
// lines even when there is only one.
type curve struct {
	points []Point
	style  draw.LineStyle
}

var _ plot.Plotter = curve{}

func (l curve) Plot(c draw.Canvas, p *plot.Plot) {
	for _, run := range l.runs(&c, p) {
		c.StrokeLines(l.style, c.ClipLinesXY(run)...)
	}
}

// runs are the unbroken pieces of the curve on the page, before clipping.
func (l curve) runs(c *draw.Canvas, p *plot.Plot) [][]vg.Point {
	var out [][]vg.Point
	var run []vg.Point
	flush := func(next int) {
		if len(run) == 1 {
			run = l.stub(next-1, run[0], c, p)
		}
		if len(run) > 0 {
			out = append(out, run)
		}
		run = nil
	}
	for i, pt := range l.points {
		if !visible(p, pt.X, pt.Y) {
			flush(i)
			continue
		}
		run = append(run, place(c, p, pt.X, pt.Y))
	}
	flush(len(l.points))
	return out
}

// A single value's stroke reaches this far to either side, in points of 1/72 in:
// half-way to the neighbours on the axis where those are nearer, but never less
// than can be seen.
const (
	stubReach = 5
	leastStub = 0.8
)

// stub is the stroke for the single value of the i-th point, which lies at.
func (l curve) stub(i int, at vg.Point, c *draw.Canvas, p *plot.Plot) []vg.Point {
	reach := func(neighbour int) vg.Length {
		if neighbour < 0 || neighbour >= len(l.points) || !shownOn(p.X, l.points[neighbour].X) {
			return stubReach
		}
		gap := c.X(p.X.Norm(l.points[neighbour].X)) - at.X
		return max(leastStub, min(stubReach, max(gap, -gap)/2))
	}
	return []vg.Point{{X: at.X - reach(i-1), Y: at.Y}, {X: at.X + reach(i+1), Y: at.Y}}
}
