package law

import "math/rand/v2"

// scaled is another law with every time multiplied by a factor.
type scaled struct {
	law    Law
	factor float64
}

var _ Law = scaled{}

// Scaled returns a law with every time multiplied by a factor above zero. It
// has no spelling of its own: String puts the factor before the law's.
func Scaled(l Law, factor float64) Law { return scaled{l, factor} }

func (l scaled) Mean() float64             { return l.factor * l.law.Mean() }
func (l scaled) SCV() float64              { return l.law.SCV() }
func (l scaled) Draw(r *rand.Rand) float64 { return l.factor * l.law.Draw(r) }
func (l scaled) String() string            { return spellNumber(l.factor) + " times " + l.law.String() }
