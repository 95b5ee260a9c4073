package theory_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"

	"queuelab/sim/theory"
)

var someQuantiles = []float64{0.1, 0.5, 0.9, 0.99, 0.9999}

// sameModel asserts that two models give the same figures.
func sameModel(t *testing.T, a, b theory.Model, tolerance float64, quantiles bool) {
	t.Helper()
	figures := []string{"wait", "latency", "in system", "throughput", "utilisation"}
	for _, f := range figures {
		if x, y := figure(t, a, f, 0), figure(t, b, f, 0); !close(x, y, tolerance) {
			t.Errorf("%s: %v has %v, %v has %v", f, a, x, b, y)
		}
	}
	if !quantiles {
		return
	}
	for _, q := range someQuantiles {
		for _, f := range []string{"wait quantile", "latency quantile"} {
			if x, y := figure(t, a, f, q), figure(t, b, f, q); !close(x, y, tolerance) {
				t.Errorf("%s %v: %v has %v, %v has %v", f, q, a, x, b, y)
			}
		}
	}
}

func TestLimits(t *testing.T) {
	t.Run("M/G/1 with SCV 1 is M/M/1", func(t *testing.T) {
		p := theory.Params{Rate: 70, Mean: 0.01}
		g := p
		g.SCV, g.ThirdMoment = 1, 6e-6
		a, b := build(t, "M/G/1", g), build(t, "M/M/1", p)
		sameModel(t, a, b, 1e-12, false)
		// E[Wq²] of M/M/1 is ρ·2W².
		if got, want := figure(t, a, "wait second moment", 0), 0.7*2*math.Pow(0.01/0.3, 2); !close(got, want, 1e-12) {
			t.Errorf("E[Wq²] = %v, want %v", got, want)
		}
	})
	t.Run("M/E1/1 is M/M/1", func(t *testing.T) {
		p := theory.Params{Rate: 70, Mean: 0.01}
		sameModel(t, build(t, "M/E1/1", p), build(t, "M/M/1", p), 1e-12, false)
	})
	t.Run("M/Ek/1 tends to M/D/1", func(t *testing.T) {
		p := theory.Params{Rate: 70, Mean: 0.01}
		sameModel(t, build(t, "M/E1000000/1", p), build(t, "M/D/1", p), 1e-5, false)
	})
	t.Run("M/H2/1 with SCV close to 1 is M/M/1", func(t *testing.T) {
		p := theory.Params{Rate: 70, Mean: 0.01}
		h := p
		h.SCV = 1 + 1e-9
		a := build(t, "M/H2/1", h)
		sameModel(t, a, build(t, "M/M/1", p), 1e-8, false)
		if got, want := figure(t, a, "wait second moment", 0), 0.7*2*math.Pow(0.01/0.3, 2); !close(got, want, 1e-4) {
			t.Errorf("E[Wq²] = %v, want %v", got, want)
		}
	})
	t.Run("many servers never make anyone wait", func(t *testing.T) {
		m := build(t, "M/M/500", theory.Params{Rate: 100, Mean: 1})
		if wait := figure(t, m, "wait", 0); !(wait < 1e-100) {
			t.Errorf("mean wait %v", wait)
		}
		for _, q := range someQuantiles {
			if got, want := figure(t, m, "latency quantile", q), -math.Log1p(-q); !close(got, want, 1e-12) {
				t.Errorf("latency quantile %v = %v, want the service time's %v", q, got, want)
			}
		}
	})
	t.Run("M/M/c has no seam where (c-1)μ = λ", func(t *testing.T) {
		at := build(t, "M/M/3", theory.Params{Rate: 2, Mean: 1})
		sameModel(t, build(t, "M/M/3", theory.Params{Rate: 2 - 1e-9, Mean: 1}), at, 1e-7, true)
		sameModel(t, build(t, "M/M/3", theory.Params{Rate: 2 + 1e-9, Mean: 1}), at, 1e-7, true)
	})
	t.Run("closed with a server for everyone", func(t *testing.T) {
		m := build(t, "M/M/10//10", theory.Params{Mean: 0.5, Think: 2})
		if x := m.Throughput(); !close(x, 10/2.5, 1e-12) {
			t.Errorf("throughput %v, want N/(S+Z) = 4", x)
		}
		if got, want := figure(t, m, "latency quantile", 0.99), 0.5*math.Log(100); !close(got, want, 1e-12) {
			t.Errorf("p99 %v, want %v", got, want)
		}
	})
	t.Run("many clients that think long are Poisson arrivals", func(t *testing.T) {
		// 100,000 clients ask 0.8 times a second in all.
		closed := build(t, "M/M/1//100000", theory.Params{Mean: 1, Think: 100000/0.8 - 5})
		sameModel(t, closed, build(t, "M/M/1", theory.Params{Rate: 0.8, Mean: 1}), 2e-3, true)
	})
	t.Run("thought that vanishes is no thought", func(t *testing.T) {
		short := build(t, "M/M/2//7", theory.Params{Mean: 1, Think: 1e-9})
		none := build(t, "M/M/2//7", theory.Params{Mean: 1})
		sameModel(t, short, none, 1e-7, true)
	})
	t.Run("saturated exponential is M/M/1//N without thought", func(t *testing.T) {
		// The letter of a think time that is always 0 does not matter.
		sameModel(t, build(t, "D/M/1//8", theory.Params{Mean: 0.25}), build(t, "M/M/1//8", theory.Params{Mean: 0.25}), 1e-12, true)
		sameModel(t, build(t, "D/M/1//1", theory.Params{Mean: 0.25}), build(t, "M/M/1//1", theory.Params{Mean: 0.25}), 1e-12, true)
	})
	t.Run("saturated deterministic is constant", func(t *testing.T) {
		m := build(t, "M/D/1//8", theory.Params{Mean: 0.25})
		for _, q := range someQuantiles {
			if got := figure(t, m, "latency quantile", q); got != 2 {
				t.Errorf("latency quantile %v = %v, want 8 services", q, got)
			}
		}
	})
}

// TestClosedAgainstConvolution computes the latency tail of M/M/c//N from the
// arrival theorem as it is written: n ahead mean n-c+1 departures at rate cμ,
// an Erlang law, and then a service.
func TestClosedAgainstConvolution(t *testing.T) {
	const mean, think = 0.5, 1.0
	for _, c := range []int{1, 2, 3, 5} {
		for _, clients := range []int{1, 2, 6, 12} {
			m := build(t, fmt.Sprintf("M/M/%d//%d", c, clients), theory.Params{Mean: mean, Think: think})
			for _, x := range []float64{0.05, 0.5, 1, 3, 6} {
				want := 0.0
				for n, p := range birthDeath(clients-1, c, mean, think) {
					want += p * erlangThenExp(n-c+1, float64(c)/mean, 1/mean, x)
				}
				if got := figure(t, m, "latency tail", x); !close(got, want, 1e-8) {
					t.Errorf("%v: P(W > %v) = %v, want %v", m, x, got, want)
				}
			}
		}
	}
}

// birthDeath gives the probabilities of 0..n in the station by products.
func birthDeath(n, c int, mean, think float64) []float64 {
	p := make([]float64, n+1)
	p[0] = 1
	total := 1.0
	for k := 1; k <= n; k++ {
		p[k] = p[k-1] * float64(n-k+1) / think * mean / float64(min(k, c))
		total += p[k]
	}
	for k := range p {
		p[k] /= total
	}
	return p
}

// erlangThenExp is P(E + X > t), E Erlang(stages, rate), X exponential(mu), by
// numerical integration.
func erlangThenExp(stages int, rate, mu, t float64) float64 {
	if stages <= 0 {
		return math.Exp(-mu * t)
	}
	k := float64(stages)
	logFactorial, _ := math.Lgamma(k)
	density := func(u float64) float64 {
		return math.Exp(k*math.Log(rate)+(k-1)*math.Log(u)-rate*u-logFactorial) * math.Exp(-mu*(t-u))
	}
	return mathext.GammaIncRegComp(k, rate*t) + quad.Fixed(density, 0, t, 200, nil, 0)
}

func TestBounds(t *testing.T) {
	// One station of 0.1 s, think time 0.9 s: the knee is at 10 clients.
	b, err := theory.NewBounds(0.9, theory.Demand{Seconds: 0.1, Servers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ got, want float64 }{
		{b.Knee(), 10}, {b.Capacity(), 10},
		{b.MaxThroughput(5), 5}, {b.MaxThroughput(10), 10}, {b.MaxThroughput(20), 10}, {b.MaxThroughput(-1), 0},
		{b.MinLatency(1), 0.1}, {b.MinLatency(10), 0.1}, {b.MinLatency(20), 1.1},
	} {
		if !close(tt.got, tt.want, 1e-12) {
			t.Errorf("got %v, want %v", tt.got, tt.want)
		}
	}
	// Jain's example: demands 2, 3 and 1 s, the second is the bottleneck.
	b, err = theory.NewBounds(4, theory.Demand{Seconds: 2, Servers: 1}, theory.Demand{Seconds: 3, Servers: 1}, theory.Demand{Seconds: 1, Servers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if x := b.MaxThroughput(20); !close(x, 1.0/3, 1e-12) || 0.333247 > x {
		t.Errorf("bound on X is %v, want 1/3, above the exact 0.333247", x)
	}
	// The exact closed models stay within the bounds, and reach them at both ends.
	for _, n := range []int{1, 2, 5, 10, 50, 400} {
		m := build(t, fmt.Sprintf("M/M/4//%d", n), theory.Params{Mean: 0.2, Think: 1})
		b, err := theory.NewBounds(1, theory.Demand{Seconds: 0.2, Servers: 4})
		if err != nil {
			t.Fatal(err)
		}
		const slack = 1 + 1e-12
		if x, r := m.Throughput(), figure(t, m, "latency", 0); x > b.MaxThroughput(n)*slack || r*slack < b.MinLatency(n) {
			t.Errorf("N=%d: X %v exceeds %v, or R %v is below %v", n, x, b.MaxThroughput(n), r, b.MinLatency(n))
		}
		if n == 1 || n == 400 {
			if x := m.Throughput(); !close(x, b.MaxThroughput(n), 1e-9) {
				t.Errorf("N=%d: X %v does not reach the bound %v", n, x, b.MaxThroughput(n))
			}
		}
	}
}

func TestBoundsRefuse(t *testing.T) {
	for _, tt := range []struct {
		think    float64
		stations []theory.Demand
	}{
		{0, nil},
		{-1, []theory.Demand{{Seconds: 1, Servers: 1}}},
		{math.NaN(), []theory.Demand{{Seconds: 1, Servers: 1}}},
		{0, []theory.Demand{{Seconds: 0, Servers: 1}}},
		{0, []theory.Demand{{Seconds: math.Inf(1), Servers: 1}}},
		{0, []theory.Demand{{Seconds: 1, Servers: 0}}},
	} {
		if b, err := theory.NewBounds(tt.think, tt.stations...); err == nil {
			t.Errorf("NewBounds(%v, %v) = %v, want an error", tt.think, tt.stations, b)
		}
	}
}
