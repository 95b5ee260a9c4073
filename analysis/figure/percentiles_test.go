package figure

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestNines(t *testing.T) {
	for q, want := range map[float64]float64{
		0: 0, 0.9: 1, 0.99: 2, 0.999: 3, 0.9999: 4, 0.5: math.Log10(2), 0.75: 2 * math.Log10(2), 0.8: math.Log10(5),
	} {
		if got := nines(q); math.Abs(got-want) > 1e-12 {
			t.Errorf("quantile %v has %v nines, want %v", q, got, want)
		}
	}
}

func TestNineTicks(t *testing.T) {
	hand := body(inkDark)
	for _, tc := range []struct {
		hi     float64 // nines
		length float64 // points
		want   string
	}{
		{3.3, 400, "0 % 50 % 90 % 99 % 99.9 %"},
		{3.3, 150, "0 % 90 % 99 % 99.9 %"},
		{6, 400, "0 % 90 % 99 % 99.9 % 99.99 % 99.999 % 99.9999 %"},
		{6, 200, "0 % 99 % 99.99 % 99.9999 %"},
		{1.1, 300, "0 % 50 % 90 %"},
		{0.7, 300, "0 % 20 % 40 % 60 % 80 %"}, // ends at 80 %
		{15, 400, "0 % 99.999 % 99.99999999 % 99.9999999999999 %"},
	} {
		a := axis{hi: tc.hi, scale: Linear, nines: true}
		got := strings.ReplaceAll(labelled(a.ticks(vg.Length(tc.length), hand.width)), "\u00A0", " ")
		if got != tc.want {
			t.Errorf("%v nines on %v points: labels %q, want %q", tc.hi, tc.length, got, tc.want)
		}
	}
}

func TestNinesWithoutALabelKeepTheirTick(t *testing.T) {
	var minor []float64
	for _, tick := range (axis{hi: 4.2, scale: Linear, nines: true}).ticks(110, body(inkDark).width) {
		if tick.IsMinor() {
			minor = append(minor, tick.Value)
		}
	}
	if !slices.Equal(minor, []float64{nines(0.5), 1, 3}) {
		t.Errorf("ticks without a label at %v nines, want the median, 90 %% and 99.9 %%", minor)
	}
}

func TestNineTicksHoldForAnyRange(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 2000 {
		a := axis{hi: math.Pow(10, 1.2-3*r.Float64()), scale: Linear, nines: true}
		var seen []string
		for _, tick := range a.ticks(vg.Length(40+400*r.Float64()), body(inkDark).width) {
			if tick.IsMinor() {
				continue
			}
			if tick.Value < 0 || tick.Value > a.hi*(1+1e-6) || slices.Contains(seen, tick.Label) {
				t.Fatalf("tick %q at %v of an axis to %v, after %q", tick.Label, tick.Value, a.hi, seen)
			}
			seen = append(seen, tick.Label)
		}
		if len(seen) == 0 || len(seen) > mostLabels {
			t.Fatalf("%d labels on an axis to %v", len(seen), a.hi)
		}
	}
}

func TestPercentilesAxisRunsFromZeroToTheLargestQuantile(t *testing.T) {
	f := fixturePercentiles()
	before := fixturePercentiles()
	p := layoutOf(t, f, Post).panels[0]
	if largest := nines(0.9995); p.plot.X.Min != 0 || p.plot.X.Max < largest || p.plot.X.Max > 1.05*largest {
		t.Errorf("axis from %v to %v, want 0 to just beyond %v", p.plot.X.Min, p.plot.X.Max, largest)
	}
	if !reflect.DeepEqual(f, before) {
		t.Error("drawing changed the caller's data")
	}
}

func TestPercentileRulesStandWhereDataReach(t *testing.T) {
	for largest, want := range map[float64][]string{0.4: nil, 0.9: {"p50"}, 0.99: {"p50", "p99"}, 0.9999: {"p50", "p99"}} {
		f := quantilesOf(Point{X: 0, Y: 1}, Point{X: largest, Y: 2})
		var got []string
		for _, flag := range layoutOf(t, f, Post).panels[0].flags {
			got = append(got, flag.name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("data up to quantile %v: rules %v, want %v", largest, got, want)
		}
	}
}

// quantilesOf is a prediction at some quantiles.
func quantilesOf(points ...Point) Percentiles {
	return Percentiles{Latency: Quantity{Label: "latency (ms)", Systems: []System{{Name: "server", Predicted: points}}}}
}

func TestDegeneratePercentiles(t *testing.T) {
	observed := func(scale Scale, os ...Observation) Percentiles {
		return Percentiles{YScale: scale, Latency: Quantity{Label: "latency (ms)", Systems: []System{{Name: "server", Observed: os}}}}
	}
	for _, tc := range []struct {
		name   string
		f      Percentiles
		says   string
		points int
	}{
		{"one quantile", observed(Auto, Observation{X: 0.5, Y: 4}), "p50", 1},
		{"the minimum alone", observed(Auto, Observation{X: 0, Y: 4}), "90\u00A0%", 1},
		{"as many nines as a float has", observed(Auto, Observation{X: math.Nextafter(1, 0), Y: 4}), "p99", 1},
		{"missing quantile", observed(Auto, Observation{X: nan, Y: 4}, Observation{X: 0.5, Y: nan}, Observation{X: 0.9, Y: 4}), "server", 1},
		{"infinite quantile", observed(Auto, Observation{X: math.Inf(1), Y: 4}, Observation{X: 0.9, Y: 4}), "server", 1},
		{"zero on a log axis", observed(Log, Observation{X: 0.5, Y: 0}, Observation{X: 0.9, Y: 4}), "1 value at or below zero", 1},
		{"predictions only", quantilesOf(Point{X: 0.5, Y: 4}), "predicted", 0},
	} {
		for _, size := range sizes {
			img, err := tc.f.Draw(size)
			if err != nil {
				t.Errorf("%s: %v", tc.name, err)
				continue
			}
			c := newTally(img)
			img.DrawOn(c)
			if text := strings.Join(c.strings, " "); !strings.Contains(text, tc.says) {
				t.Errorf("%s: the figure does not say %q; it says %q", tc.name, tc.says, text)
			}
			drawn := c.fills[palette[0].ink]
			if tc.points > 0 {
				drawn-- // the key's own point
			}
			if drawn != tc.points || c.bad {
				t.Errorf("%s: %d points drawn, want %d; not finite: %v", tc.name, drawn, tc.points, c.bad)
			}
		}
	}
}

func TestPercentilesRefused(t *testing.T) {
	cubic := quantilesOf(Point{X: 0.5, Y: 1})
	cubic.YScale = "cubic"
	reference := quantilesOf(Point{X: 0.5, Y: 1})
	reference.Latency.References = []Line{{"r", []Point{{X: 2, Y: 1}}}}
	for _, tc := range []struct {
		name string
		f    Percentiles
		says string
	}{
		{"the maximum at 1", quantilesOf(Point{X: 0.5, Y: 1}, Point{X: 1, Y: 2}), "a value at quantile 1: give"},
		{"percentages", quantilesOf(Point{X: 50, Y: 1}), "a value at quantile 50: give"},
		{"below zero", quantilesOf(Point{X: -0.1, Y: 1}), "a value at quantile -0.1: give"},
		{"a reference beyond", reference, "a value at quantile 2: give"},
		{"only missing values", quantilesOf(Point{X: nan, Y: 1}, Point{X: 0.5, Y: nan}), "no finite value to draw"},
		{"nothing", Percentiles{}, "no finite value to draw"},
		{"unknown scale", cubic, `unknown scale "cubic"`},
	} {
		if _, err := tc.f.Draw(Post); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want one that says %q", tc.name, err, tc.says)
		}
	}
}
