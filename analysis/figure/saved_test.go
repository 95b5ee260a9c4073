package figure

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestRedrawFromSavedDataIsTheSameFile(t *testing.T) {
	for name, f := range map[string]Figure{"load": fixtureDataOverModel(), "closed": fixtureClosed(), "sweep": fixtureSweep(),
		"percentiles": fixturePercentiles(), "course": fixtureCourse(60, nan), "trials": fixtureTrials(),
		"peers": fixturePeers(), "lateness": fixtureLateness()} {
		data, err := Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Unmarshal(data)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(pngOf(t, f, Column), pngOf(t, again, Column)) {
			t.Errorf("%s: the redraw from saved data differs", name)
		}
		twice, err := Marshal(again)
		if err != nil || !bytes.Equal(data, twice) {
			t.Errorf("%s: saving what was read gives something else (%v)", name, err)
		}
	}
}

func TestMissingNumbersAreNull(t *testing.T) {
	for _, tc := range []struct {
		v    any
		want string
	}{
		{Point{X: 1, Y: nan}, `{"x":1,"y":null}`},
		{Point{X: 1, Y: 2, Lo: 1, Hi: 3}, `{"x":1,"y":2,"interval":[1,3]}`},
		{Point{X: 1, Y: 2, Lo: nan, Hi: nan}, `{"x":1,"y":2}`},
		{Point{X: 1, Y: 2, Lo: 1, Hi: math.Inf(1)}, `{"x":1,"y":2,"interval":[1,null]}`},
		{Observation{X: 1, Y: 2, Reps: []float64{2, nan}}, `{"x":1,"y":2,"reps":[2,null]}`},
		{Observation{X: 1, Y: 2, Ratio: &Ratio{Y: 0.9, Lo: 0.8, Hi: 1, Reps: []float64{nan}}},
			`{"x":1,"y":2,"ratio":{"x":1,"y":0.9,"interval":[0.8,1],"reps":[null]}}`},
		{Span{From: 10, To: 12}, `{"from":10,"to":12}`},
		{Span{From: nan, To: math.Inf(1)}, `{"from":null,"to":null}`},
	} {
		got, err := json.Marshal(tc.v)
		if err != nil || string(got) != tc.want {
			t.Errorf("%+v became %s (%v), want %s", tc.v, got, err, tc.want)
		}
	}
	own := Observation{X: 1, Y: 2, Ratio: &Ratio{Y: 0.9, Lo: 0.8, Hi: 1, Reps: []float64{0.9}}}
	data, err := json.Marshal(own)
	if err != nil {
		t.Fatal(err)
	}
	var back Observation
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(own, back) {
		t.Errorf("read %+v (%v), saved %+v", back, err, own)
	}
	var s Span
	if err := json.Unmarshal([]byte(`{"from":null,"to":7}`), &s); err != nil || !math.IsNaN(s.From) || s.To != 7 {
		t.Errorf("read %+v (%v), want NaN to 7", s, err)
	}
	var o Observation
	if err := json.Unmarshal([]byte(`{"x":1,"y":null,"interval":[0.5,null],"reps":[null,3]}`), &o); err != nil {
		t.Fatal(err)
	}
	if o.X != 1 || !math.IsNaN(o.Y) || o.Lo != 0.5 || !math.IsNaN(o.Hi) || !math.IsNaN(o.Reps[0]) || o.Reps[1] != 3 {
		t.Errorf("read %+v", o)
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	for _, tc := range []struct{ name, data, says string }{
		{"not JSON", `figure`, "cannot read the saved figure"},
		{"empty", ``, "cannot read the saved figure"},
		{"another schema", `{"schema":2,"kind":"capacity-sweep","figure":{}}`, "schema 2 and this program reads 1"},
		{"unknown kind", `{"schema":1,"kind":"pie","figure":{}}`, `unknown kind "pie": known are data-over-model, closed-curve, capacity-sweep, percentiles, course, trials, peers, lateness`},
		{"unknown key", `{"schema":1,"kind":"capacity-sweep","figure":{"colour":1}}`, `unknown field "colour"`},
		{"unknown key in a point", `{"schema":1,"kind":"capacity-sweep","figure":{"throughput":{"label":"","references":[{"name":"","points":[{"z":1}]}]}}}`, `unknown field "z"`},
		{"predicted repetitions", `{"schema":1,"kind":"capacity-sweep","figure":{"throughput":{"label":"","references":[{"name":"","points":[{"x":1,"y":1,"reps":[1]}]}]}}}`, "has no reps"},
		{"a ratio of a ratio", `{"schema":1,"kind":"capacity-sweep","figure":{"throughput":{"label":"","systems":[{"name":"","observed":[{"x":1,"y":1,"ratio":{"x":1,"y":1,"ratio":{"x":1,"y":1}}}]}]}}}`, "a ratio has no ratio of its own"},
		{"unknown key in a span", `{"schema":1,"kind":"course","figure":{"panels":[],"shaded":[{"from":1,"until":2}]}}`, `unknown field "until"`},
		{"unknown key in a group", `{"schema":1,"kind":"trials","figure":{"panels":[{"label":"","groups":[{"name":"","median":1,"mean":1}]}]}}`, `unknown field "mean"`},
		{"unknown key in a panel of trials", `{"schema":1,"kind":"trials","figure":{"panels":[{"label":"","floor":1}]}}`, `unknown field "floor"`},
		{"unknown key in a row", `{"schema":1,"kind":"peers","figure":{"label":"","rows":[{"name":"","mean":1}]}}`, `unknown field "mean"`},
		{"two values", `{"schema":1,"kind":"capacity-sweep","figure":{}} {}`, "something follows"},
		{"no figure", `{"schema":1,"kind":"capacity-sweep"}`, "cannot read the saved capacity-sweep figure"},
	} {
		if _, err := Unmarshal([]byte(tc.data)); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want one that says %q", tc.name, err, tc.says)
		}
	}
}

type foreign struct{}

func (foreign) Draw(Size) (Image, error) { return Image{}, nil }

func TestMarshalRefusesForeignKinds(t *testing.T) {
	if _, err := Marshal(foreign{}); err == nil || !strings.Contains(err.Error(), "figure.foreign cannot be saved") {
		t.Errorf("error %v", err)
	}
	if _, err := Marshal(nil); err == nil {
		t.Error("nil was saved")
	}
}

// TestEveryNumberSurvives guards against a field that is drawn but not saved.
func TestEveryNumberSurvives(t *testing.T) {
	for name, f := range fixtures() {
		data, err := Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Unmarshal(data)
		if err != nil {
			t.Fatal(err)
		}
		if got := reflect.ValueOf(again).Elem().Interface(); !reflect.DeepEqual(got, f) {
			t.Errorf("%s: read %+v, saved %+v", name, got, f)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, fix := range fixtures() {
		data, err := Marshal(fix)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<15 {
			return // time, not size, is what a fuzzer should spend
		}
		fig, err := Unmarshal(data)
		if err != nil {
			return
		}
		for _, size := range sizes {
			img, err := fig.Draw(size)
			if err != nil {
				continue
			}
			c := newTally(img)
			img.DrawOn(c)
			if c.bad || math.IsNaN(float64(img.Height)) || img.Height <= 0 {
				t.Fatalf("drawn at places that are not finite, height %v", img.Height)
			}
			s, err := fig.(sheeter).sheet(size)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range s.layOut(size).texts {
				if b := text.box(); !(b.Min.Y >= -img.Height-1e-6) || !(b.Max.Y <= 1e-6) {
					t.Fatalf("%q at %v leaves the page of height %v", text.lines, b, img.Height)
				}
			}
		}
		if _, err := Marshal(fig); err != nil {
			t.Fatalf("what was read cannot be saved: %v", err)
		}
	})
}
