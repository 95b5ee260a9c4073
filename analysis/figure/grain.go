package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// grain is the size of observed points: few are large, with a white rim, in front
// of the lines; many are small and faint behind them, so that neither hides the
// other.
type grain struct {
	radius, rim vg.Length // in points, 1/72 in
	dense       bool
}

// elbowRoom is the width of a figure, in points of 1/72 in, that a large point
// needs; with more points they are dense.
const elbowRoom = 9

// Many points: the least radius in points, 1/72 in, and the opacity.
const (
	leastRadius = 0.95
	denseAlpha  = 0.55
)

// grainOf is one grain for all panels of a figure: as fine as the system with the
// most points needs. The inked area of that system stays the same down to the
// least radius.
func grainOf(size Size, qs ...Quantity) grain {
	few, most := size.Width.Points()/elbowRoom, 0
	for _, q := range qs {
		for _, s := range q.Systems {
			most = max(most, len(s.Observed))
		}
	}
	if float64(most) <= few {
		return grain{radius: pointRadius, rim: pointRim}
	}
	return grain{radius: vg.Length(max(leastRadius, pointRadius*math.Sqrt(few/float64(most)))), dense: true}
}

// ink is the colour of a point.
func (g grain) ink(c color.NRGBA) color.NRGBA {
	if g.dense {
		return faded(c, denseAlpha)
	}
	return c
}
