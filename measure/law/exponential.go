package law

import "math/rand/v2"

// Exponential has density e^{-x/m}/m.
type Exponential struct{ mean float64 }

var _ Law = Exponential{}

// NewExponential returns the exponential law with a mean in seconds.
func NewExponential(mean float64) Exponential { return Exponential{mean} }

func parseExponential(args []string) (Law, error) {
	mean, err := seconds(args[0])
	if err != nil {
		return nil, err
	}
	return Exponential{mean}, nil
}

func (l Exponential) Mean() float64             { return l.mean }
func (l Exponential) SCV() float64              { return 1 }
func (l Exponential) Draw(r *rand.Rand) float64 { return l.mean * r.ExpFloat64() }
func (l Exponential) String() string            { return "exp:" + spellSeconds(l.mean) }
