package theory_test

import (
	"math"
	"testing"

	"queuelab/sim/kendall"
	"queuelab/sim/theory"
)

// build returns the closed form of a model that the test knows to have one.
func build(t *testing.T, model string, p theory.Params) theory.Model {
	t.Helper()
	m, err := kendall.Parse(model)
	if err != nil {
		t.Fatal(err)
	}
	q, err := theory.New(m, p)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// figure asks a model for one of its figures by name.
func figure(t *testing.T, m theory.Model, name string, q float64) float64 {
	t.Helper()
	var got float64
	var err error
	switch name {
	case "wait":
		got, err = m.MeanWait()
	case "latency":
		got, err = m.MeanLatency()
	case "wait quantile":
		got, err = m.WaitQuantile(q)
	case "latency quantile":
		got, err = m.LatencyQuantile(q)
	case "wait tail":
		got = m.(theory.Distribution).WaitTail(q)
	case "latency tail":
		got = m.(theory.Distribution).LatencyTail(q)
	case "in system":
		got = m.InSystem()
	case "throughput":
		got = m.Throughput()
	case "utilisation":
		got = m.Utilisation()
	case "wait second moment":
		got, err = m.(*theory.MG1).WaitSecondMoment()
	default:
		t.Fatalf("no figure %q", name)
	}
	if err != nil {
		t.Fatalf("%v: %s(%v): %v", m, name, q, err)
	}
	return got
}

// close says whether two numbers agree to a relative tolerance.
func close(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b))
}

// TestPublishedValues compares with values from the literature and from other
// tools, each to the digits that its source gives.
func TestPublishedValues(t *testing.T) {
	tests := []struct {
		source string
		model  string
		params theory.Params
		figure string
		q      float64 // quantile or time
		want   float64
		digits float64 // half a unit in the last digit given
	}{
		{"textbook", "M/M/1", theory.Params{Rate: 0.5, Mean: 1}, "latency", 0, 2, 1e-12},
		{"textbook", "M/M/1", theory.Params{Rate: 0.8, Mean: 1}, "wait", 0, 4, 1e-12},
		{"textbook", "M/M/1", theory.Params{Rate: 0.8, Mean: 1}, "in system", 0, 4, 1e-12},

		{"Franx 2001", "M/D/1", theory.Params{Rate: 0.5, Mean: 1}, "wait quantile", 0.5, 0, 0},
		{"Franx 2001", "M/D/1", theory.Params{Rate: 0.5, Mean: 1}, "wait quantile", 0.9, 1.515745, 5e-7},
		{"Franx 2001", "M/D/1", theory.Params{Rate: 0.5, Mean: 1}, "wait quantile", 0.99, 3.336256, 5e-7},
		{"Franx 2001", "M/D/1", theory.Params{Rate: 0.5, Mean: 1}, "wait quantile", 0.999, 5.168385, 5e-7},
		{"Franx 2001", "M/D/1", theory.Params{Rate: 0.8, Mean: 1}, "wait quantile", 0.5, 1.275940, 5e-7},
		{"Franx 2001", "M/D/1", theory.Params{Rate: 0.8, Mean: 1}, "wait quantile", 0.9, 5.011511, 5e-7},
		{"Franx 2001", "M/D/1", theory.Params{Rate: 0.8, Mean: 1}, "wait quantile", 0.99, 10.355887, 5e-7},
		{"Franx 2001", "M/D/1", theory.Params{Rate: 0.8, Mean: 1}, "wait quantile", 0.999, 15.700268, 5e-7},

		// Octave's queueing package, qsmmm(9, 5, 2).
		{"Octave queueing", "M/M/2", theory.Params{Rate: 9, Mean: 0.2}, "in system", 0, 9.4737, 5e-5},
		{"Octave queueing", "M/M/2", theory.Params{Rate: 9, Mean: 0.2}, "latency", 0, 1.0526, 5e-5},
		{"convolution", "M/M/2", theory.Params{Rate: 9, Mean: 0.2}, "latency quantile", 0.5, 0.7538319, 5e-8},
		{"convolution", "M/M/2", theory.Params{Rate: 9, Mean: 0.2}, "latency quantile", 0.99, 4.6688860, 5e-8},

		// Z is such that the utilisation is 0.8.
		{"arrival theorem", "M/M/1//10", theory.Params{Mean: 0.1, Think: 0.9684968}, "utilisation", 0, 0.8, 5e-8},
		{"arrival theorem", "M/M/1//10", theory.Params{Mean: 0.1, Think: 0.9684968}, "latency", 0, 0.2815032, 5e-8},
		{"arrival theorem", "M/M/1//10", theory.Params{Mean: 0.1, Think: 0.9684968}, "latency quantile", 0.5, 0.2240605, 5e-8},
		{"arrival theorem", "M/M/1//10", theory.Params{Mean: 0.1, Think: 0.9684968}, "latency quantile", 0.99, 1.0320650, 5e-8},
		{"birth–death", "M/M/3//10", theory.Params{Mean: 0.5, Think: 1}, "throughput", 0, 5.5066, 5e-5},
		{"birth–death", "M/M/3//10", theory.Params{Mean: 0.5, Think: 1}, "latency", 0, 0.8160, 5e-5},
		{"arrival theorem", "M/M/3//10", theory.Params{Mean: 0.5, Think: 1}, "latency tail", 1, 1 - 0.690768, 5e-7},

		// Eight clients that never think: the sum of eight services.
		{"Erlang(8)", "M/M/1//8", theory.Params{Mean: 1}, "latency", 0, 8, 1e-12},
		{"Erlang(8)", "M/M/1//8", theory.Params{Mean: 1}, "latency quantile", 0.99, 16.00, 5e-3},

		// Hyperexponential with balanced means: Wq = ρ(1+SCV)/(2(1-ρ))·S.
		{"Pollaczek–Khinchine", "M/H2/1", theory.Params{Rate: 0.8, Mean: 1, SCV: 4}, "wait", 0, 10, 1e-12},
		{"Pollaczek–Khinchine", "M/E2/1", theory.Params{Rate: 0.8, Mean: 1}, "wait", 0, 3, 1e-12},
		{"Pollaczek–Khinchine", "M/G/1", theory.Params{Rate: 0.5, Mean: 1, SCV: 1.0 / 3, ThirdMoment: 2}, "wait", 0, 2.0 / 3, 1e-12}, // uniform on 0..2
		{"Takács", "M/G/1", theory.Params{Rate: 0.5, Mean: 1, SCV: 1.0 / 3, ThirdMoment: 2}, "wait second moment", 0, 2*4.0/9 + 2.0/3, 1e-12},
	}
	for _, tt := range tests {
		m := build(t, tt.model, tt.params)
		if got := figure(t, m, tt.figure, tt.q); !(math.Abs(got-tt.want) <= tt.digits) {
			t.Errorf("%s %+v: %s(%v) = %v, want %v ± %v (%s)", tt.model, tt.params, tt.figure, tt.q, got, tt.want, tt.digits, tt.source)
		}
	}
}

// TestLargeModels asks for what overflows factorials and alternating sums.
func TestLargeModels(t *testing.T) {
	// Two hundred servers, ten of them idle on average.
	m := build(t, "M/M/200", theory.Params{Rate: 190, Mean: 1})
	if got := figure(t, m, "wait", 0) * 10; !close(got, erlangCLog(200, 190), 1e-9) {
		t.Errorf("M/M/200 at 190: Erlang C = %v, want %v", got, erlangCLog(200, 190))
	}
	// M/D/1 far out: the tail is exponential there, so one more nine is
	// always the same step ln(10)/θ, with ρe^θ = ρ+θ.
	for _, rho := range []float64{0.8, 0.95, 0.999} {
		m := build(t, "M/D/1", theory.Params{Rate: rho, Mean: 1})
		three := figure(t, m, "wait quantile", 0.999)
		four := figure(t, m, "wait quantile", 0.9999)
		theta := math.Ln10 / (four - three)
		if left, right := rho*math.Exp(theta), rho+theta; !close(left, right, 1e-8) {
			t.Errorf("M/D/1 at %v: p99.9 %v, p99.99 %v: ρe^θ = %v, ρ+θ = %v", rho, three, four, left, right)
		}
	}
	// A thousand clients, of which the server keeps up with some fifty.
	m = build(t, "M/M/5//1000", theory.Params{Mean: 0.1, Think: 10})
	if x := m.Throughput(); !close(x, 50, 1e-9) {
		t.Errorf("M/M/5//1000: throughput %v, want the capacity 50", x)
	}
	if r := figure(t, m, "latency", 0); !close(r, 1000/m.Throughput()-10, 1e-9) {
		t.Errorf("M/M/5//1000: latency %v, want N/X-Z = %v", r, 1000/m.Throughput()-10)
	}
}

// erlangCLog is Erlang C by its definition, with logarithms for the factorials.
func erlangCLog(c int, a float64) float64 {
	term := func(k int) float64 {
		g, _ := math.Lgamma(float64(k + 1))
		return math.Exp(float64(k)*math.Log(a) - g - a)
	}
	last := term(c) * float64(c) / (float64(c) - a)
	sum := last
	for k := range c {
		sum += term(k)
	}
	return last / sum
}
