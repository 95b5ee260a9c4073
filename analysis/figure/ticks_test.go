package figure

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

func labelled(ticks []plot.Tick) string {
	var out []string
	for _, t := range ticks {
		if !t.IsMinor() {
			out = append(out, t.Label)
		}
	}
	return strings.Join(out, " ")
}

func TestTicksAreOneTwoFive(t *testing.T) {
	for _, tc := range []struct {
		name   string
		a      axis
		length vg.Length
		want   string
	}{
		{"linear", axis{lo: 0, hi: 30, scale: Linear}, 150, "0 5 10 15 20 25 30"},
		{"linear, short", axis{lo: 0, hi: 30, scale: Linear}, 70, "0 10 20 30"},
		{"thousands", axis{lo: 0, hi: 42000, scale: Linear}, 150, "0 10,000 20,000 30,000 40,000"},
		{"decimals", axis{lo: 0, hi: 0.6, scale: Linear}, 70, "0 0.2 0.4 0.6"},
		{"negative", axis{lo: -2, hi: 2, scale: Linear}, 100, "-2 -1 0 1 2"},
		{"tiny", axis{lo: 0, hi: 3e-9, scale: Linear}, 100, "0 1e-9 2e-9 3e-9"},
		{"huge", axis{lo: 0, hi: 3e9, scale: Linear}, 100, "0 1e9 2e9 3e9"},
		{"log, two decades", axis{lo: 0.9, hi: 110, scale: Log}, 150, "1 2 5 10 20 50 100"},
		{"log, four decades", axis{lo: 0.9, hi: 11000, scale: Log}, 90, "1 10 100 1,000 10,000"},
		{"log, within a decade", axis{lo: 3, hi: 3.6, scale: Log}, 150, "3.0 3.1 3.2 3.3 3.4 3.5 3.6"},
		{"log, between decades", axis{lo: 12, hi: 48, scale: Log}, 150, "20 30 40"},
		{"log, thirty decades", axis{lo: 1e-15, hi: 1e15, scale: Log}, 150, "1e-15 1e-10 1e-5 1 100,000 1e10 1e15"},
		{"clients", axis{lo: 0.9, hi: 36, scale: Log, doubling: true}, 150, "1 2 4 8 16 32"},
		{"one client", axis{lo: 0.5, hi: 2, scale: Log, doubling: true}, 150, "1 2"},
		{"many clients", axis{lo: 0.8, hi: 5000, scale: Log, doubling: true}, 130, "1 4 16 64 256 1,024 4,096"},
		{"ratio", axis{lo: 1 / 1.45, hi: 1.45, scale: Log, aroundOne: true}, 47, "0.8 1.0 1.2"},
		{"wide ratio", axis{lo: 1 / 2.5, hi: 2.5, scale: Log, aroundOne: true}, 47, "0.5 1 2"},
	} {
		if got := labelled(tc.a.ticks(tc.length, func(string) vg.Length { return 6 })); got != tc.want {
			t.Errorf("%s: labels %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestTicksHoldForAnyRange(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	hand := body(inkDark)
	for range 3000 {
		a := axis{scale: []Scale{Linear, Log}[r.IntN(2)]}
		switch a.scale {
		case Log:
			a.lo = math.Pow(10, 20*r.NormFloat64())
			a.hi = a.lo * (1.0002 + math.Abs(math.Pow(10, 4*r.NormFloat64())))
		default:
			a.hi = math.Pow(10, 20*r.NormFloat64())
			a.lo = -a.hi * float64(r.IntN(2)) * r.Float64()
		}
		length := vg.Length(40 + 400*r.Float64())
		ticks := a.ticks(length, hand.width)
		n := labels(ticks)
		if n == 0 || n > mostLabels {
			t.Fatalf("%v to %v (%s): %d labels", a.lo, a.hi, a.scale, n)
		}
		var seen []string
		for _, tick := range ticks {
			if tick.Value < a.lo-1e-6*(a.hi-a.lo) || tick.Value > a.hi*(1+1e-6) {
				t.Fatalf("tick %v outside %v to %v", tick.Value, a.lo, a.hi)
			}
			if tick.IsMinor() {
				continue
			}
			if slices.Contains(seen, tick.Label) {
				t.Fatalf("%v to %v (%s): label %q twice", a.lo, a.hi, a.scale, tick.Label)
			}
			seen = append(seen, tick.Label)
		}
	}
}

func TestRatioAxisAlwaysLabelsOne(t *testing.T) {
	for reach := 1.0001; reach < 1e6; reach *= 1.07 {
		a := axis{lo: 1 / reach, hi: reach, scale: Log, aroundOne: true}
		got := strings.Fields(labelled(a.ticks(47, func(string) vg.Length { return 6 })))
		if !slices.ContainsFunc(got, func(s string) bool { return strings.TrimRight(s, "0") == "1." || s == "1" }) {
			t.Fatalf("ratio axis %v to %v is labelled %v, without 1", a.lo, a.hi, got)
		}
	}
}

func TestLogScaleNeverPanics(t *testing.T) {
	for _, v := range []float64{0, -1, math.Inf(-1), math.NaN()} {
		if got := (logScale{}).Normalize(1, 10, v); got != -1 {
			t.Errorf("Normalize(%v) = %v, want -1, below the axis", v, got)
		}
	}
	if got := (logScale{}).Normalize(1, 100, 10); math.Abs(got-0.5) > 1e-12 {
		t.Errorf("10 lies at %v of 1 to 100, want 0.5", got)
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1.125: "1.12", 247.6: "248", 42424: "42,424", 8: "8", 0.08: "0.08", 12.34: "12.3", 10: "10", 3e9: "3e9", 9.999: "10",
	} {
		if got := short(v); got != want {
			t.Errorf("short(%v) = %q, want %q", v, got, want)
		}
	}
}
