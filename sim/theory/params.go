package theory

import (
	"fmt"

	"queuelab/sim/kendall"
)

// Limits of the declared domain of every formula here: wide enough for any
// machine, and narrow enough that nothing overflows.
const (
	minTime = 1e-12 // seconds
	maxTime = 1e12  // seconds
	minRate = 1e-12 // per second
	maxRate = 1e12  // per second
)

// Params are the numbers that Kendall's notation leaves open. A zero stands
// for a value that was not given.
type Params struct {
	// Rate is λ, the arrivals per second of an open model, from 1e-12 to
	// 1e12; a closed model has none.
	Rate float64
	// Mean is S, the mean service time in seconds, from 1e-12 to 1e12.
	Mean float64
	// SCV is the squared coefficient of variation of the service time. Only
	// H2 and G need it.
	SCV float64
	// ThirdMoment is E[S³] in s³, of the service law G, for the second
	// moment of the wait. It is optional.
	ThirdMoment float64
	// Think is Z, the mean think time in seconds of a closed model's
	// clients, up to 1e12; an open model has none.
	Think float64
}

// check refuses numbers outside the declared domain and those that the model
// has no use for, which are a misunderstanding better cleared up than ignored.
func (p Params) check(m kendall.Model) error {
	switch {
	case !(p.Mean >= minTime && p.Mean <= maxTime):
		return fmt.Errorf("%v: the mean service time %v s is not between %v and %v s", m, p.Mean, minTime, maxTime)
	case !m.Closed() && !(p.Rate >= minRate && p.Rate <= maxRate):
		return fmt.Errorf("%v: the rate %v/s is not between %v and %v/s", m, p.Rate, minRate, maxRate)
	case !m.Closed() && p.Think != 0:
		return fmt.Errorf("%v has no clients that think: give a think time with a population, such as M/M/1//10", m)
	case m.Closed() && p.Rate != 0:
		return fmt.Errorf("%v is closed, its clients set the rate: leave the rate out", m)
	case m.Closed() && !(p.Think == 0 || p.Think >= minTime && p.Think <= maxTime):
		return fmt.Errorf("%v: the think time %v s is neither 0 nor between %v and %v s", m, p.Think, minTime, maxTime)
	}
	return nil
}

// stable returns an [UnstableError] unless the open model has capacity to
// spare.
func (p Params) stable(m kendall.Model) error {
	if rho := p.Rate * p.Mean / float64(m.Servers); !(rho < 1) {
		return &UnstableError{Model: m.String(), Utilisation: rho}
	}
	return nil
}
