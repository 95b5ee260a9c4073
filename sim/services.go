package sim

import (
	"math/rand/v2"

	"queuelab/measure/law"
	"queuelab/measure/workload"
)

// services are the service times that a station draws, in the order of
// arrival. They come from the stream that gives an open workload's requests the
// service times that travel with them, so that both ways mean the same.
type services struct {
	law   law.Law
	draws *rand.Rand
}

// newServices returns nil for a station whose requests carry their own.
func newServices(w *workload.Workload, s *Station) *services {
	if s.Service == nil {
		return nil
	}
	return &services{s.Service, workload.Stream(w.Seed, "service", 0)}
}

func (s *services) draw() int64 { return int64(workload.Nanoseconds(s.law.Draw(s.draws))) }
