package figure

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
)

// The numbers of these fixtures are made up, except where a source is named.

// fixtureTrials has two quantities of three endpoints: the rates of redirect and
// its p99 are published ones, the other runs are made up around published medians.
func fixtureTrials() Trials {
	redirect := TrialGroup{Name: "redirect", Note: "47 % of the ceiling"}
	rate, p99 := redirect, redirect
	rate.Median, rate.Lo, rate.Hi, rate.Runs = 42424, 41837, 42948, []float64{41837, 42364, 42424, 42511, 42948}
	p99.Median, p99.Lo, p99.Hi, p99.Runs, p99.Note = 4.7, 3.9, 5.9, []float64{5.9, 4.7, 4.5, 4.8, 3.9}, "spread 43 %"
	return Trials{
		Text: Text{Title: "a shortener's endpoints and their ceiling", Requests: 8_300_000, Runs: 5, Verdict: "SUSPECT",
			Caption: "fixture", IntervalNote: "93.75 % interval of the median"},
		Panels: []TrialPanel{
			{Label: "throughput (answered/s)", Ceiling: 89866, CeilingName: "ceiling: GET /healthz", Groups: []TrialGroup{
				{Name: "healthz", Median: 89866, Lo: 89800, Hi: 89970, Runs: []float64{89800, 89866, 89970, 89850, 89900}, Note: "spread 0.2 %"},
				rate,
				{Name: "create", Median: 34366, Lo: 32792, Hi: 34888, Runs: []float64{32792, 34366, 34888, 34253, 34600}, Note: "38 % of the ceiling"}}},
			{Label: "p99 latency (ms)", Groups: []TrialGroup{
				{Name: "healthz", Median: 1, Runs: []float64{1, 1.1, 1, 1, 0.9}}, p99,
				{Name: "create", Median: 6.5, Runs: []float64{7.2, 6.5, 6.4, 6.6, 6.4}}}},
		},
	}
}

// fixtureCrowdedTrials has six groups in one panel, long words, many runs, notes
// that would cross the ceiling, a group above it, and one that answered nothing.
func fixtureCrowdedTrials() Trials {
	var many []float64
	for i := range 30 {
		many = append(many, 70+20*math.Sin(float64(i)))
	}
	return Trials{
		Text: Text{Title: "six groups", Runs: 30, Verdict: "INVALID"},
		Panels: []TrialPanel{{Label: "throughput (answered/s)", Ceiling: 100, CeilingName: "ceiling: a server that answers at once", Groups: []TrialGroup{
			{Name: "GET /healthz", Median: 99.9, Lo: 95, Hi: 104, Runs: []float64{99, 99.9, 100}, Note: "just below the line"},
			{Name: "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk", Median: 92, Runs: []float64{92}, Note: "92 % of the ceiling, spread not known from a single run"},
			{Name: "above", Median: 130, Lo: 120, Hi: 140, Runs: []float64{130, 131, 100}},
			{Name: "many runs", Median: 70, Runs: many, Note: "R = 30"},
			{Name: "nothing answered", Runs: []float64{0, 0, 0}},
			{Name: "one median only", Median: 20, Note: "published without its runs"}}}},
	}
}

func TestBarsStartAtZeroAndAreAsLongAsTheirMedians(t *testing.T) {
	f := fixtureTrials()
	for _, size := range sizes {
		b, l := blotsOf(t, f, size), layoutOf(t, f, size)
		for i, panel := range f.Panels {
			area, perUnit := l.panels[i].area, 0.0
			for j, g := range panel.Groups {
				bar := b.filled(t, pale(palette[j].ink), area)
				if len(bar) != 1 || math.Abs(float64(bar[0].area.Min.Y-area.Min.Y)) > 1e-6 {
					t.Fatalf("%s: %s has bars %v, want one from the foot of %v", size.Name, g.Name, bar, area)
				}
				long := float64(bar[0].area.Size().Y) / g.Median
				if perUnit != 0 && math.Abs(long/perUnit-1) > 1e-9 {
					t.Errorf("%s: the bar of %s is %v points a unit, the first is %v", size.Name, g.Name, long, perUnit)
				}
				perUnit = long
			}
		}
	}
}

func TestRunsStandInTheirOrder(t *testing.T) {
	f := fixtureTrials()
	for _, size := range sizes {
		b, l := blotsOf(t, f, size), layoutOf(t, f, size)
		for i, panel := range f.Panels {
			area := l.panels[i].area
			for j, g := range panel.Groups {
				points := b.filled(t, palette[j].ink, area)
				if len(points) != len(g.Runs) {
					t.Fatalf("%s: %s has %d points, want one for each of %d runs", size.Name, g.Name, len(points), len(g.Runs))
				}
				bar := b.filled(t, pale(palette[j].ink), area)[0].area
				for k := range points {
					if k > 0 && points[k].area.Min.X <= points[k-1].area.Max.X {
						t.Errorf("%s: run %d of %s is not to the right of the one before", size.Name, k+1, g.Name)
					}
					if points[k].area.Min.X < bar.Min.X-1 || points[k].area.Max.X > bar.Max.X+1 {
						t.Errorf("%s: run %d of %s at %v is not over its bar %v", size.Name, k+1, g.Name, points[k].area, bar)
					}
					if k > 0 && g.Runs[k] > g.Runs[k-1] && points[k].area.Min.Y <= points[k-1].area.Min.Y {
						t.Errorf("%s: run %d of %s is higher than the one before and stands no higher", size.Name, k+1, g.Name)
					}
				}
			}
		}
	}
}

func TestDegenerateTrials(t *testing.T) {
	trials := func(ceiling float64, gs ...TrialGroup) Trials {
		return Trials{Panels: []TrialPanel{{Label: "throughput (answered/s)", Groups: gs, Ceiling: ceiling}}}
	}
	half := fixtureTrials()
	half.Panels[1].Groups = nil
	wordy, noted := trials(1e9, TrialGroup{Name: "server", Median: 1, Runs: []float64{1}}), fixtureCrowdedTrials()
	wordy.Panels[0].CeilingName = strings.Repeat("a name that is too long for the line ", 5)
	noted.Panels[0].Groups[5].Note = strings.Repeat("a note as long as a caption ", 20)
	for _, tc := range []struct {
		name   string
		f      Trials
		says   string
		points int // solid points of the first group
	}{
		{"one run of one group", trials(0, TrialGroup{Name: "server", Median: 5, Runs: []float64{5}}), "server", 1},
		{"no runs", trials(0, TrialGroup{Name: "server", Median: 5}), "median of the runs", 0},
		{"runs without a median", trials(0, TrialGroup{Name: "server", Median: nan, Runs: []float64{5, 6}}), "1 value is missing", 2},
		{"identical runs", trials(5, TrialGroup{Name: "server", Median: 5, Lo: 5, Hi: 5, Runs: []float64{5, 5, 5}}), "ceiling", 3},
		{"all zero", trials(0, TrialGroup{Name: "server", Runs: []float64{0, 0}}), "server", 2},
		{"missing runs", trials(0, TrialGroup{Name: "server", Median: 5, Runs: []float64{nan, 5, math.Inf(1), -3}}),
			"3 values are missing or below zero and not drawn", 1},
		{"one of two has nothing", trials(0, TrialGroup{Name: "server", Median: 5, Runs: []float64{5}},
			TrialGroup{Name: "dead", Median: nan, Note: "refused"}), "no data refused", 1},
		{"a panel without groups", half, "no run and no median can be drawn", 10 - 5},
		{"far above the ceiling", trials(1, TrialGroup{Name: "server", Median: 1e6, Runs: []float64{1e6}}), "ceiling", 1},
		{"far below the ceiling", trials(1e9, TrialGroup{Name: "server", Median: 1, Runs: []float64{1}, Note: "nothing"}), "nothing", 1},
		{"a ceiling of many words", wordy, "too long", 1},
		{"a note of many words", noted, "as long as", 3},
		{"a ceiling that is not known", trials(nan, TrialGroup{Name: "server", Median: 5, Runs: []float64{5}}), "server", 1},
		{"huge", trials(1e99, TrialGroup{Name: "server", Median: 1e100, Runs: []float64{1e100}, Note: "huge"}), "huge", 1},
		{"tiny", trials(2e-100, TrialGroup{Name: "server", Median: 1e-100, Runs: []float64{1e-100}, Note: "tiny"}), "tiny", 1},
		{"thousands", trials(0, TrialGroup{Name: "server", Median: 42424, Runs: []float64{42424}}), "40,000", 1},
	} {
		for _, size := range sizes {
			t.Run(tc.name+"/"+size.Name, func(t *testing.T) {
				keepsOff(t, tc.f, size)
				img, err := tc.f.Draw(size)
				if err != nil {
					t.Fatal(err)
				}
				c := newTally(img)
				img.DrawOn(c)
				if text := strings.Join(c.strings, " "); !strings.Contains(text, tc.says) || c.bad || !(img.Height > 0) {
					t.Errorf("the figure does not say %q; it says %q; not finite: %v, height %v", tc.says, text, c.bad, img.Height)
				}
				l := layoutOf(t, tc.f, size)
				got := 0
				for _, p := range l.panels {
					got += len(blotsOf(t, tc.f, size).filled(t, palette[0].ink, p.area))
				}
				if got != tc.points {
					t.Errorf("%d points drawn, want %d", got, tc.points)
				}
			})
		}
	}
}

func TestTrialsRefused(t *testing.T) {
	three, seven, twins, clash := fixtureTrials(), fixtureTrials(), fixtureTrials(), fixtureTrials()
	three.Panels = append(three.Panels, three.Panels[0])
	for i := range 4 {
		seven.Panels[1].Groups = append(seven.Panels[1].Groups, TrialGroup{Name: fmt.Sprint("more ", i), Median: 1})
	}
	twins.Panels[0].Groups[1].Name = "healthz"
	clash.Panels[0].Groups[0].Colour, clash.Panels[1].Groups[0].Colour = Red, Blue
	for _, tc := range []struct {
		name string
		f    Trials
		says string
	}{
		{"no panels", Trials{}, "no panels: give it one or two"},
		{"no groups", Trials{Panels: []TrialPanel{{Ceiling: 5}}}, "no finite value to draw"},
		{"only missing values", Trials{Panels: []TrialPanel{{Groups: []TrialGroup{{Name: "a", Median: nan, Runs: []float64{nan}}}}}}, "no finite value to draw"},
		{"three panels", three, "3 panels and a figure of trials holds 2"},
		{"seven groups", seven, "at most 6 colours can be told apart"},
		{"two of one name", twins, `two systems named "healthz"`},
		{"a group of two colours", clash, "asks for red and for blue"},
	} {
		if _, err := tc.f.Draw(Post); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want one that says %q", tc.name, err, tc.says)
		}
	}
}

func TestMissingNumbersOfTrialsAreNull(t *testing.T) {
	for _, tc := range []struct {
		v    any
		want string
	}{
		{TrialPanel{Label: "y", Ceiling: nan}, `{"label":"y","groups":null,"ceiling":null}`},
		{TrialPanel{Ceiling: 7, CeilingName: "c"}, `{"label":"","groups":null,"ceiling":7,"ceiling_name":"c"}`},
		{TrialGroup{Name: "a", Median: nan, Lo: 1, Hi: math.Inf(1), Runs: []float64{2, nan}}, `{"name":"a","median":null,"interval":[1,null],"runs":[2,null]}`},
		{TrialGroup{Name: "a", Colour: Red, Median: 2, Note: "n"}, `{"name":"a","colour":"red","median":2,"note":"n"}`},
	} {
		got, err := json.Marshal(tc.v)
		if err != nil || string(got) != tc.want {
			t.Errorf("%+v became %s (%v), want %s", tc.v, got, err, tc.want)
		}
	}
	var p TrialPanel
	if err := json.Unmarshal([]byte(`{"label":"y","groups":[{"name":"a","median":null,"runs":[null,3]}],"ceiling":null}`), &p); err != nil {
		t.Fatal(err)
	}
	if g := p.Groups[0]; !math.IsNaN(p.Ceiling) || !math.IsNaN(g.Median) || !math.IsNaN(g.Runs[0]) || g.Runs[1] != 3 || g.hasInterval() {
		t.Errorf("read %+v", p)
	}
}
