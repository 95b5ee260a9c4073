package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// keyItem says what a kind of mark means. The key explains marks; systems and
// references are named at the ends of their lines.
type keyItem struct {
	kind  keyKind
	ink   color.NRGBA
	shape shape // of points
	text  string
}

type keyKind int

const (
	keyLine keyKind = iota
	keyBand
	keyPoint
	keyPointBar
	keyReps
	keyRing
	keySystem // a system's line with its point
	keyShade
	keyBar     // a bar with its upper edge
	keyWhisker // an interval beside a bar
	keyRun     // the thin line of a single run
	keyRow     // a bar that lies, with its end
)

// sample is a key's mark at its place: the left end of its middle line.
type sample struct {
	item keyItem
	at   vg.Point
}

// width is the room of the mark in points.
func (k keyKind) width() vg.Length {
	switch k {
	case keyLine, keyBand, keySystem, keyShade, keyBar, keyRun, keyRow:
		return 15
	case keyRing:
		return 9
	}
	return 7
}

// keyOf lists the kinds of marks that the quantities hold.
func keyOf(t Text, ps paints, qs ...Quantity) []keyItem {
	has := marksIn(qs)
	if has[keyPointBar] {
		has[keyPoint] = false
	}
	ink, points := inkDark, circle
	if len(ps) == 1 {
		for _, p := range ps {
			ink, points = p.ink, p.shape
		}
	}
	words := [...]string{
		keyLine: "predicted", keyBand: or(t.BandNote, "prediction band"),
		keyPoint: "observed", keyPointBar: "observed, " + or(t.IntervalNote, "interval"), keyReps: "single runs",
	}
	var out []keyItem
	for kind, text := range words {
		if has[keyKind(kind)] {
			out = append(out, keyItem{keyKind(kind), ink, points, text})
		}
	}
	return out
}

// marksIn lists the kinds of marks that have something to draw.
func marksIn(qs []Quantity) map[keyKind]bool {
	has := map[keyKind]bool{}
	for _, q := range qs {
		for _, s := range q.Systems {
			for _, p := range s.Predicted {
				has[keyLine] = has[keyLine] || finite(p.X) && finite(p.Y)
				has[keyBand] = has[keyBand] || p.hasBand() && p.Lo < p.Hi
			}
			for _, o := range s.Observed {
				here := finite(o.X) && finite(o.Y)
				has[keyPoint] = has[keyPoint] || here
				has[keyPointBar] = has[keyPointBar] || here && o.hasInterval()
				has[keyReps] = has[keyReps] || finite(o.X) && slices.ContainsFunc(o.Reps, finite)
			}
		}
	}
	return has
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

// placeKey sets the items in rows.
func (l *layout) placeKey(items []keyItem, y vg.Length) vg.Length {
	if len(items) == 0 {
		return y
	}
	hand := body(inkSoft)
	x, deepest := vg.Length(outer), vg.Length(0)
	for _, it := range items {
		indent := it.kind.width() + textGap
		text := hand.set(it.text, l.width-2*outer-indent)
		wide := indent + text.width()
		if x > outer && x+wide > l.width-outer {
			x, y, deepest = outer, y-deepest, 0
		}
		l.samples = append(l.samples, sample{it, vg.Point{X: x, Y: y - text.pitch()/2}})
		l.write(text, vg.Point{X: x + indent, Y: y}, left)
		x += wide + 4*textGap
		deepest = max(deepest, text.height())
	}
	return y - deepest - textGap
}

func (it keyItem) draw(c *draw.Canvas, at vg.Point) {
	end := at.X + it.kind.width()
	centre := vg.Point{X: (at.X + end) / 2, Y: at.Y}
	switch it.kind {
	case keyLine:
		c.StrokeLine2(draw.LineStyle{Color: it.ink, Width: curveWidth}, at.X, at.Y, end, at.Y)
	case keyRun:
		c.StrokeLine2(draw.LineStyle{Color: faded(it.ink, runAlpha), Width: runWidth}, at.X, at.Y, end, at.Y)
	case keyBand:
		c.FillPolygon(faded(it.ink, bandAlpha), swatch(at, end))
	case keyPoint:
		it.shape.fill(c, centre, pointRadius, it.ink)
	case keyPointBar:
		c.StrokeLine2(draw.LineStyle{Color: it.ink, Width: barWidth}, centre.X, at.Y-4.2, centre.X, at.Y+4.2)
		it.shape.fill(c, centre, pointRadius+pointRim, color.White)
		it.shape.fill(c, centre, pointRadius, it.ink)
	case keyReps:
		for i := -1; i <= 1; i++ {
			it.shape.fill(c, vg.Point{X: centre.X, Y: at.Y + 2.8*vg.Length(i)}, repRadius, faded(it.ink, repAlpha))
		}
	case keySystem:
		c.StrokeLine2(draw.LineStyle{Color: it.ink, Width: curveWidth}, at.X, at.Y, end, at.Y)
		it.shape.fill(c, centre, pointRadius+pointRim, color.White)
		it.shape.fill(c, centre, pointRadius, it.ink)
	case keyShade:
		c.FillPolygon(it.ink, swatch(at, end))
	case keyBar:
		c.FillPolygon(pale(it.ink), swatch(at, end))
		c.StrokeLine2(draw.LineStyle{Color: it.ink, Width: edgeWidth}, at.X, at.Y+3, end, at.Y+3)
	case keyRow:
		c.FillPolygon(pale(it.ink), swatch(at, end))
		c.StrokeLine2(draw.LineStyle{Color: it.ink, Width: edgeWidth}, end, at.Y-3, end, at.Y+3)
	case keyWhisker:
		whisker(c, it.ink, centre.Add(vg.Point{Y: -3.5}), centre.Add(vg.Point{Y: 3.5}))
	case keyRing:
		diamond.outline(c, centre, ringRadius, draw.LineStyle{Color: it.ink, Width: referenceWidth})
	}
}

// swatch is the outline of a key's area.
func swatch(at vg.Point, end vg.Length) []vg.Point {
	const half = 3 // points
	return []vg.Point{{X: at.X, Y: at.Y - half}, {X: end, Y: at.Y - half}, {X: end, Y: at.Y + half}, {X: at.X, Y: at.Y + half}}
}
