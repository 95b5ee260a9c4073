package figure

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// rowShare is the part of a row's height that its bar takes.
const rowShare = 0.74

// peerBars are the medians: pale bars from zero with a strong end.
type peerBars struct {
	rows   []PeerRow
	paints paints
}

var _ plot.Plotter = peerBars{}

func (b peerBars) Plot(c draw.Canvas, p *plot.Plot) {
	for i, r := range b.rows {
		if !drawn(r.Median) {
			continue
		}
		middle, half := peerLane(c, len(b.rows), i)
		at := func(v float64, aside vg.Length) vg.Point { return vg.Point{X: c.X(p.X.Norm(v)), Y: middle + aside} }
		ink := b.paints[r.Name].ink
		c.FillPolygon(pale(ink), rectangle(at(0, -half), at(r.Median, half)))
		c.StrokeLines(draw.LineStyle{Color: ink, Width: edgeWidth}, []vg.Point{at(r.Median, -half), at(r.Median, half)})
	}
}

// peerRuns are the runs, from the top of their bar down.
type peerRuns struct {
	rows   []PeerRow
	paints paints
}

var _ plot.Plotter = peerRuns{}

func (b peerRuns) Plot(c draw.Canvas, p *plot.Plot) {
	for i, r := range b.rows {
		middle, half := peerLane(c, len(b.rows), i)
		paint, across := b.paints[r.Name], lanes{bar: 2 * half}
		radius, rim := across.point(len(r.Runs))
		for j, v := range r.Runs {
			if !drawn(v) {
				continue
			}
			at := vg.Point{X: c.X(p.X.Norm(v)), Y: middle - across.run(j, len(r.Runs))}
			paint.shape.fill(&c, at, radius+rim, color.White)
			paint.shape.fill(&c, at, radius, paint.ink)
		}
	}
}

// peerLane is the middle of a row on the page and half the height of its bar.
func peerLane(c draw.Canvas, rows, i int) (middle, half vg.Length) {
	pitch := c.Size().Y / vg.Length(rows)
	return c.Max.Y - (vg.Length(i)+0.5)*pitch, rowShare * pitch / 2
}
