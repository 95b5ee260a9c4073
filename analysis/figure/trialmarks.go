package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The look of bars: sizes in points, and the share of white in the fill.
const (
	edgeWidth    = 1.3 // of a bar's upper edge
	whiskerWidth = 0.7
	whiskerCap   = 2 // to either side
	barWhite     = 0.72
)

// bars are the groups of one panel: a pale bar up to the median with a strong
// upper edge, the runs in their order across it, and the interval at its right.
type bars struct {
	groups  []TrialGroup
	paints  paints
	lanes   lanes
	ceiling *level // in front of the bars and behind the points; nil: none
}

var _ plot.Plotter = bars{}

func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	slot := c.Size().X / vg.Length(len(b.groups))
	at := func(i int, aside vg.Length, v float64) vg.Point {
		return vg.Point{X: c.Min.X + (vg.Length(i)+0.5)*slot + aside, Y: c.Y(p.Y.Norm(v))}
	}
	half := b.lanes.bar / 2
	for i, g := range b.groups {
		if drawn(g.Median) {
			c.FillPolygon(pale(b.paints[g.Name].ink), rectangle(at(i, -half, 0), at(i, half, g.Median)))
		}
	}
	if b.ceiling != nil {
		b.ceiling.Plot(c, p)
	}
	for i, g := range b.groups {
		paint := b.paints[g.Name]
		if drawn(g.Median) {
			c.StrokeLines(draw.LineStyle{Color: paint.ink, Width: edgeWidth}, []vg.Point{at(i, -half, g.Median), at(i, half, g.Median)})
		}
		if g.hasInterval() {
			whisker(&c, paint.ink, at(i, b.lanes.whisker, g.Lo), at(i, b.lanes.whisker, g.Hi))
		}
		radius, rim := b.lanes.point(len(g.Runs))
		for j, r := range g.Runs {
			if drawn(r) {
				run := at(i, b.lanes.run(j, len(g.Runs)), r)
				paint.shape.fill(&c, run, radius+rim, color.White)
				paint.shape.fill(&c, run, radius, paint.ink)
			}
		}
	}
}

// whisker is a vertical line with a cap at both ends.
func whisker(c *draw.Canvas, ink color.Color, lo, hi vg.Point) {
	style := draw.LineStyle{Color: ink, Width: whiskerWidth}
	c.StrokeLines(style, []vg.Point{lo, hi})
	for _, end := range []vg.Point{lo, hi} {
		c.StrokeLines(style, []vg.Point{{X: end.X - whiskerCap, Y: end.Y}, {X: end.X + whiskerCap, Y: end.Y}})
	}
}

// pale is a colour mixed with white: opaque, so that no grid shows through.
func pale(c color.NRGBA) color.NRGBA {
	mix := func(v uint8) uint8 { return uint8(math.Round(float64(v)*(1-barWhite) + 255*barWhite)) }
	return color.NRGBA{mix(c.R), mix(c.G), mix(c.B), 0xFF}
}

// lanes are the places across a group, in points: a bar in its middle, which the
// runs divide, and the interval beside it.
type lanes struct {
	bar     vg.Length // width
	whisker vg.Length // from the middle to the right
}

// Bars: their share of the room of a group, less where intervals stand beside
// them; how broad they get at most, unless many runs need more, in points; the
// room a run gets then; and the distance of an interval.
const (
	barShare     = 0.74
	sharedShare  = 0.66
	broadest     = 72
	runGoal      = 5
	whiskerAside = 4.5
)

func (p TrialPanel) lanes(slot vg.Length) lanes {
	most := 0
	for _, g := range p.Groups {
		most = max(most, len(g.Runs))
	}
	share := vg.Length(barShare)
	if p.hasIntervals() {
		share = sharedShare
	}
	bar := min(share*slot, max(broadest, runGoal*vg.Length(most)))
	return lanes{bar: bar, whisker: bar/2 + min(whiskerAside, (slot-bar)/4)}
}

// pitch is the distance between two of n runs.
func (l lanes) pitch(n int) vg.Length { return l.bar / vg.Length(max(n, 1)) }

// run is the place of one of n runs, from the middle of the group.
func (l lanes) run(i, n int) vg.Length { return -l.bar/2 + (vg.Length(i)+0.5)*l.pitch(n) }

// runRadius is that of a run's point, in points: smaller than other observed
// ones, since runs differ by little on an axis from zero.
const runRadius = 1.8

// point is the radius of the points of n runs and the width of the white rim
// that lifts them off the edge of the bar. Neighbours touch only where they are
// very many.
func (l lanes) point(n int) (radius, rim vg.Length) {
	return max(leastRadius, min(runRadius, 0.38*l.pitch(n))), min(pointRim, 0.12*l.pitch(n))
}
