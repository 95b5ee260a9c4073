package figure

import (
	"image/color"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	xfont "golang.org/x/image/font"
	_ "gonum.org/v1/plot" // registers Liberation in font.DefaultCache
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Text sizes in points.
const (
	bodySize  = 8
	titleSize = 10
	// leading is the distance of two base lines as a multiple of the size.
	leading = 1.2
)

// hand is a typeface with its colour. Liberation Sans has the Greek letters and
// is embedded in the program, so a figure looks the same on every machine.
type hand struct {
	face font.Face
	ink  color.Color
}

const regular = xfont.WeightNormal

func body(ink color.Color) hand {
	return handOf(bodySize, regular, ink)
}

func bold(size vg.Length, ink color.Color) hand {
	return handOf(size, xfont.WeightBold, ink)
}

func handOf(size vg.Length, weight xfont.Weight, ink color.Color) hand {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Weight: weight}
	return hand{face: font.DefaultCache.Lookup(f, size), ink: ink}
}

func (h hand) size() vg.Length { return h.face.Font.Size }

func (h hand) width(s string) vg.Length { return h.face.Width(s) }

// capHeight is the height of a digit or capital, which is what the eye centres.
func (h hand) capHeight() vg.Length { return 0.72 * h.size() }

// line draws one line of text with its base line starting at the point.
func (h hand) line(c *draw.Canvas, at vg.Point, s string) {
	if s == "" {
		return
	}
	c.SetColor(h.ink)
	c.FillString(h.face, at, s)
}

// block is text broken into lines of at most a given width.
type block struct {
	hand
	lines []string
}

// set breaks text into a block, at spaces that are not non-breaking. A word wider
// than the width is cut between letters: text is never clipped.
func (h hand) set(s string, width vg.Length) block {
	b := block{hand: h}
	var line string
	for _, word := range words(s) {
		if candidate := strings.TrimPrefix(line+" "+word, " "); h.width(candidate) <= width {
			line = candidate
			continue
		}
		if line != "" {
			b.lines = append(b.lines, line)
		}
		line = word
		for n := h.head(line, width); n < len(line); n = h.head(line, width) {
			b.lines = append(b.lines, line[:n])
			line = line[n:]
		}
	}
	if line != "" {
		b.lines = append(b.lines, line)
	}
	return b
}

// words are the pieces between which a line may break.
func words(s string) []string {
	return strings.FieldsFunc(plain(s), func(r rune) bool { return r == ' ' })
}

// head is the number of bytes of s that fit the width, at least one letter.
func (h hand) head(s string, width vg.Length) int {
	last := 0
	for i := range s {
		if i > 0 && h.width(s[:i]) > width {
			return max(last, firstRune(s))
		}
		last = i
	}
	if h.width(s) > width {
		return max(last, firstRune(s))
	}
	return len(s)
}

func firstRune(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// plain replaces control characters, which no font draws, by spaces.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

func (b block) width() vg.Length {
	var w vg.Length
	for _, l := range b.lines {
		w = max(w, b.hand.width(l))
	}
	return w
}

func (b block) height() vg.Length {
	return vg.Length(len(b.lines)) * b.pitch()
}

// pitch is the distance of two base lines.
func (b block) pitch() vg.Length { return leading * b.size() }

// Horizontal alignments of a block to its point.
const (
	left   = 0.0
	middle = 0.5
	right  = 1.0
)

// drawAt draws the block below the point; align says which part of each line
// the point marks.
func (b block) drawAt(c *draw.Canvas, top vg.Point, align float64) {
	y := top.Y - (b.pitch()+b.capHeight())/2
	for _, l := range b.lines {
		b.line(c, vg.Point{X: top.X - vg.Length(align)*b.hand.width(l), Y: y}, l)
		y -= b.pitch()
	}
}

// drawUpright draws the block turned a quarter to the left, its lines running
// upwards and centred at y, the first at the left.
func (b block) drawUpright(c *draw.Canvas, x, y vg.Length) {
	c.Push()
	c.Rotate(math.Pi / 2)
	// in the turned frame the page's x runs downwards
	b.drawAt(c, vg.Point{X: y, Y: -x}, middle)
	c.Pop()
}
