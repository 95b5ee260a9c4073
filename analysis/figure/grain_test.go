package figure

import (
	"testing"

	"gonum.org/v1/plot"
)

func TestManyPointsAreSmallAndBehindTheLines(t *testing.T) {
	var last grain
	for i, n := range []int{1, 40, 100, 300, 5000} {
		q := fixtureCourse(n, 1).Panels[0].Quantity
		g := grainOf(Post, q)
		if g.dense != (n > 56) || g.radius < leastRadius || g.radius > pointRadius {
			t.Errorf("%d points on a post: %+v", n, g)
		}
		if i > 0 && g.radius > last.radius {
			t.Errorf("%d points are larger than fewer ones: %v after %v", n, g.radius, last.radius)
		}
		last = g
		ps, err := paintsOf(q)
		if err != nil {
			t.Fatal(err)
		}
		if got := pointsAreBehind(q.marks(ps, g)); got != g.dense {
			t.Errorf("%d points: behind the lines %v, want %v", n, got, g.dense)
		}
	}
	q := fixtureCourse(40, 1).Panels[0].Quantity
	if !grainOf(Column, q).dense || grainOf(Post, q).dense {
		t.Error("40 points are many in a paper's column and few on a post")
	}
}

func pointsAreBehind(marks []plot.Plotter) bool {
	for _, m := range marks {
		switch m.(type) {
		case curve:
			return false
		case observations:
			return true
		}
	}
	return false
}

func TestDensePointsAreAllDrawn(t *testing.T) {
	f := fixtureCourse(300, nan)
	img, err := f.Draw(Post)
	if err != nil {
		t.Fatal(err)
	}
	c := newTally(img)
	img.DrawOn(c)
	for _, ink := range []Colour{Blue, Red} {
		p, _ := ink.paint()
		// four panels of 300, less the latency of 2 s in each of three freezes
		if got, want := c.fills[faded(p.ink, denseAlpha)], 4*300-45; got != want {
			t.Errorf("%s: %d points drawn, want %d", ink, got, want)
		}
	}
}

func TestShortRunsLieOverLongOnes(t *testing.T) {
	q := fixtureOverload().Panels[0].Quantity
	ps, err := paintsOf(q)
	if err != nil {
		t.Fatal(err)
	}
	before := 1 << 30
	for _, m := range q.marks(ps, grainOf(Column, q)) {
		if o, ok := m.(observations); ok {
			if len(o.points) > before {
				t.Errorf("%d points are drawn over %d", len(o.points), before)
			}
			before = len(o.points)
		}
	}
}
