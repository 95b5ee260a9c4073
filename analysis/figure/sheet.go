package figure

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// sheet is a figure before anything has a place: words, a key, and columns of
// panels. Panels of one column share the horizontal axis; columns stand side by
// side and have the same number of panels.
type sheet struct {
	words   Text
	remarks []string // what the figure itself has to add to the caption
	key     []keyItem
	columns []column
}

type column struct {
	x      axis
	panels []*panel
}

// Distances in points.
const (
	outer      = 7  // around everything
	panelGap   = 11 // between stacked panels
	columnGap  = 12 // between columns
	tickLength = 3
	textGap    = 3
)

// image places everything and returns what can be drawn.
func (s sheet) image(size Size) (Image, error) {
	if err := size.check(); err != nil {
		return Image{}, err
	}
	l := s.layOut(size)
	return Image{
		Width: l.width, Height: l.height,
		Title: s.words.Title, Description: s.words.captionLine(s.remarks),
		draw: l.drawOn,
	}, nil
}

// layOut places everything from the top down. The origin is the upper left
// corner of the page with y upwards, so places have negative y; the height is
// known only at the end.
func (s sheet) layOut(size Size) *layout {
	l := &layout{width: size.Width}
	y := l.placeWords(s.words, -outer)
	y = l.placeKey(s.key, y)
	y = l.placeColumns(s.columns, y-panelGap/2)
	y = l.placeCaption(s.words, s.remarks, y)
	l.height = -y + outer
	return l
}

// layout is a figure with everything in its place.
type layout struct {
	width, height vg.Length
	panels        []placedPanel
	strokes       []stroke
	samples       []sample
	texts         []placedText
}

// placedPanel is a panel in its slot.
type placedPanel struct {
	*panel
	slot
	plot *plot.Plot
	grid []float64 // labelled values of the vertical axis
}

// slot is the place that a panel is given.
type slot struct {
	area   vg.Rectangle // the data area
	within bounds       // the outer left and right edge of its column
	above  strip        // the room for labels above it
	last   bool         // it is the lowest and labels the horizontal axis
}

type bounds struct{ lo, hi vg.Length }

type stroke struct {
	from, to vg.Point
	style    draw.LineStyle
}

// placedText is a block with its place: the top of its first line, or the left
// edge when it is turned upright.
type placedText struct {
	block
	at      vg.Point
	align   float64
	upright bool
}

// box is the space the text covers.
func (t placedText) box() vg.Rectangle {
	if t.upright {
		return vg.Rectangle{
			Min: vg.Point{X: t.at.X, Y: t.at.Y - t.width()/2},
			Max: vg.Point{X: t.at.X + t.height(), Y: t.at.Y + t.width()/2},
		}
	}
	start := t.at.X - vg.Length(t.align)*t.width()
	return vg.Rectangle{
		Min: vg.Point{X: start, Y: t.at.Y - t.height()},
		Max: vg.Point{X: start + t.width(), Y: t.at.Y},
	}
}

func (l *layout) write(b block, at vg.Point, align float64) {
	if len(b.lines) > 0 {
		l.texts = append(l.texts, placedText{block: b, at: at, align: align})
	}
}

func (l *layout) line(from, to vg.Point, width vg.Length, ink color.Color) {
	l.strokes = append(l.strokes, stroke{from, to, draw.LineStyle{Color: ink, Width: width}})
}

func (l *layout) drawOn(c draw.Canvas) {
	c.Push()
	defer c.Pop()
	c.Translate(vg.Point{Y: l.height})
	for _, p := range l.panels {
		p.drawOn(c)
	}
	for _, s := range l.strokes {
		c.StrokeLines(s.style, []vg.Point{s.from, s.to})
	}
	for _, s := range l.samples {
		s.item.draw(&c, s.at)
	}
	for _, t := range l.texts {
		if t.upright {
			t.drawUpright(&c, t.at.X, t.at.Y)
			continue
		}
		t.drawAt(&c, t.at, t.align)
	}
}

func (p placedPanel) drawOn(c draw.Canvas) {
	data := draw.Canvas{Canvas: c.Canvas, Rectangle: p.area}
	for _, m := range p.backdrop {
		m.Plot(data, p.plot)
	}
	for _, v := range p.grid {
		level{y: v, style: draw.LineStyle{Color: inkFaint, Width: axisWidth}}.Plot(data, p.plot)
	}
	for _, m := range p.marks {
		m.Plot(data, p.plot)
	}
}
