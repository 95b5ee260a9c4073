package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ratioShare is the part of the height of a pair of panels that the ratio panel
// takes.
const ratioShare = 0.30

// dodged moves the i-th of n systems sideways, in points, since ratios near 1
// would cover each other. Together they stay within 10 points.
func dodged(i, n int) vg.Length {
	if n < 2 {
		return 0
	}
	apart := min(7, 10/vg.Length(n-1))
	return apart * (vg.Length(i) - vg.Length(n-1)/2)
}

// ratios are what observations say themselves, or what was observed divided by
// what was predicted at the same x: points, intervals and repetitions.
// Observations without a prediction there are left out.
func (s System) ratios(scale Scale) []Observation {
	var out []Observation
	for _, o := range s.Observed {
		if own := o.Ratio; own != nil {
			out = append(out, Observation{X: o.X, Y: own.Y, Lo: own.Lo, Hi: own.Hi, Reps: own.Reps})
			continue
		}
		p, ok := predictedAt(s.Predicted, o.X, scale)
		if !ok || p.Y <= 0 {
			continue
		}
		r := Observation{X: o.X, Y: o.Y / p.Y}
		if o.hasInterval() {
			r.Lo, r.Hi = o.Lo/p.Y, o.Hi/p.Y
		}
		for _, rep := range o.Reps {
			r.Reps = append(r.Reps, rep/p.Y)
		}
		out = append(out, r)
	}
	return out
}

// ratioBand is the prediction's own band, relative to the prediction.
func (s System) ratioBand() []Point {
	var out []Point
	for _, p := range s.Predicted {
		r := Point{X: p.X, Y: math.NaN()}
		if p.hasBand() && p.Y > 0 {
			r = Point{X: p.X, Y: 1, Lo: p.Lo / p.Y, Hi: p.Hi / p.Y}
		}
		out = append(out, r)
	}
	return out
}

// hasRatios reports whether any observation can be divided by its prediction.
func (q Quantity) hasRatios(scale Scale) bool {
	for _, s := range q.Systems {
		for _, r := range s.ratios(scale) {
			if Log.shows(r.Y) && finite(r.X) {
				return true
			}
		}
	}
	return false
}

// ratioPanel draws observed / predicted on a logarithmic axis with 1 in the
// middle, so that twice and half are equally far off. margin is δ of the band
// from 1/(1+δ) to 1+δ; zero shades nothing.
func (q Quantity) ratioPanel(x axis, scale Scale, ps paints, g grain, margin float64, height vg.Length) *panel {
	p := &panel{height: height}
	reach := math.Max(0.05, 1.6*margin)
	if margin > 0 {
		p.add(region{1 / (1 + margin), 1 + margin, inkMargin})
	}
	p.add(level{1, draw.LineStyle{Color: inkSoft, Width: axisWidth}})
	far := hull{}
	far.add(1+reach, Log)
	if len(q.Systems) == 1 { // several bands around 1 would only make mud
		s := q.Systems[0]
		p.add(band{s.ratioBand(), faded(ps[s.Name].ink, bandAlpha)})
	}
	for i, s := range q.Systems {
		rs := s.ratios(scale)
		p.add(observations{rs, ps[s.Name], g, dodged(i, len(q.Systems))})
		for _, r := range rs {
			values := append([]float64{r.Y}, r.Reps...)
			if r.hasInterval() {
				values = append(values, r.Lo, r.Hi)
			}
			for _, v := range values {
				far.add(v, Log)
			}
		}
	}
	r := math.Max(far.hi, 1/far.lo)
	r *= math.Pow(r, room)
	p.y = axis{label: "observed / predicted", lo: 1 / r, hi: r, scale: Log, aroundOne: true}
	if margin > 0 {
		name := fmt.Sprintf("margin ±%s\u00A0%%", short(100*margin))
		p.ends = append(p.ends, ending{name, inkSoft, curve{points: []Point{{X: x.hi, Y: 1}}}})
	}
	if !q.hasRatios(scale) {
		p.note = "no ratio: nothing both observed and predicted"
	}
	return p
}
