package figure

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Lateness is how late programs sent what was due: the share of requests that were
// sent by a lateness, a panel a rate. The lateness is logarithmic, and each nine of
// the share has equal height, so that the tail has as much room as the body.
type Lateness struct {
	Text
	// X is the label of the horizontal axis, with its unit.
	X string `json:"x"`
	// Panels are 1 to 5, side by side where two fit and stacked otherwise.
	Panels []LatenessPanel `json:"panels"`
	// Goals are drawn as hollow diamonds in every panel: a curve that was to pass
	// to the left of X at the share Y, a fraction.
	Goals []Point `json:"goals,omitempty"`
	// GoalNote says in the key what they are. Empty: "goal".
	GoalNote string `json:"goal_note,omitempty"`
}

// LatenessPanel is one rate.
type LatenessPanel struct {
	Name   string          `json:"name"` // above the panel: "1,000 requests/s"
	Curves []LatenessCurve `json:"curves"`
}

// LatenessCurve is one program: n quantiles, at 1/n, 2/n … 1, of every run, and
// what is drawn strongly, the median of each over the runs. The last, which is the
// largest value, has no place on an axis of nines. Values that are missing (NaN) or
// not above zero are skipped.
type LatenessCurve struct {
	Name   string   `json:"name"`
	Colour Colour   `json:"colour,omitempty"`
	Median Values   `json:"median"`
	Runs   []Values `json:"runs,omitempty"`
}

var _ Figure = Lateness{}

// Draw lays the figure out.
func (f Lateness) Draw(size Size) (Image, error) {
	s, err := f.sheet(size)
	if err != nil {
		return Image{}, fmt.Errorf("cannot draw %q: %w", f.Title, err)
	}
	return s.image(size)
}

func (f Lateness) sheet(size Size) (sheet, error) {
	ps, err := f.check()
	if err != nil {
		return sheet{}, err
	}
	return sheet{words: f.Text, key: f.key(), columns: f.columns(size, ps)}, nil
}

func (f Lateness) check() (paints, error) {
	if len(f.Panels) == 0 || len(f.Panels) > mostPanels {
		return nil, fmt.Errorf("it has %d panels: give it one to %d", len(f.Panels), mostPanels)
	}
	var qs []Quantity
	for _, p := range f.Panels {
		q := Quantity{Label: p.Name}
		for _, c := range p.Curves {
			q.Systems = append(q.Systems, System{Name: c.Name, Colour: c.Colour})
		}
		qs = append(qs, q)
	}
	ps, err := paintsOf(qs...)
	if x, _ := f.hulls(); err == nil && x.n == 0 {
		err = errors.New("no finite lateness above zero to draw")
	}
	return ps, err
}

// share is the quantile of the i-th of n values, as its nines.
func share(i, n int) float64 { return nines(float64(i+1) / float64(n)) }

// hulls are the latenesses, and the shares in nines, that are drawn.
func (f Lateness) hulls() (x, y hull) {
	for _, p := range f.Panels {
		for _, c := range p.Curves {
			for _, values := range append([]Values{c.Median}, c.Runs...) {
				for i, v := range values {
					if q := share(i, len(values)); finite(q) && Log.shows(v) {
						x.add(v, Log)
						y.add(q, Linear)
					}
				}
			}
		}
	}
	for _, g := range f.Goals {
		if x.n > 0 && finite(nines(g.Y)) {
			x.add(g.X, Log)
			y.add(nines(g.Y), Linear)
		}
	}
	return x, y
}

// points are the values as a curve.
func (v Values) points() []Point {
	var out []Point
	for i, late := range v {
		if q := share(i, len(v)); finite(q) {
			out = append(out, Point{X: late, Y: q})
		}
	}
	return out
}

// columns are the panels in their places.
func (f Lateness) columns(size Size, ps paints) []column {
	xs, ys := f.hulls()
	lo, hi := xs.padded(Log)
	x := axis{label: f.X, lo: lo, hi: hi, scale: Log}
	y := axis{label: "requests sent by then", hi: math.Max(ys.hi, share(0, 2)), scale: Linear, nines: true}
	beside := len(f.Panels) == 2 && size.Width >= sideBySide
	var out []column
	for i, p := range f.Panels {
		drawn := p.panel(y, ps, f.panelHeight(size, beside))
		drawn.add(rings{f.goals(), inkDark})
		if i > 0 && !beside {
			out[0].panels = append(out[0].panels, drawn)
		} else {
			out = append(out, column{x, []*panel{drawn}})
		}
	}
	return out
}

func (f Lateness) panelHeight(size Size, beside bool) vg.Length {
	if beside {
		return 2.5 * vg.Inch
	}
	return max(courseHeight(size, len(f.Panels)), 1.6*vg.Inch)
}

func (f Lateness) goals() []Point {
	var out []Point
	for _, g := range f.Goals {
		out = append(out, Point{X: g.X, Y: nines(g.Y)})
	}
	return out
}

// How single runs look beside their median.
const (
	runWidth = 0.5 // points
	runAlpha = 0.45
)

// panel is one rate; the names of its curves stand above their upper ends.
func (p LatenessPanel) panel(y axis, ps paints, height vg.Length) *panel {
	out := &panel{y: y, height: height, note: p.Name}
	for _, c := range p.Curves {
		for _, run := range c.Runs {
			out.add(curve{run.points(), draw.LineStyle{Color: faded(ps[c.Name].ink, runAlpha), Width: runWidth}})
		}
	}
	for _, c := range p.Curves {
		points := c.Median.points()
		out.add(curve{points, curveStyle(ps[c.Name].ink)})
		for i := len(points) - 1; i >= 0; i-- {
			if Log.shows(points[i].X) {
				out.flags = append(out.flags, flag{x: points[i].X, name: c.Name, ink: ps[c.Name].ink})
				break
			}
		}
	}
	return out
}

// key says what lines and diamonds are.
func (f Lateness) key() []keyItem {
	out := []keyItem{{keyLine, inkDark, circle, "median of the runs at each share"}}
	if slices.ContainsFunc(f.Panels, func(p LatenessPanel) bool {
		return slices.ContainsFunc(p.Curves, func(c LatenessCurve) bool { return len(c.Runs) > 0 })
	}) {
		out = append(out, keyItem{keyRun, inkDark, circle, "single runs"})
	}
	if len(f.Goals) > 0 {
		out = append(out, keyItem{keyRing, inkDark, diamond, or(f.GoalNote, "goal")})
	}
	return out
}
