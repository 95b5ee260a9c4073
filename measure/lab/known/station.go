package known

import (
	"math/rand/v2"
	"sync"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/workload"
)

// station computes departures from a first-come first-served line in front of
// c servers. Departures are absolute instants, so a timer that wakes late
// delays one answer and never the queue behind it.
type station struct {
	start   time.Time
	service law.Law

	mu    sync.Mutex
	draws *rand.Rand
	free  []time.Duration // when each server is next free
}

func newStation(service law.Law, servers int, seed uint64) *station {
	return &station{
		start:   time.Now(),
		service: service,
		draws:   workload.Stream(seed, "service", 0),
		free:    make([]time.Duration, servers),
	}
}

// arrive takes a place in line for a request that arrives now and returns the
// instant at which it leaves. A service time below zero is drawn from the law.
func (s *station) arrive(service time.Duration) (departure time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if service < 0 {
		service = workload.Nanoseconds(s.service.Draw(s.draws))
	}
	return s.admit(time.Since(s.start), service)
}

// admit gives a request that arrives at now to the server that is free first.
// Requests come in the order of their arrival.
func (s *station) admit(now, service time.Duration) (departure time.Duration) {
	first := 0
	for i, at := range s.free {
		if at < s.free[first] {
			first = i
		}
	}
	s.free[first] = max(now, s.free[first]) + service
	return s.free[first]
}
