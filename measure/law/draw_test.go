package law_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"queuelab/measure/law"
)

// draws is large enough that a wrong scale, shape or branch probability lies
// far outside the bounds below.
const draws = 400_000

func sample(t *testing.T, text string) (law.Law, []float64) {
	t.Helper()
	l, err := law.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(20060702, 7))
	values := make([]float64, draws)
	for i := range values {
		values[i] = l.Draw(r)
	}
	return l, values
}

// The sample mean lies within five standard errors of Mean(), the sample SCV
// within a tolerance that follows from each law's fourth moment.
func TestDrawsHaveTheMoments(t *testing.T) {
	tests := []struct {
		text      string
		tolerance float64 // of the SCV, relative
	}{
		{"exp:5ms", 0.03},
		{"hyper:5ms,4", 0.06},
		{"hyper:5ms,1", 0.03},
		{"lognormal:5ms,0.5", 0.05},
		{"lognormal:5ms,2", 0.25},
		{"gamma:5ms,3", 0.06},
		{"gamma:5ms,0.2", 0.02},
		{"weibull:5ms,5", 0.20},
		{"weibull:5ms,0.1", 0.02},
		{"erlang:5ms,4", 0.02},
		{"pareto:5ms,6", 0.15},
		{"uniform:1ms,9ms", 0.01},
	}
	for _, tt := range tests {
		l, values := sample(t, tt.text)
		mean, variance := stat.MeanVariance(values, nil)
		if bound := 5 * math.Sqrt(l.SCV()/draws); !near(mean, l.Mean(), bound) {
			t.Errorf("%s: the mean of %d draws is %v, want %v within %.2g", l, draws, mean, l.Mean(), bound)
		}
		if scv := variance / (mean * mean); !near(scv, l.SCV(), tt.tolerance) {
			t.Errorf("%s: the SCV of %d draws is %v, want %v within %.2g", l, draws, scv, l.SCV(), tt.tolerance)
		}
	}
}

// The share of draws below a point is what the law's distribution function
// gives there, so a law with the right moments and the wrong shape fails.
func TestDrawsHaveTheShape(t *testing.T) {
	p := (1 + math.Sqrt(3.0/5)) / 2
	tests := []struct {
		text  string
		at    float64 // in seconds
		below float64
	}{
		{"exp:1s", 1, 1 - 1/math.E},
		{"hyper:1s,4", 1, 1 - p*math.Exp(-2*p) - (1-p)*math.Exp(-2*(1-p))}, // branches of mean 1/(2p), 1/(2(1-p))
		{"lognormal:1s,3", 0.5, 0.5},                                       // the median is mean/√(1+scv)
		{"gamma:1s,0.5", 1, 1 - 3*math.Exp(-2)},                            // two exponential stages of mean 1/2
		{"weibull:1s,5", 0.5, 1 - 1/math.E},                                // shape 1/2: the scale is mean/Γ(3)
		{"weibull:1s,1", 1, 1 - 1/math.E},                                  // shape 1: exponential
		{"erlang:1s,4", 1, 1 - math.Exp(-4)*(1+4+8+64.0/6)},
		{"pareto:3s,3", 4, 0.875}, // the least value is 2, P(X > 4) = (2/4)³
		{"uniform:1s,5s", 2, 0.25},
	}
	for _, tt := range tests {
		l, values := sample(t, tt.text)
		n := 0
		for _, v := range values {
			if v <= tt.at {
				n++
			}
		}
		got := float64(n) / draws
		if bound := 5 * math.Sqrt(tt.below*(1-tt.below)/draws); math.Abs(got-tt.below) > bound {
			t.Errorf("%s: %v of the draws are at most %v s, want %v within %.2g", l, got, tt.at, tt.below, bound)
		}
	}
}

func TestSameSeedSameDraws(t *testing.T) {
	for _, text := range []string{"exp:5ms", "gamma:5ms,3", "hyper:5ms,4", "weibull:5ms,2", "pareto:5ms,3"} {
		_, first := sample(t, text)
		_, second := sample(t, text)
		for i := range first {
			if first[i] != second[i] {
				t.Fatalf("%s: draw %d is %v and then %v under the same seed", text, i, first[i], second[i])
			}
		}
	}
}

func TestBranchesAreBalanced(t *testing.T) {
	l, err := law.NewHyperexponential(2, 4)
	if err != nil {
		t.Fatal(err)
	}
	p, mean1, mean2 := l.Branches()
	if !near(p, 0.8872983346207417, 1e-12) || !near(p*mean1, 1, 1e-12) || !near((1-p)*mean2, 1, 1e-12) {
		t.Errorf("the branches are %v of mean %v and %v of mean %v, want each to carry half of the mean 2", p, mean1, 1-p, mean2)
	}
	if second := 2 * (p*mean1*mean1 + (1-p)*mean2*mean2); !near(second, 4*(1+4), 1e-12) {
		t.Errorf("the second moment is %v, want mean²(1+scv) = 20", second)
	}
}
