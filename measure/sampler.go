package measure

import (
	"math"
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
	seen     chan samples
}

// samples are what was seen of the number in system.
type samples struct {
	mean float64
	// err is the standard error of the mean, for it is of one look in each cell. That
	// of one cell is taken from successive looks, as if the number did not change from
	// cell to cell; so it is rather too large. Cells that were missed may have held
	// anything that others do: their share of the looks' standard deviation is added.
	err float64
}

func startSampler(start time.Time, inSystem *atomic.Int64) *sampler {
	s := newSampler(start, inSystem)
	go func() { s.seen <- s.sample(NewPacer(start)) }()
	return s
}

func newSampler(start time.Time, inSystem *atomic.Int64) *sampler {
	return &sampler{start: start, inSystem: inSystem, halt: make(chan struct{}), seen: make(chan samples, 1)}
}

// sample looks at the number in system until it is halted. Cells that were
// missed are left out: looked at all at once they would count one moment many
// times.
func (s *sampler) sample(pacer Pacer) samples {
	defer pacer.Close()
	var sum, steps, squares, last, n float64
	for cell := int64(0); ; cell++ {
		select {
		case <-s.halt:
			n := max(n, 1)
			mean, missed := sum/n, 1-n/max(float64(cell), n)
			spread := math.Sqrt(max(squares/n-mean*mean, 0))
			return samples{mean: mean, err: math.Sqrt(steps/2)/n + missed*spread}
		default:
		}
		cell = max(cell, int64(time.Since(s.start)/sampleCell))
		pacer.Wait(time.Duration((float64(cell) + rand.Float64()) * float64(sampleCell)))
		now := float64(s.inSystem.Load())
		if n > 0 {
			steps += (now - last) * (now - last)
		}
		squares += now * now
		sum, last, n = sum+now, now, n+1
	}
}

// stop returns the samples and the length of time, counted from the run's start, that
// they are spread over.
func (s *sampler) stop() (seen samples, length time.Duration) {
	close(s.halt)
	seen = <-s.seen
	return seen, time.Since(s.start)
}
