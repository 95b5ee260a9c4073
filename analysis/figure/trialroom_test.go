package figure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// keepsOff reports texts of a figure of trials that leave the page or lie on each
// other, on a bar, a point, a whisker or the ceiling.
func keepsOff(t *testing.T, f Trials, size Size) {
	t.Helper()
	l := layoutOf(t, f, size)
	textsStayOnThePage(t, l)
	textsKeepApart(t, l)
	b := blotsOf(t, f, size)
	white, grid := [3]uint8{0xFF, 0xFF, 0xFF}, [3]uint8{inkFaint.R, inkFaint.G, inkFaint.B}
	for _, text := range l.onData() {
		box := text.box()
		for _, m := range append(slices.Clone(b.fills), b.strokes...) {
			if m.is(white) || m.is(grid) {
				continue
			}
			if inside(m.area, box) {
				t.Errorf("%s: %q at %v lies on %x at %v", size.Name, text.lines, box, m.ink, m.area)
			}
		}
	}
	for i, p := range l.panels {
		for _, text := range l.onData() {
			if box := text.box(); inside(box, p.area) && box.Max.Y > p.area.Max.Y+1e-6 {
				t.Errorf("%s: %q at %v leaves the panel %v", size.Name, text.lines, box, p.area)
			}
		}
		for _, m := range b.fills {
			if inside(m.area, p.area) && m.area.Max.Y > p.area.Max.Y+1e-6 && !m.is(white) {
				t.Errorf("%s: %x at %v leaves the panel %v", size.Name, m.ink, m.area, p.area)
			}
		}
		if c := f.Panels[i].Ceiling; f.Panels[i].hasCeiling() && c > p.plot.Y.Max {
			t.Errorf("%s: the ceiling %v is above the panel, which ends at %v", size.Name, c, p.plot.Y.Max)
		}
	}
}

// inside reports whether any of the box lies on the area.
func inside(box, area vg.Rectangle) bool {
	return overlap(box.Min.X, box.Max.X, area.Min.X, area.Max.X) > 0 && overlap(box.Min.Y, box.Max.Y, area.Min.Y, area.Max.Y) > 0
}

func TestTrialTextsKeepOffTheMarks(t *testing.T) {
	for _, f := range []Trials{fixtureTrials(), fixtureCrowdedTrials()} {
		for _, size := range sizes {
			keepsOff(t, f, size)
		}
	}
}

func TestAnyTrialsKeepTheirTextsApart(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	words := []string{"", "GET", "spread 2.6 %", "redirect", "47 % of the ceiling", "Donaudampfschifffahrt", "R = 5", "a note that needs three lines or more"}
	word := func() string { return words[r.IntN(len(words))] }
	value := func(level float64) float64 { // mostly near a level, sometimes missing or zero
		switch r.IntN(12) {
		case 0:
			return nan
		case 1:
			return 0
		}
		return level * (0.5 + r.Float64())
	}
	for range 25 {
		f := Trials{Text: Text{Title: "random fixture"}}
		names := make([]string, 1+r.IntN(len(palette)))
		for i := range names {
			names[i] = fmt.Sprint(word(), " ", i)
		}
		for range 1 + r.IntN(2) {
			level := math.Pow(10, float64(r.IntN(9)-3))
			p := TrialPanel{Label: word(), CeilingName: word(), Ceiling: value(level)}
			for _, name := range names {
				g := TrialGroup{Name: name, Median: value(level), Note: word()}
				g.Lo, g.Hi = g.Median*0.9, g.Median*(0.8+0.5*r.Float64())
				for range r.IntN(31) {
					g.Runs = append(g.Runs, value(level))
				}
				p.Groups = append(p.Groups, g)
			}
			f.Panels = append(f.Panels, p)
		}
		if f.Panels[0].empty() {
			continue
		}
		for _, size := range sizes {
			keepsOff(t, f, size)
		}
		if t.Failed() {
			t.Fatalf("%+v", f)
		}
	}
}

func TestNotesStandOverTheirBars(t *testing.T) {
	for _, size := range sizes {
		l := layoutOf(t, fixtureTrials(), size)
		centre := func(want string) vg.Length {
			for _, text := range l.texts {
				if strings.Join(text.lines, " ") == strings.ReplaceAll(want, " %", "\u00a0%") {
					return (text.box().Min.X + text.box().Max.X) / 2
				}
			}
			t.Fatalf("%s: %q is missing: %s", size.Name, want, l.allText())
			return 0
		}
		for note, name := range map[string]string{"spread 0.2 %": "healthz", "38 % of the ceiling": "create"} {
			if a, b := centre(note), centre(name); math.Abs(float64(a-b)) > 1e-6 {
				t.Errorf("%s: %q stands at %v, its group %q at %v", size.Name, note, a, name, b)
			}
		}
	}
}

func TestCeilingIsNamedAtItsLine(t *testing.T) {
	all := fixtureTrials() // every group reaches the line, so that its name has no room on it
	all.Panels[0].Groups = all.Panels[0].Groups[:1]
	nameless := fixtureTrials()
	nameless.Panels[0].CeilingName = ""
	for _, tc := range []struct {
		name  string
		f     Trials
		says  string
		aside bool
	}{
		{"on the line", fixtureTrials(), "ceiling: GET /healthz", false},
		{"without a name", nameless, "ceiling", false},
		{"beside the panel", all, "ceiling: GET /healthz", true},
	} {
		for _, size := range sizes {
			l := layoutOf(t, tc.f, size)
			p := l.panels[0]
			line := p.area.Min.Y + vg.Length(p.plot.Y.Norm(89866))*p.area.Size().Y
			found := false
			for _, text := range l.texts {
				if strings.Join(text.lines, " ") != tc.says {
					continue
				}
				found = true
				box := text.box()
				if aside := box.Min.X > p.area.Max.X; aside != tc.aside {
					t.Errorf("%s/%s: the name is at %v, the panel at %v", tc.name, size.Name, box, p.area)
				}
				if !tc.aside && (box.Min.Y < line || box.Min.Y > line+3) || tc.aside && (box.Min.Y > line || box.Max.Y < line) {
					t.Errorf("%s/%s: the name is at %v, its line at %v", tc.name, size.Name, box, line)
				}
			}
			if !found {
				t.Errorf("%s/%s: no text %q: %s", tc.name, size.Name, tc.says, l.allText())
			}
		}
	}
}

func TestCeilingIsDrawnOnlyWhereThereIsOne(t *testing.T) {
	dashed := func(ceiling float64) int {
		f := fixtureTrials()
		f.Panels[0].Ceiling = ceiling
		n := 0
		for _, m := range blotsOf(t, f, Post).strokes {
			if m.is([3]uint8{inkSoft.R, inkSoft.G, inkSoft.B}) {
				n++
			}
		}
		return n
	}
	for ceiling, want := range map[float64]int{89866: 1, 20000: 1, 1e6: 1, 0: 0, nan: 0, math.Inf(1): 0, -1: 0} {
		if got := dashed(ceiling); got != want {
			t.Errorf("ceiling %v: %d lines, want %d", ceiling, got, want)
		}
	}
}
