package law

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Pareto has P(X > x) = (m/x)^α for x ≥ m, where m = mean·(α-1)/α.
type Pareto struct{ mean, alpha float64 }

var _ Law = Pareto{}

// NewPareto needs a mean in seconds and α above 1, below which there is no mean.
func NewPareto(mean, alpha float64) (Pareto, error) {
	if alpha <= 1 {
		return Pareto{}, fmt.Errorf("a Pareto law has a mean only for an ALPHA above 1, not %g", alpha)
	}
	return Pareto{mean, alpha}, nil
}

func parsePareto(args []string) (Law, error) {
	mean, alpha, err := meanAnd("ALPHA", args)
	if err != nil {
		return nil, err
	}
	return NewPareto(mean, alpha)
}

func (l Pareto) Mean() float64 { return l.mean }
func (l Pareto) SCV() float64 {
	if l.alpha <= 2 {
		return math.Inf(1)
	}
	return 1 / (l.alpha * (l.alpha - 2))
}
func (l Pareto) Draw(r *rand.Rand) float64 {
	return l.mean * (l.alpha - 1) / l.alpha * math.Exp(r.ExpFloat64()/l.alpha)
}
func (l Pareto) String() string { return spell("pareto", l.mean, l.alpha) }
