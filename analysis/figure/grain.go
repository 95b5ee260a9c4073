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

var coarse = grain{radius: pointRadius, rim: pointRim}

// fewPoints is up to how many points of one system are drawn large.
const fewPoints = 40

// Many points: the least radius in points, 1/72 in, and the opacity.
const (
	leastRadius = 0.95
	denseAlpha  = 0.55
)

// grainOf is one grain for all systems of the quantities: as fine as the one with
// the most points needs. The inked area of that one stays the same down to the
// least radius.
func grainOf(qs ...Quantity) grain {
	most := 0
	for _, q := range qs {
		for _, s := range q.Systems {
			most = max(most, len(s.Observed))
		}
	}
	if most <= fewPoints {
		return coarse
	}
	return grain{radius: vg.Length(max(leastRadius, pointRadius*math.Sqrt(fewPoints/float64(most)))), dense: true}
}

// ink is the colour of a point.
func (g grain) ink(c color.NRGBA) color.NRGBA {
	if g.dense {
		return faded(c, denseAlpha)
	}
	return c
}
