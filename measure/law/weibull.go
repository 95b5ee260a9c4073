package law

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Weibull is scale·E^{1/k} with E exponential of mean 1; the shape k solves
// 1 + scv = Γ(1+2/k)/Γ(1+1/k)².
type Weibull struct{ mean, scv, scale, exponent float64 }

var _ Law = Weibull{}

// NewWeibull needs a mean in seconds and an SCV from 0.0001 to 10,000.
func NewWeibull(mean, scv float64) (Weibull, error) {
	if scv < 1e-4 || scv > 1e4 {
		return Weibull{}, fmt.Errorf("a Weibull law is built for an SCV from 0.0001 to 10000, not %g", scv)
	}
	// excess grows with the exponent 1/k, so bisection finds the one root.
	excess := func(e float64) float64 {
		a, _ := math.Lgamma(1 + 2*e)
		b, _ := math.Lgamma(1 + e)
		return a - 2*b - math.Log1p(scv)
	}
	lo, hi := 1e-6, 20.0
	for range 200 {
		if middle := (lo + hi) / 2; excess(middle) < 0 {
			lo = middle
		} else {
			hi = middle
		}
	}
	return Weibull{mean, scv, mean / math.Gamma(1+lo), lo}, nil
}

func parseWeibull(args []string) (Law, error) {
	mean, scv, err := meanAnd("SCV", args)
	if err != nil {
		return nil, err
	}
	return NewWeibull(mean, scv)
}

func (l Weibull) Mean() float64 { return l.mean }
func (l Weibull) SCV() float64  { return l.scv }
func (l Weibull) Draw(r *rand.Rand) float64 {
	return l.scale * math.Pow(r.ExpFloat64(), l.exponent)
}
func (l Weibull) String() string { return spell("weibull", l.mean, l.scv) }
