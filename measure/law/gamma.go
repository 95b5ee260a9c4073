package law

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// Gamma has shape 1/scv and scale mean·scv.
type Gamma struct{ mean, scv float64 }

var _ Law = Gamma{}

// NewGamma needs a mean in seconds and an SCV above zero.
func NewGamma(mean, scv float64) Gamma { return Gamma{mean, scv} }

func parseGamma(args []string) (Law, error) {
	mean, scv, err := meanAnd("SCV", args)
	if err != nil {
		return nil, err
	}
	return Gamma{mean, scv}, nil
}

func (l Gamma) Mean() float64 { return l.mean }
func (l Gamma) SCV() float64  { return l.scv }
func (l Gamma) Draw(r *rand.Rand) float64 {
	return distuv.Gamma{Alpha: 1 / l.scv, Beta: 1 / (l.mean * l.scv), Src: r}.Rand()
}
func (l Gamma) String() string { return spell("gamma", l.mean, l.scv) }
