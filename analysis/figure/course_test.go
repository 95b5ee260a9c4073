package figure

import (
	"image"
	"math"
	"strings"
	"testing"
)

func TestCourseNamesEachSystemOnce(t *testing.T) {
	for _, size := range sizes {
		text := layoutOf(t, fixtureCourse(40, nan), size).allText()
		for _, name := range []string{"with retries", "without retries", "server frozen", "time since the run's start (s)"} {
			if got := strings.Count("\n"+text, "\n"+name+"\n"); got != 1 {
				t.Errorf("%s: %q stands %d times, want once:\n%s", size.Name, name, got, text)
			}
		}
	}
}

func TestCourseIsStackedAtFullWidth(t *testing.T) {
	for _, size := range sizes {
		l := layoutOf(t, fixtureCourse(40, nan), size)
		if len(l.panels) != 4 {
			t.Fatalf("%d panels, want 4", len(l.panels))
		}
		for i, p := range l.panels {
			if p.area.Min.X != l.panels[0].area.Min.X || p.area.Size().X < 0.7*size.Width {
				t.Errorf("%s: panel %d covers %v of a page of %v", size.Name, i, p.area, size.Width)
			}
			if want := fixtureCourse(40, nan).Panels[i].Scale; want != Auto && p.y.scale != want {
				t.Errorf("panel %d is %s, want its own scale %s", i, p.y.scale, want)
			}
		}
		if size == Post && (l.height < 6*72 || l.height > 7*72) {
			t.Errorf("four panels are %.2f in high, want about 6.5", l.height.Points()/72)
		}
	}
}

func TestShadesCoverEveryPanelBehindTheData(t *testing.T) {
	f := fixtureCourse(40, nan)
	f.Shaded = []Span{{10, 12}, {22, 24}, {38, 99}, // reaches beyond the axis
		{-5, -1}, {50, 60}, {12, 10}, {5, 5}, {nan, 3}, {3, math.Inf(1)}} // nothing to shade
	img, err := f.Draw(Post)
	if err != nil {
		t.Fatal(err)
	}
	c := newTally(img)
	img.DrawOn(c)
	if want := 4*3 + 1; c.fills[inkShade] != want || c.bad {
		t.Errorf("%d areas shaded, want %d: three on each of four panels and the key's", c.fills[inkShade], want)
	}

	plain, all := fixtureCourse(40, nan), fixtureCourse(40, nan)
	plain.Shaded, all.Shaded = nil, []Span{{0, 100}}
	blue := func(f Course) int {
		img, err := f.Draw(Column)
		if err != nil {
			t.Fatal(err)
		}
		_, n, _ := survey(img.raster().(*image.RGBA))
		return n
	}
	// edges blend into the shade in place of white, which moves few pixels
	if a, b := blue(plain), blue(all); max(a-b, b-a) > a/100 {
		t.Errorf("%d pixels of the first system without shading and %d with it: it covers data", a, b)
	}
}

func TestKeyExplainsOnlyWhatIsShaded(t *testing.T) {
	f := fixtureCourse(40, nan)
	f.Shaded = []Span{{50, 60}}
	if text := layoutOf(t, f, Post).allText(); strings.Contains(text, "server frozen") {
		t.Error("the key explains a shading outside the axis")
	}
	f.Shaded, f.ShadedNote = []Span{{10, 12}}, ""
	if text := layoutOf(t, f, Post).allText(); !strings.Contains(text, "shaded interval") {
		t.Error("a shading without a note is not explained")
	}
}

func TestSystemKeyShowsWhatASystemHas(t *testing.T) {
	line, point := []Point{{X: 1, Y: 1}}, []Observation{{X: 1, Y: 1}}
	first := Quantity{Systems: []System{{Name: "both", Predicted: line}, {Name: "predicted", Predicted: line}, {Name: "none"}}}
	second := Quantity{Systems: []System{{Name: "observed", Observed: point}, {Name: "both", Observed: point}}}
	ps, err := paintsOf(first, second)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		name string
		kind keyKind
	}{{"both", keySystem}, {"predicted", keyLine}, {"observed", keyPoint}}
	got := systemKey(ps, first, second)
	if len(got) != len(want) {
		t.Fatalf("key %+v, want %v", got, want)
	}
	for i, w := range want {
		if got[i].text != w.name || got[i].kind != w.kind || got[i].ink != ps[w.name].ink {
			t.Errorf("key item %+v, want %s of kind %d", got[i], w.name, w.kind)
		}
	}
}

func TestDegenerateCourse(t *testing.T) {
	course := func(s Scale, systems ...System) Course {
		return Course{Panels: []CoursePanel{{Quantity: Quantity{Label: "latency (ms)", Systems: systems}, Scale: s}}}
	}
	half := fixtureCourse(40, nan)
	half.Panels[1].Quantity.Systems = nil
	zeros := fixtureCourse(40, 0)
	five := fixtureCourse(40, nan)
	five.Panels = append(five.Panels, five.Panels[0])
	for _, tc := range []struct {
		name string
		f    Course
		says string
	}{
		{"one point", course(Auto, System{Name: "server", Observed: []Observation{{X: 3, Y: 2}}}), "server"},
		{"one prediction", course(Log, System{Name: "server", Predicted: []Point{{X: 3, Y: 2}}}), "predicted"},
		{"all at zero", course(Linear, System{Name: "server", Observed: []Observation{{X: 0, Y: 0}, {X: 1, Y: 0}}}), "server"},
		{"huge and tiny", course(Auto, System{Name: "server", Observed: []Observation{{X: 1e-90, Y: 1e-90}, {X: 1e90, Y: 1e90}}}), "server"},
		{"nothing observed", course(Auto, System{Name: "server", Predicted: []Point{{X: 1, Y: 2}}, Observed: []Observation{{X: 1, Y: nan}}}), "nothing observed that can be drawn"},
		{"an empty panel", half, "no data"},
		{"zeros on one log panel", zeros, "values at or below zero have no place on the logarithmic axis"},
		{"five panels", five, "with retries"},
	} {
		for _, size := range sizes {
			img, err := tc.f.Draw(size)
			if err != nil {
				t.Errorf("%s: %v", tc.name, err)
				continue
			}
			c := newTally(img)
			img.DrawOn(c)
			if text := strings.Join(c.strings, " "); !strings.Contains(text, tc.says) || c.bad {
				t.Errorf("%s: the figure does not say %q; it says %q; not finite: %v", tc.name, tc.says, text, c.bad)
			}
		}
	}
}

func TestCourseRefused(t *testing.T) {
	six, cubic, blank, twins := fixtureCourse(1, 1), fixtureCourse(1, 1), fixtureCourse(1, 1), fixtureCourse(1, 1)
	six.Panels = append(six.Panels, six.Panels[:2]...)
	cubic.Panels[3].Scale = "cubic"
	for i := range blank.Panels {
		blank.Panels[i].Quantity.Systems = []System{{Name: "s", Observed: []Observation{{X: 1, Y: nan}}}}
	}
	twins.Panels[2].Quantity.Systems[0].Name = "without retries"
	for _, tc := range []struct {
		name string
		f    Course
		says string
	}{
		{"no panels", Course{}, "no panels"},
		{"six panels", six, "6 panels and a page holds 5"},
		{"unknown scale", cubic, `unknown scale "cubic"`},
		{"only missing values", blank, "no finite value to draw"},
		{"two of one name", twins, `two systems named "without retries"`},
	} {
		if _, err := tc.f.Draw(Post); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want one that says %q", tc.name, err, tc.says)
		}
	}
}
