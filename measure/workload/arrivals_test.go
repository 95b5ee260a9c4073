package workload_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

	"queuelab/measure/workload"
)

func TestParseArrivals(t *testing.T) {
	for text, says := range map[string]string{ // says: an error's words; empty: possible
		"poisson": "", "even": "", "gamma:4": "", "gamma:0.25": "", "gamma:1e-06": "", "gamma:1000": "", "hyper:1": "", "hyper:4": "",
		"": "not an arrival law", "bursty": "not an arrival law", "Poisson": "not an arrival law",
		"poisson:": "not an arrival law", "even:1": "not an arrival law", "gamma": "not an arrival law", "trace": "not an arrival law",
		"gamma:": "above zero", "gamma:0": "above zero", "gamma:-4": "above zero", "gamma:NaN": "above zero",
		"gamma:Inf": "above zero", "gamma:1001": "from 1e-06 to 1000", "gamma:4,5": "above zero", "gamma: 4": "above zero",
		"hyper:0.99": "use gamma:0.99", "hyper:0": "above zero",
		"trace:": "no such file", "trace:/nowhere": "/nowhere", "gaps:/dev": "no regular file", "gaps:/dev/null": "no regular file",
	} {
		a, err := workload.ParseArrivals(text)
		switch {
		case says == "" && (err != nil || a.String() != text || a.Recorded()):
			t.Errorf("%q is read as %q, %v", text, a, err)
		case says != "" && (err == nil || !strings.Contains(err.Error(), says)):
			t.Errorf("%q: the error is %v, want %q in it", text, err, says)
		}
	}
	if p, err := workload.ParseArrivals("poisson"); err != nil || p != workload.Poisson || p != (workload.Arrivals{}) {
		t.Errorf("poisson is %+v, %v, want the zero value", p, err)
	}
	if e, err := workload.ParseArrivals("even"); err != nil || e != workload.Even {
		t.Errorf("even is %+v, %v", e, err)
	}
}

func parsed(t *testing.T, text string) workload.Arrivals {
	t.Helper()
	a, err := workload.ParseArrivals(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Gaps have the mean 1/rate and the SCV that was asked for, and successive ones are
// uncorrelated, each within five standard deviations; that of a sample's SCV is below
// SCV·(1+4·SCV)/√n for the laws here.
func TestGapsOfAnArrivalLaw(t *testing.T) {
	const n, rate = 200_000, 250
	for text, scv := range map[string]float64{"gamma:0.25": 0.25, "gamma:1": 1, "gamma:4": 4, "hyper:1": 1, "hyper:4": 4, "hyper:10": 10} {
		w := workload.Workload{Open: true, Rate: rate, Arrivals: parsed(t, text), Requests: n + 1, Seed: 11}
		due := instants(w, n+1)
		gaps := make([]float64, n)
		for i := range gaps {
			gaps[i] = float64(due[i+1]-due[i]) / 1e9
		}
		mean, variance := stat.MeanVariance(gaps, nil)
		if math.Abs(mean*rate-1) > 5*math.Sqrt(scv/n) {
			t.Errorf("%s: the mean gap at %d/s is %v s", text, rate, mean)
		}
		if got := variance / (mean * mean); math.Abs(got-scv) > 5*scv*(1+4*scv)/math.Sqrt(n) {
			t.Errorf("%s: the SCV of the gaps is %v", text, got)
		}
		if r := stat.Correlation(gaps[1:], gaps[:n-1], nil); math.Abs(r) > 5/math.Sqrt(n) {
			t.Errorf("%s: successive gaps have the correlation %v, want 0", text, r)
		}
		if l := w.Gaps(); math.Abs(l.Mean()*rate-1) > 1e-12 || math.Abs(l.SCV()-scv) > 1e-12 {
			t.Errorf("%s: the law of the gaps has the mean %v and the SCV %v", text, l.Mean(), l.SCV())
		}
	}
}

// Every law of gaps begins at 0, and the same seed gives the same instants.
func TestArrivalLawsAreSeeded(t *testing.T) {
	for _, text := range []string{"gamma:4", "hyper:4"} {
		w := workload.Workload{Open: true, Rate: 100, Arrivals: parsed(t, text), Requests: 100, Seed: 1}
		a, b := instants(w, 100), instants(w, 100)
		w.Seed++
		c := instants(w, 100)
		same := 0
		for i := range a {
			if a[i] != b[i] {
				t.Fatalf("%s: request %d is due at %v and at %v under the same seed", text, i, a[i], b[i])
			}
			if a[i] == c[i] {
				same++
			}
		}
		if a[0] != 0 || same > 50 {
			t.Errorf("%s: the first of them is due at %v, and %d are due at the same time under another seed", text, a[0], same)
		}
	}
}

func FuzzParseArrivals(f *testing.F) {
	for _, text := range []string{"poisson", "even", "gamma:4", "hyper:1.5", "gamma:1000", "hyper:0", "trace:", "gaps:/dev/null", "gamma:0x1p3", ":"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := workload.ParseArrivals(text)
		if err != nil || a.Recorded() {
			return
		}
		if again, err := workload.ParseArrivals(a.String()); err != nil || again != a {
			t.Fatalf("%q is written as %q, which reads as %+v, %v", text, a, again, err)
		}
		w := workload.Workload{Open: true, Rate: 1000, Arrivals: a, Length: time.Second, Seed: 1}
		last := time.Duration(0)
		for _, due := range instants(w, 20) {
			if due < last || due >= w.Length {
				t.Fatalf("%q: a request is due at %v, after one at %v", text, due, last)
			}
			last = due
		}
	})
}
