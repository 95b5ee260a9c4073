package figure

import (
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// squareRuns are the pieces of a curve on a canvas of 100 by 100 points for axes from 0 to 100.
func squareRuns(points ...Point) [][]vg.Point {
	p := (&panel{y: axis{hi: 100, scale: Linear}}).plot(axis{hi: 100, scale: Linear})
	c := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: 100, Y: 100}}}
	return curve{points: points}.runs(&c, p)
}

func TestLinesBreakAtMissingValues(t *testing.T) {
	got := squareRuns(Point{X: 0, Y: 1}, Point{X: 10, Y: 2}, Point{X: 20, Y: nan}, Point{X: 30, Y: 4}, Point{X: 40, Y: 5}, Point{X: nan, Y: 6})
	if len(got) != 2 || len(got[0]) != 2 || len(got[1]) != 2 || got[1][0] != (vg.Point{X: 30, Y: 4}) {
		t.Errorf("runs %v, want 0 to 10 and 30 to 40", got)
	}
}

func TestASingleValueReachesHalfWayToItsNeighbours(t *testing.T) {
	for _, tc := range []struct {
		name     string
		points   []Point
		from, to vg.Length
	}{
		{"alone", []Point{{X: 50, Y: 1}}, 45, 55},
		{"far neighbours", []Point{{X: 10, Y: nan}, {X: 50, Y: 1}, {X: 90, Y: nan}}, 45, 55},
		{"near neighbours", []Point{{X: 46, Y: nan}, {X: 50, Y: 1}, {X: 56, Y: nan}}, 48, 53},
		{"the last", []Point{{X: 46, Y: nan}, {X: 50, Y: 1}}, 48, 55},
		{"a neighbour nowhere", []Point{{X: nan, Y: nan}, {X: 50, Y: 1}, {X: 52, Y: nan}}, 45, 51},
		{"neighbours at the same place", []Point{{X: 50, Y: nan}, {X: 50, Y: 1}, {X: 50, Y: nan}}, 50 - leastStub, 50 + leastStub},
	} {
		got := squareRuns(tc.points...)
		if len(got) != 1 || len(got[0]) != 2 || !near(got[0][0].X.Points(), tc.from.Points()) || !near(got[0][1].X.Points(), tc.to.Points()) {
			t.Errorf("%s: stroke %v, want %v to %v", tc.name, got, tc.from, tc.to)
		}
	}
}
