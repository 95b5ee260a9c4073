package sim

import (
	"math"
	"math/rand/v2"

	"queuelab/measure/workload"
)

// sampler looks at the number in system at instants that do not depend on
// what happens there. Summed from the records instead, that number would agree
// with Little's law by construction. The instants are one in each cell of an
// even grid, at a random place in it, so that they cannot fall into step with
// even arrivals.
type sampler struct {
	draws *rand.Rand
	cell  int64 // length of a cell
	begin int64 // of the present cell
	at    int64 // the instant of the present cell
	sum   int64
	n     int64
}

// samplesAtLeast is how many looks a run of known length gets at the least; a
// long one gets one every few requests.
const samplesAtLeast = 50_000

// perSample is how many requests there are to one look in a long run.
const perSample = 8

func newSampler(w *workload.Workload, servers int, from int64) *sampler {
	rate := w.Rate
	if !w.Open {
		rate = closedRate(w, servers)
	}
	length := math.Inf(1)
	if w.Length > 0 {
		length = w.Length.Seconds()
	}
	if w.Requests > 0 {
		length = min(length, float64(w.Requests)/rate)
	}
	cell := min(perSample/rate, length/samplesAtLeast)
	sampler := &sampler{
		draws: workload.Stream(w.Seed, "sampler", 0),
		cell:  max(int64(workload.Nanoseconds(cell)), 1),
		begin: from,
	}
	sampler.place()
	return sampler
}

// closedRate is about how many requests a second closed clients can send: the
// asymptotic bound.
func closedRate(w *workload.Workload, servers int) float64 {
	service := w.Service.Mean()
	cycle := service
	if w.Think != nil {
		cycle += w.Think.Mean()
	}
	rate := float64(w.Clients) / cycle
	if service > 0 {
		rate = min(rate, float64(servers)/service)
	}
	return rate
}

// place draws the instant of the present cell.
func (s *sampler) place() { s.at = after(s.begin, s.draws.Int64N(s.cell)) }

// pass takes the samples up to now, since the last of which the number in
// system has been the same.
func (s *sampler) pass(now int64, inSystem int64) {
	for s.at <= now {
		s.sum += inSystem
		s.n++
		s.begin = after(s.begin, s.cell)
		if whole := (now - s.begin) / s.cell; now > s.begin && whole > 0 {
			s.sum += whole * inSystem
			s.n += whole
			s.begin += whole * s.cell
		}
		s.place()
	}
}

// mean is the mean number in system over the samples.
func (s *sampler) mean() float64 { return float64(s.sum) / float64(max(s.n, 1)) }
