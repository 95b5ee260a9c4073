package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shape is the outline of an observed point: a regular polygon, or a circle
// without sides.
type shape struct {
	sides int
	turn  float64 // angle of the first corner in radians
	grow  float64 // radius factor that gives every shape about the same area
}

var (
	circle       = shape{grow: 1}
	square       = shape{sides: 4, turn: math.Pi / 4, grow: 1.2}
	triangle     = shape{sides: 3, turn: math.Pi / 2, grow: 1.4}
	diamond      = shape{sides: 4, grow: 1.3}
	downTriangle = shape{sides: 3, turn: -math.Pi / 2, grow: 1.4}
	pentagon     = shape{sides: 5, turn: math.Pi / 2, grow: 1.15}
)

func (s shape) path(at vg.Point, radius vg.Length) vg.Path {
	var p vg.Path
	r := radius * vg.Length(s.grow)
	if s.sides == 0 {
		p.Move(vg.Point{X: at.X + r, Y: at.Y})
		p.Arc(at, r, 0, 2*math.Pi)
		p.Close()
		return p
	}
	for i := range s.sides {
		sin, cos := math.Sincos(s.turn + 2*math.Pi*float64(i)/float64(s.sides))
		corner := vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
		if i == 0 {
			p.Move(corner)
		} else {
			p.Line(corner)
		}
	}
	p.Close()
	return p
}

// fill draws the shape solid.
func (s shape) fill(c *draw.Canvas, at vg.Point, radius vg.Length, ink color.Color) {
	c.SetColor(ink)
	c.Fill(s.path(at, radius))
}

// outline draws the shape hollow.
func (s shape) outline(c *draw.Canvas, at vg.Point, radius vg.Length, sty draw.LineStyle) {
	c.SetLineStyle(sty)
	c.Stroke(s.path(at, radius))
}
