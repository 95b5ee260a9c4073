package theory

import (
	"fmt"
	"math"

	"queuelab/sim/kendall"
)

// MG1 is M/G/1: Poisson arrivals, independent service times of any law, one
// FIFO server, unlimited waiting room, ρ = λS < 1. Only moments have a closed
// form for a law that is known by its moments (Pollaczek–Khinchine):
//
//	Wq    = λE[S²]/(2(1-ρ)) = S·ρ(1+SCV)/(2(1-ρ))
//	E[Wq²] = 2Wq² + λE[S³]/(3(1-ρ))
//
// Gross, Shortle, Thompson and Harris, Fundamentals of Queueing Theory (4th
// ed., 2008), section 5.1; the second moment follows from the transform of the
// wait (Takács 1962).
type MG1 struct {
	name       string
	rate, mean float64 // λ, S
	rho        float64
	waitMean   float64
	third      float64 // E[S³] in s³, 0 where it is not known
}

var _ Model = (*MG1)(nil)

func newMG1(m kendall.Model, p Params) (Model, error) {
	scv, err := m.Service.ResolveSCV(p.SCV)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", m, err)
	}
	third, err := thirdMoment(m.Service, p, scv)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", m, err)
	}
	rho := p.Rate * p.Mean
	return &MG1{
		name: m.String(), rate: p.Rate, mean: p.Mean, rho: rho, third: third,
		waitMean: p.Mean * rho * (1 + scv) / (2 * (1 - rho)),
	}, nil
}

// thirdMoment is E[S³] of a law with one parameter more than its mean, the
// given one of a general law, or 0 where nothing is known.
func thirdMoment(l kendall.Letter, p Params, scv float64) (float64, error) {
	cube := p.Mean * p.Mean * p.Mean
	switch l.Kind {
	case kendall.Markovian:
		return 6 * cube, nil
	case kendall.Erlang:
		k := float64(l.Stages)
		return cube * (1 + 1/k) * (1 + 2/k), nil
	case kendall.Hyperexponential: // balanced means: both branches do half of the work
		often := (1 + math.Sqrt((scv-1)/(scv+1))) / 2
		seldom := 1 / ((scv + 1) * 2 * often) // 1-often without its cancellation
		return 6 * cube / 8 * (1/(often*often) + 1/(seldom*seldom)), nil
	}
	if p.ThirdMoment == 0 {
		return 0, nil
	}
	// E[S²]² ≤ E[S]·E[S³] for any time (Cauchy–Schwarz); the slack is for
	// moments that were rounded.
	least := cube * (1 + scv) * (1 + scv)
	if !(p.ThirdMoment >= least*(1-1e-9) && p.ThirdMoment <= 1e60) {
		return 0, fmt.Errorf("no service time with mean %v s and squared coefficient of variation %v has a third moment of %v s³: it is at least %v", p.Mean, scv, p.ThirdMoment, least)
	}
	return p.ThirdMoment, nil
}

// String implements [Model].
func (q *MG1) String() string { return q.name }

// Utilisation implements [Model].
func (q *MG1) Utilisation() float64 { return q.rho }

// Throughput implements [Model]: what arrives leaves.
func (q *MG1) Throughput() float64 { return q.rate }

// Loss implements [Model]: there is none.
func (q *MG1) Loss() float64 { return 0 }

// InSystem implements [Model], by Little's law.
func (q *MG1) InSystem() float64 { return q.rho + q.rate*q.waitMean }

// MeanWait implements [Model].
func (q *MG1) MeanWait() (float64, error) { return q.waitMean, nil }

// MeanLatency implements [Model].
func (q *MG1) MeanLatency() (float64, error) { return q.mean + q.waitMean, nil }

// WaitSecondMoment is E[Wq²] in s²; it needs the third moment of the service
// time.
func (q *MG1) WaitSecondMoment() (float64, error) {
	if q.third == 0 {
		return 0, fmt.Errorf("%v: %w for the second moment of the wait without the third moment of the service time", q, ErrNoClosedForm)
	}
	return 2*q.waitMean*q.waitMean + q.rate*q.third/(3*(1-q.rho)), nil
}

// WaitQuantile implements [Model]: there is no closed form from moments alone.
func (q *MG1) WaitQuantile(float64) (float64, error) {
	return 0, noClosedForm(q, "quantiles of the wait")
}

// LatencyQuantile implements [Model]: there is no closed form from moments
// alone.
func (q *MG1) LatencyQuantile(float64) (float64, error) {
	return 0, noClosedForm(q, "quantiles of the latency")
}

// Formulas implements [Model].
func (q *MG1) Formulas() map[string]string {
	const source = "Pollaczek–Khinchine, Gross et al. 2008, 5.1"
	return map[string]string{"wait_ms": source, "latency_ms": source, "in_system": "Little's law"}
}
