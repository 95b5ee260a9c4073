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
	// unlike is by which factor the A² of what was sent is above that of what was drawn
	// where the sending is to blame.
	unlike = 1.5
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
type pair struct {
	first, second time.Duration
	due           [2]time.Duration // of both
}

const unsentYet time.Duration = -1

func newGaps() *gaps { return &gaps{stride: 1} }

// add notes when a request was due and sent.
func (g *gaps) add(number int64, due, sent time.Duration) {
	for number/g.stride >= mostGaps {
		g.widen()
	}
	if number%g.stride == 0 {
		p := g.at(number / g.stride)
		p.first, p.due[0] = sent, due
	}
	if before := number - 1; before >= 0 && before%g.stride == 0 {
		p := g.at(before / g.stride)
		p.second, p.due[1] = sent, due
	}
}

func (g *gaps) at(i int64) *pair {
	for int64(len(g.pairs)) <= i {
		g.pairs = append(g.pairs, pair{first: unsentYet, second: unsentYet})
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

// sample returns the gaps in nanoseconds, as they were sent and as they were due. A
// request that was sent before its predecessor, by another worker, is as far from it as
// one that was sent after.
func (g *gaps) sample() (sent, due []float64) {
	for _, p := range g.pairs {
		if p.first != unsentYet && p.second != unsentYet {
			sent = append(sent, math.Abs(float64(p.second-p.first)))
			due = append(due, float64(p.due[1]-p.due[0]))
		}
	}
	return sent, due
}

// arrivals compares the gaps between sends with the law that was asked for. Nothing is
// said of other laws than Poisson and even ones.
func arrivals(_ *record.Run, w *Watch) *finding {
	sample, drawn := w.gaps.sample()
	if !w.scheduled || len(sample) < fewestGaps {
		return nil
	}
	switch w.workload.Describe().Arrivals {
	case "poisson":
		a := stats.Exponential(sample, tick)
		switch own := stats.Exponential(drawn, tick); {
		case !(a > stats.ExponentialAt1):
		case own > stats.ExponentialAt1 && a < unlike*own:
			return suspect("this seed has drawn an unusual sample of Poisson arrivals: Anderson–Darling's A² is %s for %s, and above %.3f in 1 %% of exponential samples: what was sent is what was drawn; another -seed is more typical", number(a), many(int64(len(sample)), "gap"), stats.ExponentialAt1)
		default:
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
