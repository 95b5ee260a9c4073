package law_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"queuelab/measure/law"
)

// moments are derived by hand: erlang 1/K, uniform (b-a)²/(3(a+b)²), Pareto
// 1/(α(α-2)); the others state their SCV.
func TestMoments(t *testing.T) {
	tests := []struct {
		text      string
		mean, scv float64
	}{
		{"5ms", 0.005, 0},
		{"det:5ms", 0.005, 0},
		{"det:0s", 0, 0},
		{"exp:5ms", 0.005, 1},
		{"hyper:10ms,4", 0.010, 4},
		{"hyper:10ms,1", 0.010, 1},
		{"lognormal:1s,0.5", 1, 0.5},
		{"gamma:2us,3", 2e-6, 3},
		{"weibull:1m,5", 60, 5},
		{"erlang:4ms,4", 0.004, 0.25},
		{"erlang:4ms,1", 0.004, 1},
		{"pareto:3ms,3", 0.003, 1.0 / 3},
		{"pareto:3ms,2.5", 0.003, 0.8},
		{"pareto:3ms,2", 0.003, math.Inf(1)},
		{"pareto:3ms,1.5", 0.003, math.Inf(1)},
		{"uniform:0s,2ms", 0.001, 1.0 / 3},
		{"uniform:1ms,3ms", 0.002, 1.0 / 12},
	}
	for _, tt := range tests {
		l, err := law.Parse(tt.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.text, err)
			continue
		}
		if !near(l.Mean(), tt.mean, 1e-12) || !near(l.SCV(), tt.scv, 1e-12) {
			t.Errorf("Parse(%q) has mean %v and SCV %v, want %v and %v", tt.text, l.Mean(), l.SCV(), tt.mean, tt.scv)
		}
	}
}

// A bare duration is deterministic, and every law is spelled so that reading
// it gives the same law again.
func TestStringRoundTrips(t *testing.T) {
	tests := []struct{ text, canonical string }{
		{"5ms", "det:5ms"},
		{"0s", "det:0s"},
		{"exp:1500us", "exp:1.5ms"},
		{"hyper:5ms,4", "hyper:5ms,4"},
		{"lognormal:5ms,0.25", "lognormal:5ms,0.25"},
		{"gamma:5ms,1e-3", "gamma:5ms,0.001"},
		{"weibull:1h,2.0", "weibull:1h0m0s,2"},
		{"erlang:7ms,3", "erlang:7ms,3"},
		{"pareto:5ms,2.10", "pareto:5ms,2.1"},
		{"uniform:1ns,3ns", "uniform:1ns,3ns"},
	}
	for _, tt := range tests {
		l, err := law.Parse(tt.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.text, err)
			continue
		}
		if l.String() != tt.canonical {
			t.Errorf("Parse(%q).String() = %q, want %q", tt.text, l, tt.canonical)
		}
		again, err := law.Parse(l.String())
		if err != nil || again.String() != l.String() || again.Mean() != l.Mean() || again.SCV() != l.SCV() {
			t.Errorf("%q reads again as %v, %v", l, again, err)
		}
	}
}

// A spelled mean keeps its nanoseconds, whatever binary fraction of a second
// it is.
func TestSpelledNanoseconds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		want := time.Duration(r.Int64N(int64(24 * time.Hour)))
		l := law.NewDeterministic(want.Seconds())
		if got := strings.TrimPrefix(l.String(), "det:"); got != want.String() {
			t.Fatalf("the law of %s is spelled %s", want, got)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct{ text, says string }{
		{"", "not a duration"},
		{"5", "not a duration"},
		{"normal:5ms,1", "is not a law: use det:5ms"},
		{"exp", "not a duration"}, // the deterministic law of "exp"
		{"exp:", "not a duration"},
		{"exp:5ms,1", "2 arguments where exp:MEAN belongs"},
		{"exp:0s", "not above zero"},
		{"exp:-5ms", "not above zero"},
		{"det:-1ns", "below zero"},
		{"hyper:5ms", "1 arguments where hyper:MEAN,SCV belongs"},
		{"hyper:5ms,0.5", "at least 1"},
		{"hyper:5ms,NaN", "not a number above zero"},
		{"lognormal:5ms,0", "not a number above zero"},
		{"gamma:5ms,-1", "not a number above zero"},
		{"gamma:5ms,1e-320", "not a number above zero"},
		{"gamma:5ms,inf", "not a number above zero"},
		{"weibull:5ms,1e5", "from 0.0001 to 10000"},
		{"erlang:5ms,0", "1 to 1000 stages"},
		{"erlang:5ms,1001", "1 to 1000 stages"},
		{"erlang:5ms,1.5", "whole number"},
		{"pareto:5ms,1", "ALPHA above 1"},
		{"uniform:2ms,1ms", "0 <= LO < HI"},
		{"uniform:1ms,1ms", "0 <= LO < HI"},
		{"uniform:-1ms,1ms", "0 <= LO < HI"},
		{"uniform:0,x", "not a duration"},
		{"exp:3000h", "longer than"},
		{"det:2562047h", "longer than"},
		{"uniform:0s,2562047h", "longer than"},
		{"file:", "is not a run folder"},
		{"file:/no/such/run", "is not a run folder"},
	}
	for _, tt := range tests {
		_, err := law.Parse(tt.text)
		if err == nil {
			t.Errorf("Parse(%q) accepted it", tt.text)
		} else if !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("Parse(%q) says %q, want one line with %q", tt.text, err, tt.says)
		}
	}
}

// near compares relatively; infinities are equal to themselves.
func near(got, want, tolerance float64) bool {
	return got == want || math.Abs(got-want) <= tolerance*math.Abs(want)
}

// FuzzParse asserts that an accepted law has a finite mean, draws times that
// are not negative, and is spelled so that it reads again as itself. Its seeds are in testdata/fuzz.
func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(text, "file:") {
			return // names a folder of this machine
		}
		l, err := law.Parse(text)
		if err != nil {
			return
		}
		if m := l.Mean(); !(m >= 0) || math.IsInf(m, 0) || !(l.SCV() >= 0) {
			t.Fatalf("Parse(%q) has mean %v and SCV %v", text, m, l.SCV())
		}
		r := rand.New(rand.NewPCG(1, 2))
		for range 20 {
			if x := l.Draw(r); !(x >= 0) || math.IsInf(x, 0) {
				t.Fatalf("Parse(%q) drew %v", text, x)
			}
		}
		again, err := law.Parse(l.String())
		if err != nil || again.String() != l.String() || again.Mean() != l.Mean() {
			t.Fatalf("Parse(%q) is spelled %q, which reads as %v, %v", text, l, again, err)
		}
	})
}
