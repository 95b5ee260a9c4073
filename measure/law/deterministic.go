package law

import (
	"fmt"
	"math/rand/v2"
)

// Deterministic always takes the same value, which may be zero.
type Deterministic struct{ value float64 }

var _ Law = Deterministic{}

// NewDeterministic returns the law of a constant in seconds.
func NewDeterministic(value float64) Deterministic { return Deterministic{value} }

func parseDeterministic(args []string) (Law, error) {
	d, err := duration(args[0])
	if err != nil {
		return nil, err
	}
	if d < 0 {
		return nil, fmt.Errorf("%s is below zero", args[0])
	}
	return Deterministic{d.Seconds()}, nil
}

func (l Deterministic) Mean() float64           { return l.value }
func (l Deterministic) SCV() float64            { return 0 }
func (l Deterministic) Draw(*rand.Rand) float64 { return l.value }
func (l Deterministic) String() string          { return "det:" + spellSeconds(l.value) }
