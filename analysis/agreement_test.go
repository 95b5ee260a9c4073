package analysis

import (
	"math"
	"testing"

	"queuelab/measure/record"
)

func values(vs ...float64) []record.Value {
	out := make([]record.Value, len(vs))
	for i, v := range vs {
		out[i] = record.Value(v)
	}
	return out
}

func TestAgreeInterval(t *testing.T) {
	// ln ratios are -0.01, 0, 0.01: mean 0, sd 0.01, and t(0.95; 2) = 2.919986.
	observed := values(math.Exp(-0.01), 1, math.Exp(0.01))
	a := Agree(observed, values(1, 1, 1), 0.10)
	half := 2.919986 * 0.01 / math.Sqrt(3)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"ratio", float64(a.Ratio), 1},
		{"lo", float64(a.Lo), math.Exp(-half)},
		{"hi", float64(a.Hi), math.Exp(half)},
	} {
		if math.Abs(c.got-c.want) > 1e-6 {
			t.Errorf("%s = %.7f, want %.7f", c.name, c.got, c.want)
		}
	}
}

func TestAgreeVerdicts(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name     string
		observed []record.Value
		verdict  string
		runs     int
		text     string
	}{
		{"inside", values(10.1, 9.9, 10.05), Agrees, 3, "AGREES"},
		{"inside with a bias", values(10.4, 10.41, 10.42), Agrees, 3, "AGREES, with a bias of +4.1 %"},
		{"outside", values(15, 15.1, 14.9), Disagrees, 3, "DISAGREES"},
		{"below", values(5, 5.1, 4.9), Disagrees, 3, "DISAGREES"},
		{"wide", values(8, 10, 13), Inconclusive, 3, "INCONCLUSIVE (some 26 runs in all would settle it)"},
		{"one run", values(10), Unjudged, 1, "not judged: fewer than two runs"},
		{"unknown runs are left out", values(nan, 10, nan), Unjudged, 1, "not judged: fewer than two runs"},
		{"nothing known", values(nan), Unjudged, 0, "not resolvable: too few requests"},
	} {
		t.Run(c.name, func(t *testing.T) {
			predicted := make([]record.Value, len(c.observed))
			for i := range predicted {
				predicted[i] = 10
			}
			a := Agree(c.observed, predicted, 0.10)
			if a.Verdict != c.verdict || a.Runs != c.runs || a.String() != c.text {
				t.Errorf("got %q with %d runs, %q; want %q with %d runs, %q", a.Verdict, a.Runs, a.String(), c.verdict, c.runs, c.text)
			}
		})
	}
}

// The same distance must not depend on which side is larger: the ratio is
// judged on a logarithmic scale.
func TestAgreeIsSymmetric(t *testing.T) {
	up := Agree(values(11, 12, 13), values(10, 10, 10), 0.10)
	down := Agree(values(10, 10, 10), values(11, 12, 13), 0.10)
	if up.Verdict != down.Verdict || math.Abs(float64(up.Ratio*down.Ratio)-1) > 1e-12 {
		t.Errorf("up %v %v, down %v %v", up.Verdict, up.Ratio, down.Verdict, down.Ratio)
	}
}

func TestHolmTakesBackWhatChanceExplains(t *testing.T) {
	// The 90 % interval lies just outside the margin: p is a little below 0.05.
	borderline := Agree(values(11.6, 12.2, 12.9), values(10, 10, 10), 0.10)
	if borderline.Verdict != Disagrees {
		t.Fatalf("alone it is %s, want %s", borderline.Verdict, Disagrees)
	}
	alone := borderline
	Holm([]*Agreement{&alone})
	if alone.Verdict != Disagrees {
		t.Errorf("in a table of one it became %s", alone.Verdict)
	}
	clear := Agree(values(20, 20.01, 20.02), values(10, 10, 10), 0.10)
	table := []*Agreement{&borderline, &clear}
	for range 8 {
		fine := Agree(values(10, 10.1, 9.9), values(10, 10, 10), 0.10)
		table = append(table, &fine)
	}
	Holm(table)
	if borderline.Verdict != Inconclusive || !borderline.Chance {
		t.Errorf("among ten the borderline case stays %s, want %s", borderline.Verdict, Inconclusive)
	}
	if clear.Verdict != Disagrees {
		t.Errorf("the clear case became %s", clear.Verdict)
	}
}
