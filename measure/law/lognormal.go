package law

import (
	"math"
	"math/rand/v2"
)

// Lognormal is e^{μ+σZ} with σ² = ln(1+scv) and μ = ln(mean) - σ²/2.
type Lognormal struct{ mean, scv, mu, sigma float64 }

var _ Law = Lognormal{}

// NewLognormal needs a mean in seconds and an SCV above zero.
func NewLognormal(mean, scv float64) Lognormal {
	variance := math.Log1p(scv)
	return Lognormal{mean, scv, math.Log(mean) - variance/2, math.Sqrt(variance)}
}

func parseLognormal(args []string) (Law, error) {
	mean, scv, err := meanAnd("SCV", args)
	if err != nil {
		return nil, err
	}
	return NewLognormal(mean, scv), nil
}

func (l Lognormal) Mean() float64             { return l.mean }
func (l Lognormal) SCV() float64              { return l.scv }
func (l Lognormal) Draw(r *rand.Rand) float64 { return math.Exp(l.mu + l.sigma*r.NormFloat64()) }
func (l Lognormal) String() string            { return spell("lognormal", l.mean, l.scv) }
