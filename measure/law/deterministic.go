package law

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Deterministic always takes the same value, which may be zero.
type Deterministic struct{ value float64 }

var _ Law = Deterministic{}

// NewDeterministic returns the law of a constant in seconds.
func NewDeterministic(value float64) Deterministic { return Deterministic{value} }

func parseDeterministic(args []string) (Law, error) {
	d, err := time.ParseDuration(args[0])
	if err != nil {
		return nil, fmt.Errorf("%q is not a duration such as 5ms", args[0])
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
