package figure

import (
	"fmt"
	"image/color"
	"math"
)

// Colour names one colour of the palette. The empty Colour lets the figure
// choose: the first system is blue, the second red, and so on.
type Colour string

// The palette is Paul Tol's "bright" scheme, told apart by colour-blind readers.
// Source: P. Tol, Colour Schemes, SRON/EPS/TN/09-002, issue 3.2 (2021), figure 1.
const (
	Blue   Colour = "blue"
	Red    Colour = "red"
	Green  Colour = "green"
	Yellow Colour = "yellow"
	Cyan   Colour = "cyan"
	Purple Colour = "purple"
)

// paint is what a palette colour looks like, and the point shape that goes with
// it so that systems stay apart in grey.
type paint struct {
	name  Colour
	ink   color.NRGBA
	shape shape
}

var palette = []paint{
	{Blue, color.NRGBA{0x44, 0x77, 0xAA, 0xFF}, circle},
	{Red, color.NRGBA{0xEE, 0x66, 0x77, 0xFF}, square},
	{Green, color.NRGBA{0x22, 0x88, 0x33, 0xFF}, triangle},
	{Yellow, color.NRGBA{0xCC, 0xBB, 0x44, 0xFF}, diamond},
	{Cyan, color.NRGBA{0x66, 0xCC, 0xEE, 0xFF}, downTriangle},
	{Purple, color.NRGBA{0xAA, 0x33, 0x77, 0xFF}, pentagon},
}

// Greys of everything that is no system.
var (
	inkDark   = color.NRGBA{0x22, 0x22, 0x22, 0xFF} // titles, axes, tick labels
	inkSoft   = color.NRGBA{0x5F, 0x5F, 0x5F, 0xFF} // captions, references, bounds
	inkFaint  = color.NRGBA{0xE4, 0xE4, 0xE4, 0xFF} // grid
	inkShade  = color.NRGBA{0xF0, 0xE7, 0xD3, 0xFF} // stretches of time
	inkMargin = color.NRGBA{0xEC, 0xEC, 0xE6, 0xFF} // the margin of a ratio panel
	inkAlarm  = color.NRGBA{0xB0, 0x1E, 0x2E, 0xFF} // a verdict that is not VALID
)

func (c Colour) paint() (paint, error) {
	for _, p := range palette {
		if p.name == c {
			return p, nil
		}
	}
	return paint{}, fmt.Errorf("unknown colour %q: use blue, red, green, yellow, cyan or purple", string(c))
}

// faded makes a colour translucent.
func faded(c color.NRGBA, alpha float64) color.NRGBA {
	c.A = uint8(math.Round(alpha * 255))
	return c
}

// legible darkens a colour until small text in it has a contrast of 4.5 to 1 on
// white, the least that WCAG 2.1 asks for (success criterion 1.4.3).
func legible(c color.NRGBA) color.NRGBA {
	for 1.05/(luminance(c)+0.05) < 4.5 {
		c.R, c.G, c.B = darker(c.R), darker(c.G), darker(c.B)
	}
	return c
}

func darker(channel uint8) uint8 { return uint8(float64(channel) * 0.95) }

// luminance is the relative luminance of sRGB, 0 for black and 1 for white
// (IEC 61966-2-1, as WCAG 2.1 defines it).
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}
