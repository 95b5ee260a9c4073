package figure

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
)

// The numbers of these fixtures are made up.

func fixturePeers() Peers {
	row := func(name string, median float64) PeerRow {
		r := PeerRow{Name: name, Median: median, Note: fmt.Sprintf("%g µs", median)}
		for i := range 5 {
			r.Runs = append(r.Runs, median*(1+0.06*math.Sin(float64(3*i))))
		}
		return r
	}
	return Peers{
		Text:  Text{Title: "what a request costs the load generator", Subtitle: "16 clients", Requests: 1_234_567, Runs: 5, Caption: "fixture"},
		Label: "CPU time a request (µs)",
		Goal:  &PeerGoal{At: 28.6, Name: "goal: at most 1.1 × bombardier"},
		Rows:  []PeerRow{row("wrk", 18), row("bombardier", 26), row("queuelab", 27), row("ab", 31), row("hey", 49), row("vegeta", 52)},
	}
}

// fixtureLateness is four exponential laws whose means lie a factor apart, in
// two panels.
func fixtureLateness() Lateness {
	curve := func(name string, mean float64) LatenessCurve {
		law := func(stretch float64) (out Values) {
			for i := range 256 {
				out = append(out, stretch*mean*math.Ln10*math.Min(nines(float64(i+1)/256), 3))
			}
			return out
		}
		return LatenessCurve{Name: name, Median: law(1), Runs: []Values{law(0.9), law(1), law(1.15)}}
	}
	panel := func(name string, by float64) LatenessPanel {
		return LatenessPanel{Name: name, Curves: []LatenessCurve{
			curve("queuelab", 12*by), curve("vegeta", 500*by), curve("bombardier", 600*by), curve("hey", 5000*by)}}
	}
	return Lateness{
		Text: Text{Title: "how late requests are sent", Requests: 99_000, Runs: 3}, X: "send lateness (µs)",
		Panels: []LatenessPanel{panel("1,000 requests/s", 1), panel("5,000 requests/s", 0.4)},
		Goals:  []Point{{X: 20, Y: 0.5}, {X: 200, Y: 0.99}}, GoalNote: "goals of queuelab",
	}
}

func TestPeersBarsStartAtZeroAndAreAsLongAsTheirMedians(t *testing.T) {
	f := fixturePeers()
	for _, size := range sizes {
		b, l := blotsOf(t, f, size), layoutOf(t, f, size)
		area, perUnit, above := l.panels[0].area, 0.0, math.Inf(1)
		for i, r := range f.Rows {
			bar := b.filled(t, pale(palette[i].ink), area)
			points := b.filled(t, palette[i].ink, area)
			if len(bar) != 1 || len(points) != len(r.Runs) || math.Abs(float64(bar[0].area.Min.X-area.Min.X)) > 1e-6 {
				t.Fatalf("%s: %s has bars %v and %d points, want one bar from the left of %v and %d points", size.Name, r.Name, bar, len(points), area, len(r.Runs))
			}
			long := float64(bar[0].area.Size().X) / r.Median
			if perUnit != 0 && math.Abs(long/perUnit-1) > 1e-9 {
				t.Errorf("%s: the bar of %s is %v points a unit, the first is %v", size.Name, r.Name, long, perUnit)
			}
			perUnit = long
			for j, p := range points {
				centre := (p.area.Min.Y + p.area.Max.Y) / 2
				if float64(centre) >= above || centre < bar[0].area.Min.Y {
					t.Errorf("%s: run %d of %s stands at %v, not below the one before or off its bar", size.Name, j+1, r.Name, centre)
				}
				above = float64(centre)
			}
		}
	}
}

// Notes and names stand clear of the marks and of each other.
func TestPeersNotesKeepOffTheRuns(t *testing.T) {
	for _, size := range sizes {
		f := fixturePeers()
		b, l := blotsOf(t, f, size), layoutOf(t, f, size)
		texts := l.onData()
		if len(texts) != len(f.Rows) {
			t.Fatalf("%s: %d texts on the data, want a note a row", size.Name, len(texts))
		}
		for _, text := range texts {
			for i := range f.Rows {
				for _, p := range b.filled(t, palette[i].ink, l.panels[0].area) {
					if q := text.box(); overlap(p.area.Min.X, p.area.Max.X, q.Min.X, q.Max.X) > 0 && overlap(p.area.Min.Y, p.area.Max.Y, q.Min.Y, q.Max.Y) > 0 {
						t.Errorf("%s: %q covers a run of %s", size.Name, text.lines, f.Rows[i].Name)
					}
				}
			}
		}
	}
}

// The names of curves stand above the panel in the order in which the curves end.
func TestLatenessNamesFollowTheCurves(t *testing.T) {
	f := fixtureLateness()
	for _, size := range sizes {
		l := layoutOf(t, f, size)
		for i, p := range l.panels {
			var names []string
			for _, text := range l.texts {
				b := text.box()
				if b.Min.Y >= p.area.Max.Y && b.Min.Y < p.area.Max.Y+bodySize && b.Min.X >= p.area.Min.X-1 && b.Min.X < p.area.Max.X {
					names = append(names, text.lines[0])
				}
			}
			if got := strings.Join(names, " "); got != "queuelab vegeta bombardier hey" {
				t.Errorf("%s: above panel %d stands %q", size.Name, i, got)
			}
		}
	}
}

func TestDegeneratePeers(t *testing.T) {
	crossing := fixtureLateness()
	crossing.Panels[0].Curves[1].Median = crossing.Panels[0].Curves[0].Median // on top of each other
	flat := Lateness{X: "x", Panels: []LatenessPanel{{Curves: []LatenessCurve{{Name: "a", Median: Values{5, 5, 5, 5}}}}}}
	single := Lateness{X: "x", Panels: []LatenessPanel{{Curves: []LatenessCurve{{Name: "a", Median: Values{5, 9}}, {Name: "none", Median: Values{nan, 0, 0}}}}}}
	for _, tc := range []struct {
		name string
		f    sheeter
		says string
	}{
		{"one run", Peers{Label: "µs", Rows: []PeerRow{{Name: "a", Median: 5, Runs: []float64{5}, Note: "5"}}}, "5"},
		{"nothing of one", Peers{Rows: []PeerRow{{Name: "a", Median: 5}, {Name: "b", Median: nan, Runs: []float64{nan}}}}, "no data"},
		{"missing values", Peers{Rows: []PeerRow{{Name: "a", Median: 5, Runs: []float64{nan, -1}}}}, "2 values are missing or below zero and not drawn"},
		{"zero", Peers{Rows: []PeerRow{{Name: "a", Runs: []float64{0}}}}, "single runs"},
		{"a note of many words", Peers{Rows: []PeerRow{{Name: "a", Median: 1, Note: strings.Repeat("many words ", 9)}}}, "many words"},
		{"a goal far away", Peers{Rows: []PeerRow{{Name: "a", Median: 1}}, Goal: &PeerGoal{At: 1e6, Name: "far"}}, "far"},
		{"huge", Peers{Rows: []PeerRow{{Name: "a", Median: 1e100, Note: "huge"}}}, "huge"},
		{"curves that coincide", crossing, "vegeta"},
		{"one lateness", flat, "a"},
		{"one value that can be drawn", single, "a"},
	} {
		for _, size := range sizes {
			img, err := tc.f.Draw(size)
			if err != nil {
				t.Errorf("%s: %v", tc.name, err)
				continue
			}
			c := newTally(img)
			img.DrawOn(c)
			if text := strings.Join(c.strings, " "); !strings.Contains(text, tc.says) || c.bad || !(img.Height > 0) {
				t.Errorf("%s: the figure does not say %q; it says %q; not finite: %v, height %v", tc.name, tc.says, text, c.bad, img.Height)
			}
			textsStayOnThePage(t, layoutOf(t, tc.f, size))
		}
	}
}

func TestPeersRefused(t *testing.T) {
	twins, long, many := fixturePeers(), fixturePeers(), fixturePeers()
	twins.Rows[0].Name = "hey"
	long.Rows[0].Name = strings.Repeat("long ", 30)
	many.Rows = append(many.Rows, PeerRow{Name: "a seventh", Median: 1})
	for _, tc := range []struct {
		name string
		f    Figure
		says string
	}{
		{"no rows", Peers{}, "no rows: give it at least one"},
		{"only missing values", Peers{Rows: []PeerRow{{Name: "a", Median: nan}}}, "no finite value to draw"},
		{"two of one name", twins, `two systems named "hey"`},
		{"a name without end", long, "leaves no room for its row: shorten it"},
		{"seven rows", many, "at most 6 colours can be told apart"},
		{"no panels", Lateness{}, "0 panels: give it one to 5"},
		{"nothing above zero", Lateness{Panels: []LatenessPanel{{Curves: []LatenessCurve{{Name: "a", Median: Values{0, nan, 3}}}}}}, "no finite lateness above zero"},
	} {
		if _, err := tc.f.Draw(Post); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want one that says %q", tc.name, err, tc.says)
		}
	}
}

func TestMissingNumbersOfPeersAreNull(t *testing.T) {
	for _, tc := range []struct {
		v    any
		want string
	}{
		{PeerRow{Name: "a", Median: nan, Runs: []float64{2, math.Inf(1)}}, `{"name":"a","median":null,"runs":[2,null]}`},
		{Values{1, nan}, `[1,null]`},
	} {
		got, err := json.Marshal(tc.v)
		if err != nil || string(got) != tc.want {
			t.Errorf("%+v became %s (%v), want %s", tc.v, got, err, tc.want)
		}
	}
	var r PeerRow
	if err := json.Unmarshal([]byte(`{"name":"a","median":null,"runs":[null,3]}`), &r); err != nil || !math.IsNaN(r.Median) || !math.IsNaN(r.Runs[0]) || r.Runs[1] != 3 {
		t.Errorf("read %+v (%v)", r, err)
	}
}
