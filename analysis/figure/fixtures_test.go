package figure

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// The numbers of these fixtures are formulas, not measurements.

func fixtureMM1(rho float64) float64 { return 4 / (1 - rho) }
func fixtureMD1(rho float64) float64 { return 4 * (1 + rho/(2*(1-rho))) }

func fixtureCurve(f func(float64) float64) []Point {
	var out []Point
	for rho := 0.05; rho < 0.96; rho += 0.05 {
		y := f(rho)
		out = append(out, Point{X: 250 * rho, Y: y, Lo: 0.9 * y, Hi: 1.1 * y})
	}
	return out
}

func fixtureObserved(f func(float64) float64, off float64) []Observation {
	var out []Observation
	for _, rho := range []float64{0.2, 0.5, 0.8, 0.9} {
		y := f(rho) * off
		out = append(out, Observation{X: 250 * rho, Y: y, Lo: 0.95 * y, Hi: 1.07 * y, Reps: []float64{0.96 * y, y, 1.05 * y}})
	}
	return out
}

func fixtureQuantity(label string, scale float64) Quantity {
	f := func(rho float64) float64 { return scale * fixtureMD1(rho) }
	return Quantity{
		Label: label,
		Systems: []System{{
			Name: "nginx", Predicted: fixtureCurve(f), Observed: fixtureObserved(f, 1.04),
		}},
		References: []Line{
			{Name: "M/D/1", Points: fixtureCurve(func(r float64) float64 { return scale * fixtureMD1(r) * 0.97 })},
			{Name: "M/M/1", Points: fixtureCurve(func(r float64) float64 { return scale * fixtureMM1(r) })},
		},
	}
}

func fixtureText() Text {
	return Text{
		Title: "nginx: latency against offered load λ", Subtitle: "one worker, service 4 ms = 4000 µs",
		Requests: 41210, Runs: 5, Verdict: "VALID", Caption: "predicted blind",
		IntervalNote: "range of 5 runs", BandNote: "range over 20 seeds",
	}
}

func fixtureDataOverModel() DataOverModel {
	return DataOverModel{
		Text: fixtureText(), X: LoadAxis(250), Margin: 0.1,
		Quantities: []Quantity{fixtureQuantity("mean latency (ms)", 1), fixtureQuantity("p99 latency (ms)", 3)},
	}
}

func fixtureTwoSystems() DataOverModel {
	return DataOverModel{
		Text: fixtureText(), X: LoadAxis(250), Margin: 0.1,
		Quantities: []Quantity{{Label: "mean latency (ms)", Systems: []System{
			{Name: "M/D/1", Predicted: fixtureCurve(fixtureMD1), Observed: fixtureObserved(fixtureMD1, 1)},
			{Name: "M/M/1", Predicted: fixtureCurve(fixtureMM1), Observed: fixtureObserved(fixtureMM1, 1)},
		}}},
	}
}

// fixtureClosed is a station with demand 4 ms behind 0.5 ms of fixed delay, at
// its asymptotic bounds.
func fixtureClosed() ClosedCurve {
	const demand, idle = 4.0, 4.5
	throughput := func(n float64) float64 { return 1000 * math.Min(n/idle, 1/demand) }
	curveOf := func(f func(float64) float64) (points []Point, observed []Observation) {
		for n := 1.0; n <= 32; n *= 2 {
			points = append(points, Point{X: n, Y: f(n)})
			observed = append(observed, Observation{X: n, Y: f(n), Reps: []float64{0.99 * f(n), 1.01 * f(n)}})
		}
		return points, observed
	}
	xp, xo := curveOf(throughput)
	lp, lo := curveOf(func(n float64) float64 { return 1000 * n / throughput(n) })
	steep, _ := curveOf(func(n float64) float64 { return 1000 * n / idle })
	flat, _ := curveOf(func(float64) float64 { return 1000 / demand })
	return ClosedCurve{
		Text: fixtureText(), Knee: idle / demand, Little: lp,
		Throughput: Quantity{Label: "throughput X (requests/s)",
			Systems:    []System{{Name: "nginx", Predicted: xp, Observed: xo}},
			References: []Line{{"N/R(1)", steep}, {"1/D", flat}}},
		Latency: Quantity{Label: "mean latency (ms)",
			Systems: []System{{Name: "nginx", Predicted: lp, Observed: lo}}},
	}
}

func fixtureSweep() CapacitySweep {
	q := fixtureClosed().Throughput
	q.Systems[0].Observed[3].Y = 262 // at N = 8, the peak
	return CapacitySweep{Text: fixtureText(), Throughput: q}
}

// fixturePercentiles is a stalled server: few requests wait long, in an open loop
// from the 90th percentile on, in a closed one behind the 99th.
func fixturePercentiles() Percentiles {
	system := func(name string, from float64) System {
		s := System{Name: name}
		for _, q := range []float64{0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9995} {
			y := 7 + 500*math.Max(0, q-from)/(1-from)
			s.Predicted = append(s.Predicted, Point{X: q, Y: y, Lo: 0.9 * y, Hi: 1.1 * y})
			s.Observed = append(s.Observed, Observation{X: q, Y: 1.04 * y, Lo: y, Hi: 1.1 * y})
		}
		return s
	}
	return Percentiles{Text: fixtureText(), YScale: Log,
		Latency: Quantity{Label: "latency (ms)", Systems: []System{system("open", 0.85), system("closed, N = 8", 0.99)},
			References: []Line{{"the stall", []Point{{X: 0, Y: 500}, {X: 0.9995, Y: 500}}}}}}
}

// fixtureCourse is two systems with n values each in four panels over 40 s with
// three freezes; frozen is the latency while the server is frozen.
func fixtureCourse(n int, frozen float64) Course {
	panel := func(label string, scale Scale, freezes bool, levels ...float64) CoursePanel {
		p := CoursePanel{Scale: scale, Quantity: Quantity{Label: label}}
		for i, level := range levels {
			s := System{Name: []string{"with retries", "without retries"}[i]}
			for j := range n {
				t := 40 * (float64(j) + 0.5) / float64(n)
				y := level * (1 + 0.3*math.Sin(t))
				if freezes && math.Mod(t, 12) >= 10 {
					y = frozen
				}
				s.Predicted = append(s.Predicted, Point{X: t, Y: y, Lo: 0.9 * y, Hi: 1.1 * y})
				s.Observed = append(s.Observed, Observation{X: t, Y: 1.05 * y})
			}
			p.Quantity.Systems = append(p.Quantity.Systems, s)
		}
		return p
	}
	return Course{Text: fixtureText(), ShadedNote: "server frozen", Shaded: []Span{{10, 12}, {22, 24}, {34, 36}},
		Panels: []CoursePanel{
			panel("goodput (answered/s)", Linear, false, 60, 175), panel("attempts (copies/s)", Linear, false, 500, 175),
			panel("failures/s", Auto, false, 120, 0), panel("latency (ms)", Log, true, 3000, 6)}}
}

// fixtureOverload is one panel in which three runs follow one line.
func fixtureOverload() Course {
	q := Quantity{Label: "latency (ms)", References: []Line{{"growth (ρ − 1) t", []Point{{X: 0, Y: 0}, {X: 40, Y: 5200}}}}}
	for _, seconds := range []int{20, 10, 40} {
		s := System{Name: fmt.Sprintf("%d s", seconds)}
		for t := 0.5; t < float64(seconds); t++ {
			s.Predicted = append(s.Predicted, Point{X: t, Y: 130 * t})
			s.Observed = append(s.Observed, Observation{X: t, Y: 131 * t})
		}
		q.Systems = append(q.Systems, s)
	}
	return Course{Text: fixtureText(), X: "time since the first request (s)", Panels: []CoursePanel{{Quantity: q}}}
}

// sheeter is a figure whose sheet a test can look into.
type sheeter interface {
	Figure
	sheet(Size) (sheet, error)
}

func fixtures() map[string]sheeter {
	long := fixtureTwoSystems()
	long.Title = "A title that is so long that neither size can hold it on a single line whatever the letters are"
	long.Verdict = "INVALID"
	long.Caption = "generator busy 97 %, lag p99 above the latency p50, rate 7 % below the schedule's own count"
	long.Quantities[0].Systems[0].Name = "a hyperexponential server with a long name"
	long.Quantities[0].Systems[1].Name = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk"
	logarithmic := fixtureDataOverModel()
	logarithmic.YScale = Log
	return map[string]sheeter{
		"load": fixtureDataOverModel(), "two systems": fixtureTwoSystems(), "long words": long,
		"log": logarithmic, "closed": fixtureClosed(), "sweep": fixtureSweep(),
		"percentiles": fixturePercentiles(), "course": fixtureCourse(40, 5000), "overload": fixtureOverload(),
		"trials": fixtureTrials(), "crowded trials": fixtureCrowdedTrials(),
		"peers": fixturePeers(), "lateness": fixtureLateness(),
	}
}

var sizes = []Size{Post, Column}

// tally is a canvas that counts what is drawn on it, by colour.
type tally struct {
	width, height vg.Length
	ink           color.Color
	fills         map[color.NRGBA]int
	strokes       map[color.NRGBA]int
	strings       []string
	bad           bool // a coordinate that is not finite
}

var _ vg.CanvasSizer = (*tally)(nil)

func newTally(i Image) *tally {
	return &tally{width: i.Width, height: i.Height, ink: color.Black,
		fills: map[color.NRGBA]int{}, strokes: map[color.NRGBA]int{}}
}

func (t *tally) Size() (x, y vg.Length)                       { return t.width, t.height }
func (t *tally) SetLineWidth(vg.Length)                       {}
func (t *tally) SetLineDash([]vg.Length, vg.Length)           {}
func (t *tally) SetColor(c color.Color)                       { t.ink = c }
func (t *tally) Rotate(float64)                               {}
func (t *tally) Translate(vg.Point)                           {}
func (t *tally) Scale(float64, float64)                       {}
func (t *tally) Push()                                        {}
func (t *tally) Pop()                                         {}
func (t *tally) DrawImage(vg.Rectangle, image.Image)          {}
func (t *tally) Stroke(p vg.Path)                             { t.count(t.strokes, p) }
func (t *tally) Fill(p vg.Path)                               { t.count(t.fills, p) }
func (t *tally) FillString(_ font.Face, _ vg.Point, s string) { t.strings = append(t.strings, s) }

func (t *tally) count(into map[color.NRGBA]int, p vg.Path) {
	into[color.NRGBAModel.Convert(t.ink).(color.NRGBA)]++
	for _, c := range p {
		if v := float64(c.Pos.X + c.Pos.Y); math.IsNaN(v) || math.IsInf(v, 0) {
			t.bad = true
		}
	}
}
