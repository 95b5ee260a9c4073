package workload

import (
	"fmt"
	"strconv"
	"strings"

	"queuelab/measure/law"
)

// Arrivals say when the requests of an open workload arrive: with gaps that are
// drawn from a law, whose mean the rate gives, or at recorded instants. The zero
// value is Poisson.
type Arrivals struct {
	shape shape
	scv   float64   // of gamma and hyperexponential gaps
	trace *recorded // for trace and gaps
}

type shape uint8

const (
	poisson shape = iota // exponential gaps
	even                 // every gap exactly 1/rate
	gamma                // gamma gaps of a given SCV
	hyper                // hyperexponential gaps, balanced means, of a given SCV
	trace                // instants from a file
	gaps                 // gaps from a file
)

// shapeNames are how the shapes are spelled.
var shapeNames = [...]string{"poisson", "even", "gamma", "hyper", "trace", "gaps"}

// ArrivalSpellings is what ParseArrivals reads.
const ArrivalSpellings = "poisson, even, gamma:SCV, hyper:SCV, trace:FILE or gaps:FILE"

// The arrivals without a parameter.
var (
	Poisson = Arrivals{shape: poisson}
	Even    = Arrivals{shape: even}
)

// The bounds of a gap law's SCV. Beyond the upper one most gaps are shorter than a
// nanosecond, and a run would be one burst or nothing.
const leastSCV, mostSCV = 1e-6, 1e3

// ParseArrivals reads arrivals such as "poisson", "gamma:4" or "trace:FILE", and the
// file that they name. A trace has an instant on each line, in seconds or as a
// duration such as 12ms; gaps have a gap on each.
func ParseArrivals(text string) (Arrivals, error) {
	name, argument, found := strings.Cut(text, ":")
	for i, known := range shapeNames {
		a := Arrivals{shape: shape(i)}
		if name != known || found != (a.shape >= gamma) {
			continue
		}
		if err := a.read(argument); err != nil {
			return Arrivals{}, fmt.Errorf("the arrivals %q cannot be used: %w", text, err)
		}
		return a, nil
	}
	return Arrivals{}, fmt.Errorf("%q is not an arrival law: use %s", text, ArrivalSpellings)
}

// read takes the argument in.
func (a *Arrivals) read(argument string) (err error) {
	switch a.shape {
	case gamma:
		a.scv, err = parseSCV(argument, leastSCV)
	case hyper:
		a.scv, err = parseSCV(argument, 1)
	case trace, gaps:
		a.trace, err = readRecorded(argument, a.shape == gaps)
	}
	return err
}

// parseSCV reads a squared coefficient of variation of at least the given one.
func parseSCV(text string, least float64) (float64, error) {
	scv, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || !(scv >= leastSCV && scv <= mostSCV):
		return 0, fmt.Errorf("the squared coefficient of variation is %q, not a number above zero (from %g to %g)", text, leastSCV, mostSCV)
	case scv < least:
		return 0, fmt.Errorf("hyperexponential gaps have a squared coefficient of variation of at least %g: use gamma:%s", least, text)
	}
	return scv, nil
}

// String is the spelling that ParseArrivals accepts.
func (a Arrivals) String() string {
	name := shapeNames[a.shape]
	switch {
	case a.trace != nil:
		return name + ":" + a.trace.file
	case a.shape >= gamma:
		return name + ":" + strconv.FormatFloat(a.scv, 'g', -1, 64)
	}
	return name
}

// Recorded says whether the instants come from a file; Rate is known then.
func (a Arrivals) Recorded() bool { return a.trace != nil }

// Rate is the mean rate of recorded arrivals, a second: gaps over their sum.
func (a Arrivals) Rate() float64 {
	last := len(a.trace.instants) - 1
	return float64(last) / a.trace.instants[last].Seconds()
}

// gaps is the law of gaps with a mean in seconds; nil for recorded ones.
func (a Arrivals) gaps(mean float64) law.Law {
	switch a.shape {
	case poisson:
		return law.NewExponential(mean)
	case even:
		return law.NewDeterministic(mean)
	case gamma:
		return law.NewGamma(mean, a.scv)
	case hyper:
		l, _ := law.NewHyperexponential(mean, a.scv) // it refuses an SCV below 1, as ParseArrivals does
		return l
	}
	return nil
}

// Gaps is the law of the inter-arrival gaps of an open workload; nil where gaps are
// no independent draws of one law, since they are recorded or requests come in
// sessions.
func (w *Workload) Gaps() law.Law {
	if w.InSessions() {
		return nil
	}
	return w.Arrivals.gaps(1 / w.Rate)
}
