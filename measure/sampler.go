package measure

import (
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// samplePause is the mean pause between two looks at the number in system. The
// pauses are exponential: an even grid could fall into step with even arrivals.
const samplePause = 2 * time.Millisecond

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

// sample returns the mean number in system until it is halted. Instants that were
// missed are left out: taken all at once they would count one moment many times.
// Exponential pauses have no memory, so the next instant counts from now.
func (s *sampler) sample(pacer Pacer) float64 {
	defer pacer.Close()
	var sum, n float64
	for due := time.Duration(0); ; {
		select {
		case <-s.halt:
			return sum / max(n, 1)
		default:
		}
		due = max(due, time.Since(s.start)) + time.Duration(rand.ExpFloat64()*float64(samplePause))
		pacer.Wait(due)
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
