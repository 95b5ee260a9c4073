package figure

import (
	"image"
	"image/color"
	"testing"
)

// Few colours stay exactly as they are.
func TestIndexedKeepsAFewColours(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 16, 16))
	for i := range 256 {
		img.SetRGBA(i%16, i/16, color.RGBA{uint8(i), uint8(255 - i), 7, 255})
	}
	out := indexed(img)
	for i := range 256 {
		if got, want := color.RGBAModel.Convert(out.At(i%16, i/16)), img.RGBAAt(i%16, i/16); got != want {
			t.Fatalf("pixel %d is %v, want %v", i, got, want)
		}
	}
}

// Of too many, the frequent ones stay exact and no other is far from its own.
func TestIndexedIsNearEveryColour(t *testing.T) {
	const size = 64
	img := image.NewRGBA(image.Rect(0, 0, size, 2*size))
	paper, line := color.RGBA{255, 255, 255, 255}, color.RGBA{0x44, 0x77, 0xAA, 255}
	for y := range 2 * size {
		for x := range size {
			switch {
			case y < size: // 4,096 colours
				img.SetRGBA(x, y, color.RGBA{uint8(4 * x), uint8(4 * y), 128, 255})
			case x == 0:
				img.SetRGBA(x, y, line)
			default:
				img.SetRGBA(x, y, paper)
			}
		}
	}
	out := indexed(img)
	if n := len(out.Palette); n != indexedColours {
		t.Errorf("%d colours, want %d", n, indexedColours)
	}
	for y := range 2 * size {
		for x := range size {
			got, want := color.RGBAModel.Convert(out.At(x, y)).(color.RGBA), img.RGBAAt(x, y)
			if (want == paper || want == line) && got != want {
				t.Fatalf("%v became %v", want, got)
			}
			// A 256th of a plane of 256 by 256 is a square of side 16; half of the
			// palette is spent on frequent colours.
			if distance(got, want) > 48*48 {
				t.Fatalf("%v became %v", want, got)
			}
		}
	}
}
