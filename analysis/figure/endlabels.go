package figure

import (
	"strings"

	"gonum.org/v1/plot/vg"
)

// sideEnd is the name of a curve that ends inside the panel or at its right
// edge: written in the right margin at that height.
type sideEnd struct {
	exit
	block
}

// sideEnds are the names for the right margin.
func (p *panel) sideEnds(x axis, wide vg.Length) []sideEnd {
	g := p.plot(x)
	var out []sideEnd
	for _, e := range p.ends {
		at, ok := exitOf(e.curve, g)
		if !ok || at.top {
			continue
		}
		if b := e.block(wide); len(b.lines) > 0 {
			out = append(out, sideEnd{at, b})
		}
	}
	return out
}

// endWidth is the width in points at which names wrap, unless a word is longer.
const endWidth = 44

func (e ending) block(wide vg.Length) block {
	hand := body(legible(e.ink))
	name := strings.ReplaceAll(e.name, " = ", "\u00A0=\u00A0") // N = 8 stays on one line
	width := vg.Length(endWidth)
	for _, word := range words(name) {
		width = max(width, hand.width(word))
	}
	return hand.set(name, min(width, endShare*wide))
}

// endsHeight is the height that the names in the right margin need.
func (p *panel) endsHeight(x axis, wide vg.Length) vg.Length {
	var h vg.Length
	for _, e := range p.sideEnds(x, wide) {
		h += e.height()
	}
	return h
}

// endGap is the room between the panel and the names, wide enough for the
// repetitions of a point at the edge.
const endGap = 8

// leadOff is where a hairline starts, clear of a point at the curve's end.
const leadOff = pointRadius + 0.6

// placeEnds writes the names beside the panel without overlap; a hairline leads
// from a curve to a name that had to move.
func (l *layout) placeEnds(p placedPanel, x axis) {
	ends := p.sideEnds(x, p.within.hi-p.within.lo)
	wishes := make([]wish, len(ends))
	for i, e := range ends {
		wishes[i] = wish{centre: p.area.Min.Y + vg.Length(e.y)*p.area.Size().Y, size: e.height()}
	}
	const over = panelGap / 2
	for i, centre := range spread(wishes, p.area.Min.Y-over, p.area.Max.Y+over) {
		e := ends[i]
		start := p.area.Max.X + endGap
		l.write(e.block, vg.Point{X: start, Y: centre + e.height()/2}, left)
		end := vg.Point{X: p.area.Min.X + vg.Length(e.x)*p.area.Size().X, Y: wishes[i].centre}
		if moved := centre - end.Y; moved > 2 || moved < -2 {
			l.line(end.Add(vg.Point{X: min(leadOff, (start-end.X)/2)}), vg.Point{X: start - 1, Y: centre}, axisWidth/2, e.ink)
		}
	}
}
