package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// The share of a column that names at line ends may take before they wrap.
const endShare = 0.28

// margins is the room beside the data areas, the same in all columns so that
// they are equally wide.
type margins struct{ left, right vg.Length }

// placeColumns places the panels row by row: the data areas of one row have one
// height, those of one column exactly the same left and right edges.
func (l *layout) placeColumns(columns []column, y vg.Length) vg.Length {
	if len(columns) == 0 {
		return y
	}
	wide := columnWidth(l.width, len(columns))
	m := marginsOf(columns, wide)
	s := strip{area: wide - m.left - m.right, wide: wide - m.left}
	lowest := y
	for row := range columns[0].panels {
		above, height := rowHeights(columns, row, s)
		if row > 0 {
			y -= panelGap
		}
		y -= above
		for i, col := range columns {
			x := outer + vg.Length(i)*(wide+columnGap)
			area := vg.Rectangle{
				Min: vg.Point{X: x + m.left, Y: y - height},
				Max: vg.Point{X: x + wide - m.right, Y: y},
			}
			bottom := l.placePanel(col.panels[row], col.x, slot{
				area: area, within: bounds{x, x + wide}, above: s, last: row == len(col.panels)-1,
			})
			lowest = min(lowest, bottom)
		}
		y = lowest
	}
	return lowest
}

// columnWidth is the width of one of n columns on a page.
func columnWidth(page vg.Length, n int) vg.Length {
	return (page - 2*outer - vg.Length(n-1)*columnGap) / vg.Length(n)
}

// marginsOf measures vertical axes and names at line ends.
func marginsOf(columns []column, wide vg.Length) margins {
	m := margins{right: outer}
	for _, col := range columns {
		for _, p := range col.panels {
			p.height = max(p.height, p.endsHeight(col.x, wide))
			label := p.yLabel()
			m.left = max(m.left, label.height()+p.tickWidth()+2*textGap+tickLength)
			for _, e := range p.sideEnds(col.x, wide) {
				m.right = max(m.right, e.block.width()+endGap)
			}
		}
	}
	for _, col := range columns {
		m.right = max(m.right, col.x.overhang(wide-m.left-m.right))
	}
	return m
}

// overhang is how far the last label of a horizontal axis may reach beyond it.
func (a axis) overhang(length vg.Length) vg.Length {
	hand := body(inkDark)
	var w vg.Length
	for _, t := range a.ticks(length, hand.width) {
		w = max(w, hand.width(t.Label))
	}
	return w / 2
}

// rowHeights is the room above and inside the panels of one row.
func rowHeights(columns []column, row int, s strip) (above, height vg.Length) {
	for _, col := range columns {
		p := col.panels[row]
		height = max(height, p.height)
		above = max(above, s.height(p.topFlags(col.x))+p.noteBlock(s.wide).height())
	}
	return above, height
}

func (p *panel) noteBlock(wide vg.Length) block {
	return body(inkSoft).set(p.note, wide)
}

func (p *panel) yLabel() block {
	return body(inkDark).set(p.y.label, p.height+panelGap)
}

func (p *panel) yTicks() []plot.Tick {
	h := body(inkDark)
	return p.y.ticks(p.height, func(string) vg.Length { return h.capHeight() })
}

func (p *panel) tickWidth() vg.Length {
	var w vg.Length
	for _, t := range p.yTicks() {
		w = max(w, body(inkDark).width(t.Label))
	}
	return w
}
