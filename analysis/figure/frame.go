package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// placePanel places one panel with its axes and labels in its slot; it returns
// the lowest point used.
func (l *layout) placePanel(p *panel, x axis, at slot) vg.Length {
	placed := placedPanel{panel: p, plot: p.plot(x), slot: at}
	for _, t := range p.yTicks() {
		if !t.IsMinor() && p.y.names == nil {
			placed.grid = append(placed.grid, t.Value)
		}
	}
	l.panels = append(l.panels, placed)
	l.placeY(placed)
	bottom := min(l.placeX(placed, x), l.placeLabels(placed))
	l.placeAbove(placed, x)
	l.placeEnds(placed, x)
	return bottom
}

// placeAbove writes the flags of a panel, and above them its note.
func (l *layout) placeAbove(p placedPanel, x axis) {
	s := p.above
	flags := p.topFlags(x)
	l.placeFlags(s, flags, p.area)
	note := p.noteBlock(s.wide)
	top := p.area.Max.Y + s.height(flags) + note.height()
	l.write(note, vg.Point{X: p.area.Min.X, Y: top}, left)
}

// placeY draws the vertical axis with its ticks and label.
func (l *layout) placeY(p placedPanel) {
	hand := body(inkDark)
	x := p.area.Min.X
	l.line(vg.Point{X: x, Y: p.area.Min.Y}, vg.Point{X: x, Y: p.area.Max.Y}, axisWidth, inkDark)
	for _, t := range p.yTicks() {
		y := p.area.Min.Y + vg.Length(p.plot.Y.Norm(t.Value))*p.area.Size().Y
		l.tick(vg.Point{X: x, Y: y}, vg.Point{X: -1}, t)
		label := hand.set(t.Label, l.width)
		l.write(label, vg.Point{X: x - tickLength - textGap, Y: y + label.height()/2}, right)
	}
	b := p.yLabel()
	if len(b.lines) > 0 {
		at := vg.Point{X: p.within.lo, Y: (p.area.Min.Y + p.area.Max.Y) / 2}
		l.texts = append(l.texts, placedText{block: b, at: at, upright: true})
	}
}

// tick draws a tick mark in the direction, half as long without a label.
func (l *layout) tick(at, direction vg.Point, t plot.Tick) {
	length := vg.Length(tickLength)
	if t.IsMinor() {
		length /= 2
	}
	l.line(at, at.Add(direction.Scale(length)), axisWidth, inkDark)
}

// placeX draws the horizontal axis; the last panel of a column carries the
// numbers and the label.
func (l *layout) placeX(p placedPanel, x axis) vg.Length {
	y := p.area.Min.Y
	l.line(vg.Point{X: p.area.Min.X, Y: y}, vg.Point{X: p.area.Max.X, Y: y}, axisWidth, inkDark)
	hand := body(inkDark)
	bottom := y
	for _, t := range x.ticks(p.area.Size().X, hand.width) {
		at := vg.Point{X: p.area.Min.X + vg.Length(p.plot.X.Norm(t.Value))*p.area.Size().X, Y: y}
		l.tick(at, vg.Point{Y: -1}, t)
		if p.last && !t.IsMinor() {
			label := hand.set(t.Label, l.width)
			l.write(label, vg.Point{X: at.X, Y: y - tickLength - 1}, middle)
			bottom = min(bottom, y-tickLength-1-label.height())
		}
	}
	if !p.last {
		return bottom
	}
	bottom = l.placeXLabel(hand.set(x.label, p.within.hi-p.within.lo), p, bottom)
	if x.second != nil {
		bottom = l.placeSecond(p, x, bottom-textGap)
	}
	return bottom
}

// placeXLabel writes the name of a horizontal axis below the top, centred on the
// panel as far as the column has room.
func (l *layout) placeXLabel(b block, p placedPanel, top vg.Length) vg.Length {
	half := b.width() / 2
	centre := (p.area.Min.X + p.area.Max.X) / 2
	centre = max(p.within.lo+half, min(centre, p.within.hi-half))
	l.write(b, vg.Point{X: centre, Y: top - 1}, middle)
	return top - 1 - b.height()
}

// placeSecond draws the second unit of the horizontal axis as an axis of its own
// below the first.
func (l *layout) placeSecond(p placedPanel, x axis, y vg.Length) vg.Length {
	hand := body(inkSoft)
	second := axis{lo: x.lo * x.second.PerUnit, hi: x.hi * x.second.PerUnit, scale: x.scale}
	l.line(vg.Point{X: p.area.Min.X, Y: y}, vg.Point{X: p.area.Max.X, Y: y}, axisWidth, inkSoft)
	norm := second.scale.normalizer()
	for _, t := range second.ticks(p.area.Size().X, hand.width) {
		if t.IsMinor() {
			continue
		}
		at := p.area.Min.X + vg.Length(norm.Normalize(second.lo, second.hi, t.Value))*p.area.Size().X
		l.line(vg.Point{X: at, Y: y}, vg.Point{X: at, Y: y - tickLength}, axisWidth, inkSoft)
		l.write(hand.set(t.Label, l.width), vg.Point{X: at, Y: y - tickLength - 1}, middle)
	}
	bottom := y - tickLength - 1 - leading*bodySize
	return l.placeXLabel(hand.set(x.second.Label, p.within.hi-p.within.lo), p, bottom)
}
