package figure

import (
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"slices"
)

// A PNG of 256 colours is some 40 % of one in true colour. A figure has a few
// dozen colours, and thousands of mixtures of them along the edges of lines and
// letters, each in a handful of pixels.
const (
	indexedColours = 256 // that a PNG can index with one byte a pixel
	exactColours   = 192 // of them the most frequent, which stay exact
)

// indexed reduces an image to the colours that a PNG can index: the most frequent
// ones stay as they are, the others become the nearest of those and of some that
// are chosen so that none is far away.
func indexed(img image.Image) *image.Paletted {
	full := image.NewRGBA(img.Bounds())
	draw.Draw(full, full.Rect, img, full.Rect.Min, draw.Src)
	colours := byFrequency(full)
	palette := chosen(colours)
	index := make(map[color.RGBA]uint8, len(colours))
	for _, c := range colours {
		index[c] = uint8(palette.Index(c))
	}
	out := image.NewPaletted(full.Rect, palette)
	for y := full.Rect.Min.Y; y < full.Rect.Max.Y; y++ {
		for x := full.Rect.Min.X; x < full.Rect.Max.X; x++ {
			out.SetColorIndex(x, y, index[full.RGBAAt(x, y)])
		}
	}
	return out
}

// byFrequency are the colours of an image, the most frequent first.
func byFrequency(img *image.RGBA) []color.RGBA {
	count := map[color.RGBA]int{}
	for i := 0; i < len(img.Pix); i += 4 {
		count[color.RGBA{img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3]}]++
	}
	colours := make([]color.RGBA, 0, len(count))
	for c := range count {
		colours = append(colours, c)
	}
	// Ties in the order of the colours, so that the same image gives the same file.
	slices.SortFunc(colours, func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B), cmp.Compare(a.A, b.A))
	})
	return colours
}

// chosen are the first colours, and again and again the one that is farthest from
// all that were chosen before.
func chosen(colours []color.RGBA) color.Palette {
	var out color.Palette
	far := make([]int, len(colours)) // squared distance to the nearest chosen colour
	for i := range far {
		far[i] = 1 << 30
	}
	choose := func(c color.RGBA) {
		out = append(out, c)
		for i, other := range colours {
			far[i] = min(far[i], distance(c, other))
		}
	}
	for _, c := range colours[:min(exactColours, len(colours))] {
		choose(c)
	}
	for len(out) < min(indexedColours, len(colours)) {
		farthest := 0
		for i := range far {
			if far[i] > far[farthest] {
				farthest = i
			}
		}
		choose(colours[farthest])
	}
	return out
}

func distance(a, b color.RGBA) int {
	square := func(x, y uint8) int { return (int(x) - int(y)) * (int(x) - int(y)) }
	return square(a.R, b.R) + square(a.G, b.G) + square(a.B, b.B) + square(a.A, b.A)
}
