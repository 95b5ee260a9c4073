package figure

import (
	"math"
	"strings"
	"testing"
)

var nan = math.NaN()

// one is a figure with one system.
func one(predicted []Point, observed []Observation) DataOverModel {
	return DataOverModel{Text: Text{Title: "degenerate"}, X: LoadAxis(0), Margin: 0.1,
		Quantities: []Quantity{{Label: "mean latency (ms)", Systems: []System{{Name: "server", Predicted: predicted, Observed: observed}}}}}
}

func logOf(f DataOverModel) DataOverModel {
	f.YScale = Log
	return f
}

func TestDegenerateInputDrawsSomethingTrue(t *testing.T) {
	line := []Point{{X: 1, Y: 2}, {X: 2, Y: 3}}
	for _, tc := range []struct {
		name   string
		f      DataOverModel
		says   string // a text that must be on the figure
		points int    // solid points of the system, the ratio panel's included
	}{
		{"one point", one([]Point{{X: 1, Y: 2}}, []Observation{{X: 1, Y: 2.1}}), "observed / predicted", 2},
		{"one observation, nothing predicted", one(nil, []Observation{{X: 1, Y: 2}}), "server", 1},
		{"identical values", one([]Point{{X: 1, Y: 5}, {X: 2, Y: 5}}, []Observation{{X: 1, Y: 5}, {X: 2, Y: 5}}), "server", 4},
		{"identical values on a log axis", logOf(one(nil, []Observation{{X: 1, Y: 5}, {X: 2, Y: 5}})), "server", 2},
		{"all zero", one(nil, []Observation{{X: 1, Y: 0}, {X: 2, Y: 0}}), "server", 2},
		{"zeros on a log axis", logOf(one(line, []Observation{{X: 1, Y: 0}, {X: 2, Y: 3}})),
			"1 value at or below zero has no place on the logarithmic axis", 2},
		{"several zeros on a log axis", logOf(one(line, []Observation{{X: 1, Y: 0, Reps: []float64{0, 2}}, {X: 2, Y: 3}})),
			"2 values at or below zero have no place on the logarithmic axis", 2},
		{"interval down to zero on a log axis", logOf(one(line, []Observation{{X: 1, Y: 2, Lo: 0, Hi: 4}})), "observed, interval", 2},
		{"within one decade on a log axis", logOf(one(line, []Observation{{X: 1, Y: 2.2}})), "3.0", 2},
		{"missing points", one(line, []Observation{{X: 1, Y: nan}, {X: nan, Y: 2}, {X: 2, Y: 3}}), "server", 2},
		{"missing predictions", one([]Point{{X: 1, Y: 2}, {X: 1.5, Y: nan}, {X: 2, Y: 3}}, []Observation{{X: 2, Y: 3}}), "server", 2},
		{"all failed", one(line, []Observation{{X: 1, Y: nan}, {X: 2, Y: nan}}), "nothing observed that can be drawn", 0},
		{"prediction only", one(line, nil), "predicted", 0},
		{"observed outside the prediction", one(line, []Observation{{X: 9, Y: 4}}), "observed", 1},
		{"infinite interval", one(line, []Observation{{X: 1, Y: 2, Lo: 1, Hi: math.Inf(1)}}), "observed", 2},
		{"beyond every axis", one(line, []Observation{{X: 1, Y: 1e200}, {X: 2, Y: 3}}), "server", 2},
		{"negative", one(nil, []Observation{{X: -1, Y: -2}, {X: 1, Y: 2}}), "-2", 2},
	} {
		for _, size := range sizes {
			t.Run(tc.name+"/"+size.Name, func(t *testing.T) {
				img, err := tc.f.Draw(size)
				if err != nil {
					t.Fatal(err)
				}
				c := newTally(img)
				img.DrawOn(c)
				if text := strings.Join(c.strings, " "); !strings.Contains(text, tc.says) {
					t.Errorf("the figure does not say %q; it says %q", tc.says, text)
				}
				drawn := c.fills[palette[0].ink]
				if marksIn(tc.f.Quantities)[keyPoint] {
					drawn-- // the key's own point
				}
				if drawn != tc.points || c.bad {
					t.Errorf("%d points drawn, want %d; not finite: %v", drawn, tc.points, c.bad)
				}
			})
		}
	}
}

func TestHalfEmptyFigureSaysSo(t *testing.T) {
	f := fixtureDataOverModel()
	f.Quantities[1].Systems = nil
	f.Quantities[1].References = nil
	text := layoutOf(t, f, Post).allText()
	if !strings.Contains(text, "no data") || !strings.Contains(text, "no ratio") {
		t.Errorf("an empty quantity beside a full one is not explained: %s", text)
	}
}

func TestWhatCannotBeDrawnIsRefused(t *testing.T) {
	seven := fixtureTwoSystems()
	for _, name := range []string{"c", "d", "e", "f", "g"} {
		seven.Quantities[0].Systems = append(seven.Quantities[0].Systems, System{Name: name})
	}
	twins, clash, odd, lines := fixtureTwoSystems(), fixtureTwoSystems(), fixtureTwoSystems(), fixtureTwoSystems()
	twins.Quantities[0].Systems[1].Name = "M/D/1"
	clash.Quantities[0].Systems[0].Colour, clash.Quantities[0].Systems[1].Colour = Green, Green
	odd.Quantities[0].Systems[0].Colour = "mauve"
	lines.Quantities[0].References = make([]Line, 6)
	two := fixtureDataOverModel()
	two.Quantities[0].Systems[0].Colour, two.Quantities[1].Systems[0].Colour = Blue, Red
	three := fixtureDataOverModel()
	three.Quantities = append(three.Quantities, three.Quantities[0])
	scale, margin := fixtureDataOverModel(), fixtureDataOverModel()
	scale.YScale, margin.Margin = "cubic", nan
	noClients := fixtureSweep()
	noClients.Throughput.Systems[0].Observed[0].X = 0
	for _, tc := range []struct {
		name string
		f    Figure
		size Size
		says string
	}{
		{"nothing at all", DataOverModel{Text: Text{Title: "T"}}, Post, "no quantities"},
		{"empty quantity", DataOverModel{Quantities: []Quantity{{Label: "y"}}}, Post, "no finite value to draw"},
		{"only missing values", one([]Point{{X: 1, Y: nan}}, []Observation{{X: nan, Y: 1}}), Post, "no finite value to draw"},
		{"only zeros on a log axis", logOf(one(nil, []Observation{{X: 1, Y: 0}})), Post, "on a log axis, not above zero"},
		{"empty closed curve", ClosedCurve{}, Post, "no finite value to draw"},
		{"empty sweep", CapacitySweep{}, Column, "no finite value to draw"},
		{"no clients", noClients, Post, "N = 0 clients"},
		{"seven systems", seven, Post, "7 systems in one figure and at most 6 colours"},
		{"two of one name", twins, Post, `two systems named "M/D/1"`},
		{"two of one colour", clash, Post, "both ask for green"},
		{"a system of two colours", two, Post, "asks for blue and for red"},
		{"unknown colour", odd, Post, `unknown colour "mauve"`},
		{"six references", lines, Post, "6 reference lines"},
		{"three quantities", three, Post, "3 quantities"},
		{"unknown scale", scale, Post, `unknown scale "cubic"`},
		{"margin not a number", margin, Post, "margin NaN"},
		{"no size", fixtureSweep(), Size{}, "0.00 in wide"},
		{"size of a wall", fixtureSweep(), Size{Name: "wall", Width: 1e6}, "use figure.Post"},
	} {
		_, err := tc.f.Draw(tc.size)
		if err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want one that says %q", tc.name, err, tc.says)
		}
	}
}
