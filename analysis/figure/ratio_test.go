package figure

import (
	"math"
	"testing"
)

func TestPredictedAt(t *testing.T) {
	line := []Point{{X: 30, Y: 100, Lo: 90, Hi: 110}, {X: 10, Y: 1}, {X: 20, Y: nan}} // unordered, with a gap
	for _, tc := range []struct {
		name  string
		x     float64
		scale Scale
		want  float64
		ok    bool
	}{
		{"at a point", 30, Linear, 100, true},
		{"between, linear axis", 20, Linear, 50.5, true},
		{"between, log axis", 20, Log, 10, true},
		{"before the curve", 9, Linear, 0, false},
		{"behind the curve", 31, Linear, 0, false},
		{"nowhere", nan, Linear, 0, false},
	} {
		got, ok := predictedAt(line, tc.x, tc.scale)
		if ok != tc.ok || math.Abs(got.Y-tc.want) > 1e-12*100 {
			t.Errorf("%s: %v %v, want %v %v", tc.name, got.Y, ok, tc.want, tc.ok)
		}
	}
}

func TestRatios(t *testing.T) {
	s := System{
		Predicted: []Point{{X: 1, Y: 10}, {X: 2, Y: 20}, {X: 3, Y: 0}},
		Observed: []Observation{
			{X: 1, Y: 11, Lo: 10, Hi: 12, Reps: []float64{10, nan}},
			{X: 2, Y: 15},
			{X: 3, Y: 1}, // nothing can be divided by a prediction of zero
			{X: 4, Y: 1}, // not predicted
		},
	}
	got := s.ratios(Linear)
	if len(got) != 2 {
		t.Fatalf("%d ratios, want 2: %v", len(got), got)
	}
	first := got[0]
	if !near(first.Y, 1.1) || !near(first.Lo, 1) || !near(first.Hi, 1.2) || !near(first.Reps[0], 1) || !math.IsNaN(first.Reps[1]) {
		t.Errorf("ratio %+v, want 1.1 in 1 to 1.2 with repetitions 1 and NaN", first)
	}
	if !near(got[1].Y, 0.75) || got[1].hasInterval() {
		t.Errorf("ratio %+v, want 0.75 without an interval", got[1])
	}
}

func TestAnObservationsOwnRatioComesFirst(t *testing.T) {
	s := System{
		Predicted: []Point{{X: 1, Y: 10}},
		Observed: []Observation{
			{X: 1, Y: 20, Ratio: &Ratio{Y: 1.5, Lo: 1.4, Hi: 1.6, Reps: []float64{1.45}}},
			{X: 2, Y: 20, Ratio: &Ratio{Y: 0.9}}, // its own prediction needs no curve
		},
	}
	got := s.ratios(Linear)
	if len(got) != 2 || got[0].Y != 1.5 || got[0].Lo != 1.4 || got[0].Hi != 1.6 || got[0].Reps[0] != 1.45 || got[0].X != 1 {
		t.Fatalf("ratios %+v, want the observations' own", got)
	}
	if got[1].X != 2 || got[1].Y != 0.9 || got[1].hasInterval() {
		t.Errorf("ratio %+v, want 0.9 at 2 without an interval", got[1])
	}
}

func TestRatioAxisIsSymmetricAndHoldsTheMargin(t *testing.T) {
	f := fixtureDataOverModel()
	for _, margin := range []float64{0, 0.02, 0.1, 0.5} {
		f.Margin = margin
		for _, p := range layoutOf(t, f, Post).panels {
			if p.y.label != "observed / predicted" {
				continue
			}
			if !near(p.plot.Y.Min*p.plot.Y.Max, 1) {
				t.Errorf("ratio axis %v to %v is not symmetric around 1", p.plot.Y.Min, p.plot.Y.Max)
			}
			if p.plot.Y.Max < 1+margin {
				t.Errorf("ratio axis ends at %v, inside the margin %v", p.plot.Y.Max, margin)
			}
			var shaded []region
			for _, m := range p.marks {
				if r, ok := m.(region); ok {
					shaded = append(shaded, r)
				}
			}
			if margin == 0 && len(shaded) > 0 || margin > 0 && (len(shaded) != 1 || shaded[0].hi != 1+margin || shaded[0].lo != 1/(1+margin)) {
				t.Errorf("margin %v is shaded as %v", margin, shaded)
			}
		}
	}
}

func TestPeak(t *testing.T) {
	s := System{Observed: []Observation{{X: 1, Y: 245}, {X: 2, Y: nan}, {X: 8, Y: 250}, {X: 4, Y: 250}, {X: 16, Y: 246}}}
	if p, ok := s.peak(); !ok || p.X != 4 || p.Y != 250 {
		t.Errorf("peak %v %v, want 250 at the fewest clients that reach it, 4", p, ok)
	}
	if _, ok := (System{Observed: []Observation{{X: 1, Y: nan}}}).peak(); ok {
		t.Error("a sweep in which everything failed has a peak")
	}
}
