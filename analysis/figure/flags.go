package figure

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
)

// flag is a label above the panel, at a value of the horizontal axis.
type flag struct {
	x    float64
	name string
	ink  color.NRGBA
	rule *rule // the vertical line it names, or nil
}

// topFlags are the labels above the panel from left to right, their x as a
// fraction of its width: its flags, and the names of curves that leave through
// the upper edge.
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
	slices.SortStableFunc(out, func(a, b flag) int { return cmp.Compare(a.x, b.x) })
	return out
}

// strip is the room above a data area: as wide as the area, and beyond its right
// edge to the end of the column.
type strip struct{ area, wide vg.Length }

// row is labels at one height, with their centres from the area's left edge.
type row struct {
	flags   []flag
	centres []vg.Length
	height  vg.Length
}

// rows arranges the labels, the lowest row first. All stand in one row if none
// pushes another off its place; otherwise the ends of curves keep the place next
// to the panel, and the labels of vertical lines, which can be drawn on upwards,
// stand above.
func (s strip) rows(flags []flag) []row {
	if len(flags) == 0 {
		return nil
	}
	if together := s.row(flags); s.undisturbed(together) {
		return []row{together}
	}
	var ends, ruled []flag
	for _, f := range flags {
		if f.rule == nil {
			ends = append(ends, f)
		} else {
			ruled = append(ruled, f)
		}
	}
	return append(s.packed(ends), s.packed(ruled)...)
}

// packed fills as many rows as the widths of the labels need.
func (s strip) packed(flags []flag) []row {
	var rows []row
	for len(flags) > 0 {
		n, used := 0, vg.Length(0)
		for n < len(flags) && (n == 0 || used+s.size(flags[n]) <= s.wide) {
			used += s.size(flags[n])
			n++
		}
		rows = append(rows, s.row(flags[:n]))
		flags = flags[n:]
	}
	return rows
}

func (s strip) block(f flag) block {
	return body(legible(f.ink)).set(f.name, s.wide-2*textGap)
}

// size is the width of a label with its room.
func (s strip) size(f flag) vg.Length { return s.block(f).width() + 2*textGap }

func (s strip) row(flags []flag) row {
	r := row{flags: flags}
	var wishes []wish
	for _, f := range flags {
		wishes = append(wishes, wish{centre: vg.Length(f.x) * s.area, size: s.size(f)})
		r.height = max(r.height, s.block(f).height())
	}
	r.centres = spread(wishes, 0, s.wide)
	return r
}

// undisturbed reports whether every label stands where it would stand alone.
func (s strip) undisturbed(r row) bool {
	const slight = 3 // points
	for i, f := range r.flags {
		alone := s.row([]flag{f}).centres[0]
		if off := r.centres[i] - alone; off > slight || off < -slight {
			return false
		}
	}
	return true
}

// clearance keeps labels off the panel's upper edge, in points.
const clearance = 1

func (s strip) height(flags []flag) vg.Length {
	var h vg.Length
	for _, r := range s.rows(flags) {
		h += r.height
	}
	if h > 0 {
		h += clearance
	}
	return h
}

// placeFlags writes the labels above the panel, and draws the vertical lines on
// to those in upper rows where nothing is in the way.
func (l *layout) placeFlags(s strip, flags []flag, area vg.Rectangle) {
	y := area.Max.Y + clearance
	var below []placedText
	for _, r := range s.rows(flags) {
		var these []placedText
		for i, f := range r.flags {
			x := area.Min.X + vg.Length(f.x)*s.area
			if f.rule != nil && y > area.Max.Y+clearance && !covers(below, x) {
				l.strokes = append(l.strokes, stroke{vg.Point{X: x, Y: area.Max.Y}, vg.Point{X: x, Y: y}, f.rule.style})
			}
			t := placedText{block: s.block(f), at: vg.Point{X: area.Min.X + r.centres[i], Y: y + r.height}, align: middle}
			these = append(these, t)
			l.write(t.block, t.at, t.align)
		}
		below = append(below, these...)
		y += r.height
	}
}

// covers reports whether a text lies over the vertical line.
func covers(texts []placedText, x vg.Length) bool {
	return slices.ContainsFunc(texts, func(t placedText) bool {
		b := t.box()
		return x > b.Min.X && x < b.Max.X
	})
}
