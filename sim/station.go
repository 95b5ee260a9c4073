package sim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	// Discipline says who is served next; "fifo" when empty.
	Discipline string
}

// discipline is the inside of a station: who is served, and when it departs.
// The station keeps its own events and offers the engine only its earliest, so
// that a discipline may move, stretch or withdraw the others as it likes.
type discipline interface {
	// arrive takes in a job that needs so many nanoseconds of service.
	arrive(now int64, place int32, service int64)
	// next is the instant at which something happens inside; never if
	// nothing will without a further arrival.
	next() int64
	// step lets it happen. It returns the job that departs, and false when
	// none does.
	step() (place int32, departs bool)
	// busyTime is the time that the servers have worked up to now, summed
	// over servers.
	busyTime(now int64) int64
}

// disciplines are those that a station can have, by name.
var disciplines = map[string]func(Station) discipline{
	"fifo": newFIFO,
}

func (s *Station) validate() error {
	if s.Servers < 1 || s.Servers > kendall.Max {
		return fmt.Errorf("a station has 1 to %d servers, not %d", kendall.Max, s.Servers)
	}
	if _, known := disciplines[s.discipline()]; !known {
		return fmt.Errorf("%q is not a discipline: use %s", s.Discipline, strings.Join(slices.Sorted(maps.Keys(disciplines)), ", "))
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
