package law

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Hyperexponential mixes two exponential laws with balanced means: with
// probability p the mean is m/(2p), else m/(2(1-p)), where
// p = (1+√((scv-1)/(scv+1)))/2 (Whitt, Approximating a Point Process by a
// Renewal Process I, 1982).
type Hyperexponential struct{ mean, scv, p float64 }

var _ Law = Hyperexponential{}

// NewHyperexponential needs a mean in seconds and an SCV of at least 1.
func NewHyperexponential(mean, scv float64) (Hyperexponential, error) {
	if scv < 1 {
		return Hyperexponential{}, fmt.Errorf("a hyperexponential law has an SCV of at least 1, not %g: use gamma or erlang below it", scv)
	}
	return Hyperexponential{mean, scv, (1 + math.Sqrt((scv-1)/(scv+1))) / 2}, nil
}

func parseHyperexponential(args []string) (Law, error) {
	mean, scv, err := meanAnd("SCV", args)
	if err != nil {
		return nil, err
	}
	return NewHyperexponential(mean, scv)
}

// Branches returns the probability of the first branch and both branches' means.
func (l Hyperexponential) Branches() (p, mean1, mean2 float64) {
	return l.p, l.mean / (2 * l.p), l.mean / (2 * (1 - l.p))
}

func (l Hyperexponential) Mean() float64 { return l.mean }
func (l Hyperexponential) SCV() float64  { return l.scv }
func (l Hyperexponential) Draw(r *rand.Rand) float64 {
	share := l.p
	if r.Float64() >= l.p {
		share = 1 - l.p
	}
	return l.mean / (2 * share) * r.ExpFloat64()
}
func (l Hyperexponential) String() string { return spell("hyper", l.mean, l.scv) }
