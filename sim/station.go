package sim

import (
	"errors"
	"fmt"

	"queuelab/measure/law"
	"queuelab/sim/kendall"
)

// Station is a model of a server: one queue before identical servers.
type Station struct {
	// Servers is c, at least 1.
	Servers int
	// Service is the law of the service times; nil where every request
	// carries its own.
	Service law.Law
	// Discipline says who is served next: a name, with a parameter after a
	// colon where it takes one; "fifo" when empty.
	Discipline string
}

func (s *Station) validate() error {
	if s.Servers < 1 || s.Servers > kendall.Max {
		return fmt.Errorf("a station has 1 to %d servers, not %d", kendall.Max, s.Servers)
	}
	if s.Service != nil && !(s.Service.Mean() >= 0) {
		return errors.New("the service law has no mean")
	}
	return nil
}

func (s *Station) discipline() string {
	if s.Discipline == "" {
		return "fifo"
	}
	return s.Discipline
}
