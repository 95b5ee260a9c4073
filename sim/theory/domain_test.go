package theory_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"queuelab/sim/kendall"
	"queuelab/sim/theory"
)

// logUniform draws a number of any order of magnitude.
func logUniform(r *rand.Rand, lo, hi float64) float64 {
	return lo * math.Pow(hi/lo, r.Float64())
}

// anyModel draws a model with numbers from the whole of their domain.
func anyModel(r *rand.Rand) (string, theory.Params) {
	p := theory.Params{Mean: logUniform(r, 1e-12, 1e12)}
	c := 1 + int(logUniform(r, 1, 300))
	closed := fmt.Sprintf("//%d", 1+int(logUniform(r, 1, 2000)))
	if r.IntN(2) == 0 {
		p.Think = logUniform(r, 1e-12, 1e12)
	}
	switch r.IntN(4) {
	case 0:
		return fmt.Sprintf("M/M/%d", c) + closed, p
	case 1:
		p.Think = 0
		return []string{"M/D/1", "D/E7/1", "M/M/1"}[r.IntN(3)] + closed, p
	case 2:
		p.Think, p.Rate = 0, openRate(r, float64(c), p.Mean)
		return fmt.Sprintf("M/M/%d", c), p
	}
	p.Think, p.Rate = 0, openRate(r, 1, p.Mean)
	model := []string{"M/M/1", "M/D/1", "M/E3/1", "M/H2/1", "M/G/1"}[r.IntN(5)]
	switch model {
	case "M/H2/1":
		p.SCV = 1 + logUniform(r, 1e-9, kendall.MaxSCV-1)
	case "M/G/1":
		p.SCV = logUniform(r, 1e-9, kendall.MaxSCV)
	}
	return model, p
}

// openRate draws a rate that is idle, ordinary or a hair below capacity.
func openRate(r *rand.Rand, servers, mean float64) float64 {
	idle := logUniform(r, 1e-9, 1)
	rho := []float64{r.Float64(), idle, 1 - idle}[r.IntN(3)]
	return min(max(rho*servers/mean, 1e-12), 1e12)
}

// TestDomain asserts, over the whole declared domain, that no figure is
// negative, infinite or NaN, that Little's law and the balance of the means
// hold, and that quantiles rise and agree with their own distribution.
func TestDomain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	built := 0
	for range 500 {
		text, p := anyModel(r)
		k, err := kendall.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		m, err := theory.New(k, p)
		if errors.Is(err, theory.ErrUnstable) {
			continue // the rate was clamped to its limit, or rounded up to capacity
		}
		if err != nil {
			t.Fatalf("%s %+v: %v", text, p, err)
		}
		built++
		checkFigures(t, m, p)
		checkQuantiles(t, m)
		if t.Failed() {
			t.Fatalf("the model was %s %+v", text, p)
		}
	}
	if built < 350 {
		t.Errorf("only %d of 500 models were stable", built)
	}
}

func sane(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }

func checkFigures(t *testing.T, m theory.Model, p theory.Params) {
	t.Helper()
	wait, latency := figure(t, m, "wait", 0), figure(t, m, "latency", 0)
	for name, x := range map[string]float64{"wait": wait, "latency": latency, "in system": m.InSystem(), "throughput": m.Throughput(), "utilisation": m.Utilisation(), "loss": m.Loss()} {
		if !sane(x) {
			t.Errorf("%s is %v", name, x)
		}
	}
	if !(m.Utilisation() <= 1+1e-12) || !(m.Loss() <= 1) {
		t.Errorf("utilisation %v, loss %v", m.Utilisation(), m.Loss())
	}
	if !close(latency, wait+p.Mean, 1e-12) {
		t.Errorf("latency %v is not wait %v and service %v", latency, wait, p.Mean)
	}
	if l := m.Throughput() * latency; !close(l, m.InSystem(), 1e-9) {
		t.Errorf("Little's law: X·W = %v, L = %v", l, m.InSystem())
	}
	if p.Rate == 0 {
		k, _ := kendall.Parse(m.String())
		if n := m.Throughput() * (latency + p.Think); !close(n, float64(k.Population), 1e-9) {
			t.Errorf("X·(R+Z) = %v, want the population", n)
		}
	}
	if len(m.Formulas()) == 0 {
		t.Errorf("no source named")
	}
}

func checkQuantiles(t *testing.T, m theory.Model) {
	t.Helper()
	d, hasTails := m.(theory.Distribution)
	var lastWait, lastLatency float64
	for _, q := range []float64{0, 0.25, 0.5, 0.99, 0.9999, 1 - 1e-12} {
		wait, err := m.WaitQuantile(q)
		if errors.Is(err, theory.ErrNoClosedForm) {
			return
		}
		latency, err2 := m.LatencyQuantile(q)
		if err != nil || err2 != nil {
			t.Fatalf("quantile %v: %v, %v", q, err, err2)
		}
		if !sane(wait) || !sane(latency) || wait < lastWait || latency < lastLatency || latency < wait {
			t.Errorf("quantile %v: wait %v after %v, latency %v after %v", q, wait, lastWait, latency, lastLatency)
		}
		lastWait, lastLatency = wait, latency
		if !hasTails {
			continue
		}
		if tail := d.LatencyTail(latency); latency > 0 && tail > (1-q)*(1+1e-6) {
			t.Errorf("P(latency > its quantile %v) = %v", q, tail)
		}
		if tail := d.WaitTail(wait); wait > 0 && !close(tail, 1-q, 1e-4) {
			t.Errorf("P(wait > its quantile %v) = %v", q, tail)
		}
	}
}

func TestRefusals(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		model  string
		params theory.Params
		says   string
	}{
		{"M/M/1", theory.Params{Rate: 1}, "mean service time 0"},
		{"M/M/1", theory.Params{Rate: 1, Mean: -1}, "mean service time -1"},
		{"M/M/1", theory.Params{Rate: 1, Mean: nan}, "mean service time NaN"},
		{"M/M/1", theory.Params{Rate: 1, Mean: inf}, "mean service time +Inf"},
		{"M/M/1", theory.Params{Mean: 1}, "rate 0"},
		{"M/M/1", theory.Params{Rate: nan, Mean: 1}, "rate NaN"},
		{"M/M/1", theory.Params{Rate: inf, Mean: 1}, "rate +Inf"},
		{"M/M/1", theory.Params{Rate: 0.5, Mean: 1, Think: 1}, "no clients that think"},
		{"M/M/1", theory.Params{Rate: 0.5, Mean: 1, SCV: 3}, "squared coefficient of variation of 1"},
		{"M/G/1", theory.Params{Rate: 0.5, Mean: 1}, "needs the squared coefficient"},
		{"M/G/1", theory.Params{Rate: 0.5, Mean: 1, SCV: nan}, "NaN"},
		{"M/G/1", theory.Params{Rate: 0.5, Mean: 1, SCV: 1, ThirdMoment: 3}, "third moment"},
		{"M/H2/1", theory.Params{Rate: 0.5, Mean: 1, SCV: 0.5}, "above 1"},
		{"M/M/1//4", theory.Params{Rate: 1, Mean: 1}, "leave the rate out"},
		{"M/M/1//4", theory.Params{Mean: 1, Think: nan}, "think time NaN"},
		{"M/M/1//4", theory.Params{Mean: 1, Think: -1}, "think time -1"},
		{"M/M/1", theory.Params{Rate: 1, Mean: 1}, "no steady state at a utilisation of 1:"},
		{"M/M/3", theory.Params{Rate: 6, Mean: 1}, "no steady state at a utilisation of 2:"},
		{"G/M/1", theory.Params{Rate: 0.5, Mean: 1}, "no closed form here"},
		{"M/M/3/7", theory.Params{Rate: 6, Mean: 1}, "no closed form here"},
		{"M/D/2", theory.Params{Rate: 0.5, Mean: 1}, "no closed form here"},
		{"M/D/1//4", theory.Params{Mean: 1, Think: 1}, "no closed form with a think time"},
	}
	for _, tt := range tests {
		k, err := kendall.Parse(tt.model)
		if err != nil {
			t.Fatal(err)
		}
		m, err := theory.New(k, tt.params)
		if err == nil {
			t.Errorf("%s %+v: accepted as %v", tt.model, tt.params, m)
		} else if !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %+v: says %q, want one line with %q", tt.model, tt.params, err, tt.says)
		}
	}
}

func TestUnstable(t *testing.T) {
	k, _ := kendall.Parse("M/D/2")
	_, err := theory.New(k, theory.Params{Rate: 3, Mean: 1})
	var unstable *theory.UnstableError
	if !errors.Is(err, theory.ErrUnstable) || !errors.As(err, &unstable) {
		t.Fatalf("New says %v, want ErrUnstable", err)
	}
	if unstable.Utilisation != 1.5 || unstable.Growth() != 0.5 {
		t.Errorf("utilisation %v, growth %v, want 1.5 and 0.5", unstable.Utilisation, unstable.Growth())
	}
}

func TestQuantileRefuses(t *testing.T) {
	for _, model := range []string{"M/M/1", "M/D/1", "M/M/3"} {
		m := build(t, model, theory.Params{Rate: 0.5, Mean: 1})
		for _, q := range []float64{-0.1, 1, 2, math.NaN(), math.Inf(1)} {
			if x, err := m.LatencyQuantile(q); err == nil || x != 0 {
				t.Errorf("%v: LatencyQuantile(%v) = %v, %v", m, q, x, err)
			}
			if x, err := m.WaitQuantile(q); err == nil || x != 0 {
				t.Errorf("%v: WaitQuantile(%v) = %v, %v", m, q, x, err)
			}
		}
	}
	m := build(t, "M/G/1", theory.Params{Rate: 0.5, Mean: 1, SCV: 2})
	if _, err := m.LatencyQuantile(0.5); !errors.Is(err, theory.ErrNoClosedForm) {
		t.Errorf("M/G/1 quantile: %v, want ErrNoClosedForm", err)
	}
	if _, err := m.(*theory.MG1).WaitSecondMoment(); !errors.Is(err, theory.ErrNoClosedForm) {
		t.Errorf("M/G/1 without third moment: %v, want ErrNoClosedForm", err)
	}
}
