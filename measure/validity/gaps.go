package validity

import (
	"math"
	"time"

	"gonum.org/v1/gonum/stat"

	"queuelab/measure/record"
	"queuelab/measure/stats"
)

const (
	// mostGaps bounds the sample of gaps between sends.
	mostGaps = 4096
	// fewestGaps is how many the law of gaps is tested with at least.
	fewestGaps = 20
	// mostEvenSCV is the squared coefficient of variation up to which gaps are even.
	mostEvenSCV = 0.02
	// tick is the resolution of the clock, in which a gap is at least half of one.
	tick = 0.5 * float64(time.Nanosecond)
)

// gaps samples the gaps between the sends of successive requests, from the whole of a
// run: those after each request whose number is a multiple of the stride, which doubles
// when there are too many.
type gaps struct {
	stride int64
	pairs  []pair // by the first one's number over the stride
}

// pair are the instants at which a request and the one after it were sent, unsentYet
// where they have not been seen.
type pair struct{ first, second time.Duration }

const unsentYet time.Duration = -1

func newGaps() *gaps { return &gaps{stride: 1} }

// add notes when a request was sent.
func (g *gaps) add(number int64, sent time.Duration) {
	for number/g.stride >= mostGaps {
		g.widen()
	}
	if number%g.stride == 0 {
		g.at(number / g.stride).first = sent
	}
	if before := number - 1; before >= 0 && before%g.stride == 0 {
		g.at(before / g.stride).second = sent
	}
}

func (g *gaps) at(i int64) *pair {
	for int64(len(g.pairs)) <= i {
		g.pairs = append(g.pairs, pair{unsentYet, unsentYet})
	}
	return &g.pairs[i]
}

// widen doubles the stride: every other pair stays.
func (g *gaps) widen() {
	g.stride *= 2
	kept := g.pairs[:0]
	for i := 0; i < len(g.pairs); i += 2 {
		kept = append(kept, g.pairs[i])
	}
	g.pairs = kept
}

// sample returns the gaps in nanoseconds. A request that was sent before its
// predecessor, by another worker, is as far from it as one that was sent after.
func (g *gaps) sample() []float64 {
	var out []float64
	for _, p := range g.pairs {
		if p.first != unsentYet && p.second != unsentYet {
			out = append(out, math.Abs(float64(p.second-p.first)))
		}
	}
	return out
}

// arrivals compares the gaps between sends with the law that was asked for. Nothing is
// said of other laws than Poisson and even ones.
func arrivals(_ *record.Run, w *Watch) *finding {
	sample := w.gaps.sample()
	if !w.scheduled || len(sample) < fewestGaps {
		return nil
	}
	switch w.workload.Describe().Arrivals {
	case "poisson":
		if a := stats.Exponential(sample, tick); a > stats.ExponentialAt1 {
			return suspect("the gaps between sends are not those of Poisson arrivals: Anderson–Darling's A² is %s for %s, and above %.3f in 1 %% of exponential samples: sends were bunched or held back, so queues differ from those that Poisson arrivals build; lower -rate or leave the generator's CPUs to it", number(a), many(int64(len(sample)), "gap"), stats.ExponentialAt1)
		}
	case "even":
		mean, variance := stat.MeanVariance(sample, nil)
		if scv := variance / (mean * mean); !(scv <= mostEvenSCV) {
			return suspect("the gaps between sends are not even: their squared coefficient of variation is %s in %s (%g is the limit): sends were bunched or held back; lower -rate or leave the generator's CPUs to it", number(scv), many(int64(len(sample)), "gap"), mostEvenSCV)
		}
	}
	return nil
}
