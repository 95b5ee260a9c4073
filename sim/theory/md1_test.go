package theory_test

import (
	"math"
	"math/big"
	"testing"

	"queuelab/sim/theory"
)

// bits is a precision at which Erlang's alternating sum loses nothing that
// matters: its terms grow like e^{2x} for a wait of x services.
const bits = 1024

// bigExp is e^x by its series.
func bigExp(x *big.Float) *big.Float {
	sum, term := new(big.Float).SetPrec(bits).SetInt64(1), new(big.Float).SetPrec(bits).SetInt64(1)
	for k := int64(1); term.Sign() != 0 && term.MantExp(nil) > -bits; k++ {
		term.Mul(term, x)
		term.Quo(term, new(big.Float).SetInt64(k))
		sum.Add(sum, term)
	}
	return sum
}

// erlangWaitTail is P(Wq > x) of M/D/1 with D = 1 by Erlang's sum of 1909,
//
//	P(Wq ≤ x) = (1-ρ)·Σ_{j≤x} (-ρ(x-j))^j/j!·e^{ρ(x-j)}
//
// which needs hundreds of bits to survive its cancellations.
func erlangWaitTail(rho, x float64) float64 {
	r := new(big.Float).SetPrec(bits).SetFloat64(rho)
	sum := new(big.Float).SetPrec(bits)
	factorial := new(big.Float).SetPrec(bits).SetInt64(1)
	for j := int64(0); float64(j) <= x; j++ {
		if j > 0 {
			factorial.Mul(factorial, new(big.Float).SetInt64(j))
		}
		y := new(big.Float).SetPrec(bits).SetFloat64(x)
		y.Sub(y, new(big.Float).SetInt64(j))
		y.Mul(y, r)
		term := bigExp(y)
		for range j {
			term.Mul(term, y)
		}
		term.Quo(term, factorial)
		if j%2 == 1 {
			term.Neg(term)
		}
		sum.Add(sum, term)
	}
	one := new(big.Float).SetPrec(bits).SetInt64(1)
	sum.Mul(sum, new(big.Float).SetPrec(bits).Sub(one, r))
	tail, _ := one.Sub(one, sum).Float64()
	return tail
}

// TestMD1AgainstErlang compares the positive sums, and the dominant pole that
// takes over from them at 64 services, with Erlang's sum in exact arithmetic.
func TestMD1AgainstErlang(t *testing.T) {
	for _, rho := range []float64{0.1, 0.5, 0.8, 0.95, 0.999} {
		m := build(t, "M/D/1", theory.Params{Rate: rho, Mean: 1})
		for _, x := range []float64{0, 0.3, 1, 1.7, 2.5, 8, 20.25, 63.999, 64, 64.5, 91.3} {
			want := erlangWaitTail(rho, x)
			if want < 1e-250 {
				continue // float64 has nothing to compare with down there
			}
			if got := figure(t, m, "wait tail", x); !close(got, want, 1e-12) {
				t.Errorf("M/D/1 at %v: P(Wq > %v) = %v, want %v", rho, x, got, want)
			}
		}
	}
}

// TestMD1FarQuantile is the case that breaks alternating sums: ρ = 0.95, p99.99.
func TestMD1FarQuantile(t *testing.T) {
	m := build(t, "M/D/1", theory.Params{Rate: 0.95, Mean: 1})
	x := figure(t, m, "wait quantile", 0.9999)
	if tail := erlangWaitTail(0.95, x); !close(tail, 1e-4, 1e-10) {
		t.Errorf("p99.99 at 0.95 = %v, but P(Wq > it) = %v", x, tail)
	}
	if latency := figure(t, m, "latency quantile", 0.9999); math.Abs(latency-x-1) > 1e-9 {
		t.Errorf("latency p99.99 = %v, want one service above the wait's %v", latency, x)
	}
}
