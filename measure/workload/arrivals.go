package workload

import (
	"fmt"

	"queuelab/measure/law"
)

// Arrivals is the shape of the gaps between the arrivals of an open workload;
// the rate gives their mean.
type Arrivals string

// The shapes there are.
const (
	Poisson Arrivals = "poisson" // exponential gaps
	Even    Arrivals = "even"    // every gap exactly 1/rate
)

// gapLaws gives each shape's law of gaps for a mean in seconds.
var gapLaws = map[Arrivals]func(mean float64) law.Law{
	Poisson: func(mean float64) law.Law { return law.NewExponential(mean) },
	Even:    func(mean float64) law.Law { return law.NewDeterministic(mean) },
}

func (a Arrivals) validate() error {
	if _, known := gapLaws[a]; a != "" && !known {
		return fmt.Errorf("%q is not an arrival law: use poisson or even", string(a))
	}
	return nil
}

func (w *Workload) arrivals() Arrivals {
	if w.Arrivals == "" {
		return Poisson
	}
	return w.Arrivals
}

// Gaps is the law of the inter-arrival gaps of an open workload.
func (w *Workload) Gaps() law.Law { return gapLaws[w.arrivals()](1 / w.Rate) }
