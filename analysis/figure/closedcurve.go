package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg/draw"
)

// ClosedCurve is a closed system against its number of clients N, on an axis
// where each doubling has the same width: throughput and latency, predicted and
// observed, with the asymptotic bounds as references and the knee N* where they
// cross.
type ClosedCurve struct {
	Text
	Throughput Quantity `json:"throughput"`
	Latency    Quantity `json:"latency"`
	// LatencyScale is the scale of the latency axis; throughput is linear from
	// zero.
	LatencyScale Scale `json:"latency_scale,omitempty"`
	// Knee is N*, where the bounds cross; zero draws none.
	Knee float64 `json:"knee,omitempty"`
	// Little is the latency that Little's law gives from the observed
	// throughput, N/X − Z, at each N: hollow diamonds that the measured means
	// must fall into.
	Little []Point `json:"little,omitempty"`
	// LittleNote names the diamonds in the key. Empty: "N / X by Little's law".
	LittleNote string `json:"little_note,omitempty"`
}

var _ Figure = ClosedCurve{}

// clientsLabel is the axis of every figure over closed clients.
const clientsLabel = "clients N"

// Draw lays the figure out: throughput and latency side by side where the size
// is wide enough, and stacked on one axis otherwise.
func (f ClosedCurve) Draw(size Size) (Image, error) {
	s, err := f.sheet(size)
	if err != nil {
		return Image{}, fmt.Errorf("cannot draw %q: %w", f.Title, err)
	}
	return s.image(size)
}

func (f ClosedCurve) sheet(size Size) (sheet, error) {
	ps, err := paintsOf(f.Throughput, f.Latency)
	if err != nil {
		return sheet{}, err
	}
	if err := f.LatencyScale.check(); err != nil {
		return sheet{}, err
	}
	if err := checkClients(f.Throughput, f.Latency); err != nil {
		return sheet{}, err
	}
	scale := f.LatencyScale.choose(f.Latency)
	if allEmpty(Linear, f.Throughput) && allEmpty(scale, f.Latency) {
		return sheet{}, errNothing
	}
	x := clientsAxis(f.Throughput, f.Latency)
	g, height := grainOf(size, f.Throughput, f.Latency), panelHeight(size)
	above := f.Throughput.panel(Linear, ps, g, height)
	below := f.Latency.panel(scale, ps, g, height)
	below.add(rings{f.Little, inkDark})
	if f.Knee > 0 && finite(f.Knee) {
		x.lo, x.hi = min(x.lo, f.Knee), max(x.hi, f.Knee)
		for _, p := range []*panel{above, below} {
			p.mark(f.Knee, rule{x: f.Knee, y: math.NaN(), style: ruleStyle}, "knee N* = "+short(f.Knee), inkSoft)
		}
	}
	s := sheet{words: f.Text, remarks: remarks(scale, f.Latency), key: keyOf(f.Text, ps, f.Throughput, f.Latency)}
	if len(f.Little) > 0 {
		s.key = append(s.key, keyItem{keyRing, inkDark, diamond, or(f.LittleNote, "N / X by Little's law")})
	}
	if size.Width < sideBySide {
		s.columns = []column{{x, []*panel{above, below}}}
	} else {
		s.columns = []column{{x, []*panel{above}}, {x, []*panel{below}}}
	}
	return s, nil
}

var ruleStyle = draw.LineStyle{Color: inkSoft, Width: axisWidth, Dashes: dashes[1]}

// checkClients refuses a closed system without clients, which has no place on an
// axis of doublings. A missing N is skipped like any missing value.
func checkClients(qs ...Quantity) error {
	for _, q := range qs {
		if s := q.horizontal(Linear); s.n > 0 && s.lo <= 0 {
			return fmt.Errorf("%q has a value at N = %s clients: a closed system has one client at least", q.Label, short(s.lo))
		}
	}
	return nil
}

// clientsAxis is the axis of the number of clients.
func clientsAxis(qs ...Quantity) axis {
	x := horizontalAxis(XAxis{Label: clientsLabel}, Log, qs...)
	x.doubling = true
	return x
}
