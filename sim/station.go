package sim

import (
	"errors"
	"fmt"
	"strings"

	"queuelab/measure/law"
	"queuelab/measure/workload"
	"queuelab/sim/kendall"
)

// Station is a model of a server: one queue before identical servers.
type Station struct {
	// Servers is c, at least 1.
	Servers int
	// Service is the law of the service times; nil where every request
	// carries its own.
	Service law.Law
	// Discipline says who is served when: "fifo", which it is when empty,
	// "ps" (processor sharing), or "accept:511" (an accept queue with that
	// backlog in front of an event loop).
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
		return fifoName
	}
	return s.Discipline
}

// model is the station under a workload in Kendall's notation, with the
// discipline behind it unless that is FIFO: M/G/1-PS. The notation has no letter for
// requests of sessions, which come back: then it is of the sessions' arrivals.
func (s *Station) model(w *workload.Workload) string {
	first := *w
	first.PerSession = 0
	model := kendall.Of(&first, w.Service, s.Servers).String()
	if d := s.discipline(); d != fifoName {
		model += "-" + strings.ToUpper(d)
	}
	if w.InSessions() {
		model += " with sessions that come back"
	}
	return model
}
