package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// axis is what a kind decides about one axis; ticks and places follow at layout.
type axis struct {
	label     string
	lo, hi    float64
	scale     Scale    // Linear or Log
	doubling  bool     // label 1, 2, 4, 8, …
	aroundOne bool     // label 1 and a value on either side
	nines     bool     // label 0 %, 50 %, 90 %, 99 %, … at −log10(1−q)
	bare      bool     // no ticks: names of groups stand in their place
	names     []string // of rows, from below, instead of numbers: the i-th at i + ½
	// second is the same axis in another unit, below.
	second *SecondScale
}

// SecondScale expresses a horizontal axis in a second unit: a load in
// requests/s as utilisation ρ, with PerUnit = 1/capacity. It stands below the
// axis.
type SecondScale struct {
	Label   string  `json:"label"`
	PerUnit float64 `json:"per_unit"`
}

func (a axis) on(p *plot.Axis) {
	p.Min, p.Max, p.Scale = a.lo, a.hi, a.scale.normalizer()
}

// ticks are the ticks of the axis at a length in points. extent is the space a
// label takes along the axis. Labels stand at a comfortable distance, and close
// together only where fewer than goodLabels would be left.
func (a axis) ticks(length vg.Length, extent func(string) vg.Length) []plot.Tick {
	if a.bare {
		return nil
	}
	if a.names != nil {
		return a.nameTicks()
	}
	ticks := a.spaced(length, extent, wideGap)
	if labels(ticks) >= goodLabels {
		return ticks
	}
	if tight := a.spaced(length, extent, tightGap); labels(tight) > labels(ticks) {
		return tight
	}
	return ticks
}

func (a axis) nameTicks() []plot.Tick {
	var out []plot.Tick
	for i, name := range a.names {
		out = append(out, plot.Tick{Value: float64(i) + 0.5, Label: name})
	}
	return out
}

// The least distance between two labels of an axis, in points.
const (
	wideGap  = 14
	tightGap = 4
)

// spaced are the ticks whose labels are at least the gap apart.
func (a axis) spaced(length vg.Length, extent func(string) vg.Length, gap vg.Length) []plot.Tick {
	norm := a.scale.normalizer()
	fits := func(ticks []plot.Tick) bool {
		for i := 1; i < len(ticks); i++ {
			from, to := ticks[i-1], ticks[i]
			apart := vg.Length(norm.Normalize(a.lo, a.hi, to.Value)-norm.Normalize(a.lo, a.hi, from.Value)) * length
			if apart < (extent(from.Label)+extent(to.Label))/2+gap {
				return false
			}
		}
		return true
	}
	return marker{scale: a.scale, doubling: a.doubling, aroundOne: a.aroundOne, nines: a.nines, fits: fits}.Ticks(a.lo, a.hi)
}

func labels(ticks []plot.Tick) int {
	n := 0
	for _, t := range ticks {
		if !t.IsMinor() {
			n++
		}
	}
	return n
}

// panel is one pair of axes with what is drawn between them. Its place is given
// by the sheet, so that panels of a column align exactly.
type panel struct {
	y      axis
	height vg.Length // of the data area, in points; grows when labels need more
	// backdrop lies behind the grid, marks lie before it.
	backdrop, marks []plot.Plotter
	ends            []ending // names at the ends of lines
	flags           []flag   // words above the panel at some x
	labels          []label  // words at values, on the data area or below it
	note            string   // a sentence above the panel
}

func (p *panel) add(m ...plot.Plotter) { p.marks = append(p.marks, m...) }

// mark draws a rule at x and names it above the panel.
func (p *panel) mark(x float64, r rule, name string, ink color.NRGBA) {
	p.add(r)
	p.flags = append(p.flags, flag{x: x, name: name, ink: ink, rule: &r})
}

// markBehind is mark with the rule behind the data, where points stand at its x.
func (p *panel) markBehind(r rule, name string, ink color.NRGBA) {
	p.backdrop = append(p.backdrop, r)
	p.flags = append(p.flags, flag{x: r.x, name: name, ink: ink, rule: &r})
}

// ending names a curve where it leaves the panel.
type ending struct {
	name  string
	ink   color.NRGBA
	curve curve
}

// plot is the gonum plot that carries ranges and scales to the marks.
func (p *panel) plot(x axis) *plot.Plot {
	g := plot.New()
	x.on(&g.X)
	p.y.on(&g.Y)
	return g
}

// exit is where a curve ends on a panel, as fractions of its width and height.
type exit struct {
	x, y float64
	top  bool // it leaves through the upper edge
}

// exitOf finds the end of the curve's visible part. ok is false when nothing of
// the curve can be shown.
func exitOf(c curve, g *plot.Plot) (e exit, ok bool) {
	type pair struct{ x, y float64 }
	var run []pair
	for _, pt := range c.points {
		if visible(g, pt.X, pt.Y) {
			run = append(run, pair{g.X.Norm(pt.X), g.Y.Norm(pt.Y)})
		}
	}
	if len(run) == 0 {
		return exit{}, false
	}
	last := run[len(run)-1]
	if last.y <= 1 {
		return exit{x: clamp(last.x, 0, 1), y: math.Max(last.y, 0)}, true
	}
	for i := len(run) - 1; i > 0; i-- {
		a, b := run[i-1], run[i]
		if a.y <= 1 && b.y > 1 {
			t := (1 - a.y) / (b.y - a.y)
			return exit{x: clamp(a.x+t*(b.x-a.x), 0, 1), y: 1, top: true}, true
		}
	}
	return exit{x: clamp(run[0].x, 0, 1), y: 1, top: true}, true
}

func clamp(v, lo, hi float64) float64 { return math.Max(lo, math.Min(hi, v)) }
