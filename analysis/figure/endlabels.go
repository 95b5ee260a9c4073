package figure

import (
	"slices"

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
	width := vg.Length(endWidth)
	for _, word := range words(e.name) {
		width = max(width, hand.width(word))
	}
	return hand.set(e.name, min(width, endShare*wide))
}

// endsHeight is the height that the names in the right margin need.
func (p *panel) endsHeight(x axis, wide vg.Length) vg.Length {
	var h vg.Length
	for _, e := range p.sideEnds(x, wide) {
		h += e.height()
	}
	return h
}

// topFlags are the labels above the panel: its flags, and the names of curves
// that leave through the upper edge.
func (p *panel) topFlags(x axis) []flag {
	g := p.plot(x)
	var out []flag
	for _, f := range p.flags {
		if shownOn(g.X, f.x) {
			f.x = clamp(g.X.Norm(f.x), 0, 1)
			out = append(out, f)
		}
	}
	for _, e := range p.ends {
		if at, ok := exitOf(e.curve, g); ok && at.top {
			out = append(out, flag{x: at.x, name: e.name, ink: e.ink})
		}
	}
	slices.SortStableFunc(out, func(a, b flag) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return 0
	})
	return out
}

// endGap is the room between the panel and the names, wide enough for the
// repetitions of a point at the edge.
const endGap = 8

// leadOff is where a hairline starts, clear of a point at the curve's end.
const leadOff = pointRadius + 0.6

// placeEnds writes the names beside the panel without overlap; a hairline leads
// from a curve to a name that had to move.
func (l *layout) placeEnds(p placedPanel, x axis, within bounds) {
	ends := p.sideEnds(x, within.hi-within.lo)
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

// flagRows distributes labels over rows, as many in a row as fit side by side.
func flagRows(flags []flag, wide vg.Length) [][]flag {
	var rows [][]flag
	var used vg.Length
	for _, f := range flags {
		w := f.block(wide).width() + 2*textGap
		if len(rows) == 0 || used+w > wide {
			rows, used = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], f)
		used += w
	}
	return rows
}

func (f flag) block(wide vg.Length) block {
	return body(legible(f.ink)).set(f.name, wide-2*textGap)
}

func rowHeight(row []flag, wide vg.Length) vg.Length {
	var h vg.Length
	for _, f := range row {
		h = max(h, f.block(wide).height())
	}
	return h
}

func flagsHeight(flags []flag, wide vg.Length) vg.Length {
	var h vg.Length
	for _, row := range flagRows(flags, wide) {
		h += rowHeight(row, wide)
	}
	if h > 0 {
		h++ // clear of the panel's edge
	}
	return h
}

// placeFlags writes the labels above the panel, centred at their places as far
// as they have room.
func (l *layout) placeFlags(flags []flag, p placedPanel, within bounds) {
	y := p.area.Max.Y + 1
	wide := within.hi - within.lo
	rows := flagRows(flags, wide)
	slices.Reverse(rows) // the first row is the highest
	for _, row := range rows {
		wishes := make([]wish, len(row))
		for i, f := range row {
			wishes[i] = wish{
				centre: p.area.Min.X + vg.Length(f.x)*p.area.Size().X,
				size:   f.block(wide).width() + 2*textGap,
			}
		}
		y += rowHeight(row, wide)
		for i, centre := range spread(wishes, within.lo, within.hi) {
			l.write(row[i].block(wide), vg.Point{X: centre, Y: y}, middle)
		}
	}
}
