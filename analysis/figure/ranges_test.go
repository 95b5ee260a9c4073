package figure

import (
	"math"
	"testing"
)

func TestPadded(t *testing.T) {
	for _, tc := range []struct {
		name   string
		values []float64
		scale  Scale
		lo, hi float64
	}{
		{"from zero", []float64{4, 20}, Linear, 0, 21},
		{"below zero", []float64{-10, 10}, Linear, -11, 11},
		{"all below zero", []float64{-20, -10}, Linear, -21, 0},
		{"all zero", []float64{0, 0}, Linear, 0, 1},
		{"nothing", nil, Linear, 0, 1},
		{"log", []float64{1, 1e20}, Log, 0.1, 1e21},
		{"log of identical values", []float64{5, 5}, Log, 2.5, 10},
		{"log without the zero", []float64{0, 1, 1e20}, Log, 0.1, 1e21},
		{"log of nothing", nil, Log, 1, 10},
	} {
		var s hull
		for _, v := range tc.values {
			s.add(v, tc.scale)
		}
		lo, hi := s.padded(tc.scale)
		if !near(lo, tc.lo) || !near(hi, tc.hi) {
			t.Errorf("%s: %v to %v, want %v to %v", tc.name, lo, hi, tc.lo, tc.hi)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

func TestHorizontalRangeMayLeaveZeroOut(t *testing.T) {
	for _, tc := range []struct{ from, to, lo, hi float64 }{
		{25, 225, 0, 230.625}, // a sweep over all loads
		{200, 240, 199, 241},  // a look at the knee
		{100, 100, 0, 102.5},  // one load
		{-1, 1, -1.1, 1.1},    // not a load at all
	} {
		s := hull{}
		s.add(tc.from, Linear)
		s.add(tc.to, Linear)
		if lo, hi := s.paddedX(Linear); !near(lo, tc.lo) || !near(hi, tc.hi) {
			t.Errorf("%v to %v: axis from %v to %v, want %v to %v", tc.from, tc.to, lo, hi, tc.lo, tc.hi)
		}
	}
}

func TestReferencesDoNotPressTheDataFlat(t *testing.T) {
	q := one([]Point{{X: 1, Y: 10}}, nil).Quantities[0]
	q.References = []Line{{"bound", []Point{{X: 1, Y: 5}, {X: 2, Y: 1e6}}}}
	if _, hi := q.verticalRange(Linear); hi > 15 {
		t.Errorf("a bound at 1e6 stretches an axis of data up to 10 to %v", hi)
	}
	q.References[0].Points[1].Y = 11
	if _, hi := q.verticalRange(Linear); hi < 11 {
		t.Errorf("the axis ends at %v, below a reference at 11", hi)
	}
}

func TestAutoScale(t *testing.T) {
	quantity := func(ys ...float64) Quantity {
		var p []Point
		for i, y := range ys {
			p = append(p, Point{X: float64(i), Y: y})
		}
		return one(p, nil).Quantities[0]
	}
	for _, tc := range []struct {
		name string
		qs   []Quantity
		want Scale
	}{
		{"narrow", []Quantity{quantity(4, 40)}, Linear},
		{"wide", []Quantity{quantity(4, 400)}, Log},
		{"wide with a zero", []Quantity{quantity(0, 400)}, Linear},
		{"one of two wide", []Quantity{quantity(4, 40), quantity(4, 400)}, Log},
		{"empty beside wide", []Quantity{{}, quantity(4, 400)}, Log},
		{"nothing", nil, Linear},
	} {
		if got := Auto.choose(tc.qs...); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
	if got := Linear.choose(quantity(4, 400)); got != Linear {
		t.Errorf("an explicit scale was changed to %s", got)
	}
}
