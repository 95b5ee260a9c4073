// Package figure draws every plot of the project: predicted curves as lines,
// observed values as points with their intervals, on one layer over
// gonum.org/v1/plot.
//
// A figure kind is a plain data type (DataOverModel, ClosedCurve,
// CapacitySweep, Percentiles, Course, Trials, Peers, Lateness), one a file. It holds everything
// that is drawn and nothing else, so Marshal saves it beside a report and
// Unmarshal brings it back: figures are drawn from saved data alone, and a
// redraw never measures.
// Missing numbers are NaN in Go and null in JSON; they are skipped, never drawn
// as zero.
//
// The layer, from data to ink: a kind turns its data into a sheet of columns of
// panels; the sheet measures all text and places axes, labels and panels in
// points (1/72 in); Image replays that onto any gonum canvas; WritePNG rasterises
// it at 300 dpi and stores the provenance inside the file. Nothing depends on
// the clock, on map order or on the machine: the same figure, size and
// provenance give the same bytes.
package figure

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Figure is one picture: data that knows how to lay itself out.
type Figure interface {
	// Draw lays the figure out at the size. The error says what cannot be
	// drawn and why: nothing finite to draw, more systems than colours.
	Draw(Size) (Image, error)
}

// Size is the width a figure is made for. The height follows from the content.
type Size struct {
	Name  string    // for file names and messages
	Width vg.Length // in points, 1/72 in
}

var (
	// Post is 7 in wide: quantities stand side by side.
	Post = Size{Name: "post", Width: 7 * vg.Inch}
	// Column is 3.4 in wide, one column of a paper: quantities are stacked.
	Column = Size{Name: "column", Width: 3.4 * vg.Inch}
)

// sideBySide is the width from which two columns of panels fit.
const sideBySide = 5.5 * vg.Inch

// widths outside these bounds leave no room for axes, or ask for a poster.
const (
	narrowest = 3 * vg.Inch
	widest    = 20 * vg.Inch
)

func (s Size) check() error {
	if s.Width >= narrowest && s.Width <= widest {
		return nil
	}
	return fmt.Errorf("figure size %q is %.2f in wide: use figure.Post (7 in), figure.Column (3.4 in) or a width from %g to %g in",
		s.Name, s.Width.Points()/72, narrowest.Points()/72, widest.Points()/72)
}

// Image is a figure laid out at its size, ready for any gonum canvas: raster
// today, vectors as well since nothing in it is made of pixels.
type Image struct {
	Width, Height vg.Length // in points, 1/72 in
	// Title and Description are the figure's words, for a file's metadata.
	Title, Description string
	draw               func(draw.Canvas)
}

// DrawOn draws the image on a canvas of the image's own width and height. The
// canvas brings its background.
func (i Image) DrawOn(c vg.CanvasSizer) {
	i.draw(draw.New(c))
}
