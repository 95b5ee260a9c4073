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
	halt chan struct{}
	mean chan float64
}

func startSampler(start time.Time, inSystem *atomic.Int64) *sampler {
	s := &sampler{halt: make(chan struct{}), mean: make(chan float64, 1)}
	go func() { s.mean <- s.sample(NewPacer(start), inSystem) }()
	return s
}

func (s *sampler) sample(pacer Pacer, inSystem *atomic.Int64) float64 {
	defer pacer.Close()
	var sum, n float64
	for due := time.Duration(0); ; {
		select {
		case <-s.halt:
			return sum / max(n, 1)
		default:
		}
		due += time.Duration(rand.ExpFloat64() * float64(samplePause))
		pacer.Wait(due)
		sum += float64(inSystem.Load())
		n++
	}
}

// stop returns the mean number in system over the samples.
func (s *sampler) stop() float64 {
	close(s.halt)
	return <-s.mean
}
