package figure

import (
	"image/color"
	"strings"
	"testing"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/vg"
)

func TestSetKeepsEveryLetterWithinTheWidth(t *testing.T) {
	hand := body(inkDark)
	for _, s := range []string{
		"", "short", "several words that need more than one line of text",
		"Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
		"a Donaudampfschifffahrtselektrizitätenhauptbetriebswerk b", "tabs\tand\nnewlines\x00",
		"kept ±10\u00a0% together", "ρ λ µ", "bad \xff bytes",
	} {
		for _, width := range []vg.Length{1, 20, 60, 200} {
			b := hand.set(s, width)
			for _, l := range b.lines {
				if hand.width(l) > width && len([]rune(l)) > 1 {
					t.Errorf("line %q is %v wide, more than %v", l, hand.width(l), width)
				}
			}
			squeeze := func(s string) string { return strings.ReplaceAll(plain(s), " ", "") }
			if got, want := squeeze(strings.Join(b.lines, "")), squeeze(s); got != want {
				t.Errorf("%q came out as %q at width %v", want, got, width)
			}
		}
	}
	if b := hand.set("margin ±10\u00a0%", 35); len(b.lines) != 2 || b.lines[1] != "±10\u00a0%" {
		t.Errorf("a non-breaking space was broken: %q", b.lines)
	}
}

func TestFontHasTheLetters(t *testing.T) {
	var buf sfnt.Buffer
	for _, h := range []hand{body(inkDark), bold(titleSize, inkDark)} {
		if name := h.face.Name(); !strings.HasPrefix(name, "LiberationSans") {
			t.Errorf("font %s, want Liberation Sans", name)
		}
		for _, r := range "ρλµμ±·× \u00a0/()*%" {
			if i, err := h.face.Face.GlyphIndex(&buf, r); err != nil || i == 0 {
				t.Errorf("%s has no glyph for %q (%v)", h.face.Name(), r, err)
			}
		}
	}
}

func TestNamesAreLegible(t *testing.T) {
	for _, p := range palette {
		if contrast := 1.05 / (luminance(legible(p.ink)) + 0.05); contrast < 4.5 {
			t.Errorf("text in %s has a contrast of %.2f on white, want 4.5", p.name, contrast)
		}
	}
	if legible(inkDark) != inkDark {
		t.Error("a dark colour was darkened")
	}
	// WCAG 2.1 defines the luminance of white as 1 and of black as 0
	if l := luminance(color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}); !near(l, 1) || luminance(color.NRGBA{A: 0xFF}) != 0 {
		t.Errorf("luminance of white is %v", l)
	}
}

func TestPaletteIsTolBright(t *testing.T) {
	want := []color.NRGBA{{0x44, 0x77, 0xAA, 0xFF}, {0xEE, 0x66, 0x77, 0xFF}, {0x22, 0x88, 0x33, 0xFF},
		{0xCC, 0xBB, 0x44, 0xFF}, {0x66, 0xCC, 0xEE, 0xFF}, {0xAA, 0x33, 0x77, 0xFF}}
	for i, p := range palette {
		if p.ink != want[i] {
			t.Errorf("%s is %v, want %v", p.name, p.ink, want[i])
		}
	}
}

func TestOneSystemOneColour(t *testing.T) {
	q := func(names ...string) (q Quantity) {
		for _, n := range names {
			q.Systems = append(q.Systems, System{Name: n})
		}
		return q
	}
	wish := q("c", "d")
	wish.Systems[0].Colour = Blue // a later panel asks for the colour that comes first
	ps, err := paintsOf(q("a", "b"), q("b", "a"), wish)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Colour{"a": Red, "b": Green, "c": Blue, "d": Yellow} {
		if ps[name].name != want {
			t.Errorf("%s is %s, want %s", name, ps[name].name, want)
		}
	}
}
