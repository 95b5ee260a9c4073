package measure

import (
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// sampleCell is the length of the cells in each of which the number in system is
// looked at once, at a random instant: an even grid could fall into step with even
// arrivals, and instants that are random altogether would add noise of their own.
const sampleCell = 2 * time.Millisecond

// sampler looks at the number in system again and again. Computed from the
// records that number would agree with Little's law by construction; looked at
// independently, it checks the records.
type sampler struct {
	start    time.Time
	inSystem *atomic.Int64
	halt     chan struct{}
	mean     chan float64
}

func startSampler(start time.Time, inSystem *atomic.Int64) *sampler {
	s := newSampler(start, inSystem)
	go func() { s.mean <- s.sample(NewPacer(start)) }()
	return s
}

func newSampler(start time.Time, inSystem *atomic.Int64) *sampler {
	return &sampler{start: start, inSystem: inSystem, halt: make(chan struct{}), mean: make(chan float64, 1)}
}

// sample returns the mean number in system until it is halted. Cells that were
// missed are left out: looked at all at once they would count one moment many
// times.
func (s *sampler) sample(pacer Pacer) float64 {
	defer pacer.Close()
	var sum, n float64
	for cell := int64(0); ; cell++ {
		select {
		case <-s.halt:
			return sum / max(n, 1)
		default:
		}
		cell = max(cell, int64(time.Since(s.start)/sampleCell))
		pacer.Wait(time.Duration((float64(cell) + rand.Float64()) * float64(sampleCell)))
		sum += float64(s.inSystem.Load())
		n++
	}
}

// stop returns the mean number in system over the samples and the length of time,
// counted from the run's start, that they are spread over.
func (s *sampler) stop() (mean float64, length time.Duration) {
	close(s.halt)
	mean = <-s.mean
	return mean, time.Since(s.start)
}
