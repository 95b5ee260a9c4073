package law

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// Erlang is the sum of k exponential stages, each of mean m/k.
type Erlang struct {
	mean   float64
	stages int
}

var _ Law = Erlang{}

// NewErlang needs a mean in seconds and at least one stage.
func NewErlang(mean float64, stages int) (Erlang, error) {
	if stages < 1 || stages > 1000 {
		return Erlang{}, fmt.Errorf("an Erlang law has 1 to 1000 stages, not %d: use det for an almost constant time", stages)
	}
	return Erlang{mean, stages}, nil
}

func parseErlang(args []string) (Law, error) {
	mean, err := seconds(args[0])
	if err != nil {
		return nil, err
	}
	stages, err := strconv.Atoi(args[1])
	if err != nil {
		return nil, fmt.Errorf("the number of stages K is %q, not a whole number", args[1])
	}
	return NewErlang(mean, stages)
}

// Stages is the number of exponential stages.
func (l Erlang) Stages() int { return l.stages }

func (l Erlang) Mean() float64 { return l.mean }
func (l Erlang) SCV() float64  { return 1 / float64(l.stages) }
func (l Erlang) Draw(r *rand.Rand) float64 {
	sum := 0.0
	for range l.stages {
		sum += r.ExpFloat64()
	}
	return sum * l.mean / float64(l.stages)
}
func (l Erlang) String() string { return spell("erlang", l.mean, float64(l.stages)) }
