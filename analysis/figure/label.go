package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// label is text at a place of a panel: above or below a value of its vertical
// axis. Whoever adds one keeps it off the data.
type label struct {
	block
	x    float64   // fraction of the panel's width
	y    float64   // value of the vertical axis
	lift vg.Length // from y to the top of the text, in points; negative below y
	// align says which part of each line stands at x.
	align float64
}

// placeLabels writes the labels of a panel; it returns the lowest point used.
func (l *layout) placeLabels(p placedPanel) vg.Length {
	bottom := p.area.Min.Y
	for _, t := range p.labels {
		at := vg.Point{
			X: p.area.Min.X + vg.Length(t.x)*p.area.Size().X,
			Y: p.area.Min.Y + vg.Length(p.plot.Y.Norm(t.y))*p.area.Size().Y + t.lift,
		}
		l.write(t.block, at, t.align)
		bottom = min(bottom, at.Y-t.height())
	}
	return bottom
}

// blank keeps the grid away from behind the letters of labels on the data area.
type blank []label

var _ plot.Plotter = blank{}

func (b blank) Plot(c draw.Canvas, p *plot.Plot) {
	for _, t := range b {
		if t.lift < 0 {
			continue // below the area
		}
		at := vg.Point{X: c.X(t.x), Y: c.Y(p.Y.Norm(t.y)) + t.lift - (t.pitch()-t.size())/2}
		for _, line := range t.lines {
			from := at.X - vg.Length(t.align)*t.hand.width(line)
			c.FillPolygon(color.White, rectangle(vg.Point{X: from, Y: at.Y - t.size()}, vg.Point{X: from + t.hand.width(line), Y: at.Y}))
			at.Y -= t.pitch()
		}
	}
}

// rectangle is the outline between two opposite corners.
func rectangle(a, b vg.Point) []vg.Point {
	return []vg.Point{a, {X: a.X, Y: b.Y}, b, {X: b.X, Y: a.Y}}
}

// labelSizes are the text sizes of labels that share a row, in points, from the
// one to take where there is room.
var labelSizes = []vg.Length{bodySize, 7, 6}

// setAlike breaks texts into blocks of one size: the largest at which no word is
// cut.
func setAlike(texts []string, width vg.Length) []block {
	var out []block
	for _, size := range labelSizes {
		hand := handOf(size, regular, inkDark)
		out = out[:0]
		for _, t := range texts {
			out = append(out, hand.set(t, width))
		}
		if !slices.ContainsFunc(texts, func(t string) bool { return hand.cuts(t, width) }) {
			break
		}
	}
	return out
}

// cuts reports whether a word of the text is wider than the width.
func (h hand) cuts(text string, width vg.Length) bool {
	return slices.ContainsFunc(words(text), func(w string) bool { return h.width(w) > width })
}
