package figure

import (
	"image/color"
	"testing"

	"gonum.org/v1/plot/vg"
)

// blot is where something was filled or stroked.
type blot struct {
	ink  [4]uint8
	area vg.Rectangle
}

// blotter records where things are drawn, in the coordinates of a layout.
type blotter struct {
	*tally
	fills, strokes []blot
}

func (b *blotter) Fill(p vg.Path)   { b.fills = append(b.fills, b.blot(p)) }
func (b *blotter) Stroke(p vg.Path) { b.strokes = append(b.strokes, b.blot(p)) }

func (b *blotter) blot(p vg.Path) blot {
	r, g, bl, a := b.ink.RGBA()
	out := blot{ink: [4]uint8{uint8(r >> 8), uint8(g >> 8), uint8(bl >> 8), uint8(a >> 8)}}
	for i, c := range p {
		if c.Type == vg.CloseComp {
			continue // it has no place of its own
		}
		reach := vg.Point{X: c.Radius, Y: c.Radius}
		lo, hi := c.Pos.Add(reach.Scale(-1)), c.Pos.Add(reach)
		if i == 0 {
			out.area = vg.Rectangle{Min: lo, Max: hi}
		}
		out.area.Min = vg.Point{X: min(out.area.Min.X, lo.X), Y: min(out.area.Min.Y, lo.Y)}
		out.area.Max = vg.Point{X: max(out.area.Max.X, hi.X), Y: max(out.area.Max.Y, hi.Y)}
	}
	return out
}

func blotsOf(t *testing.T, f Figure, size Size) *blotter {
	t.Helper()
	img, err := f.Draw(size)
	if err != nil {
		t.Fatal(err)
	}
	b := &blotter{tally: newTally(img)}
	img.DrawOn(b)
	return b
}

func (b blot) is(c [3]uint8) bool { return b.ink == [4]uint8{c[0], c[1], c[2], 0xFF} }

// filled are the fills of a colour within an area.
func (b *blotter) filled(t *testing.T, ink color.Color, within vg.Rectangle) []blot {
	t.Helper()
	r, g, bl, _ := ink.RGBA()
	var out []blot
	for _, m := range b.fills {
		if m.is([3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(bl >> 8)}) &&
			inside(m.area, within) {
			out = append(out, m)
		}
	}
	return out
}
