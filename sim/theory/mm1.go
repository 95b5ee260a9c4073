package theory

import (
	"math"

	"queuelab/sim/kendall"
)

// MM1 is M/M/1: Poisson arrivals, exponential service, one FIFO server,
// unlimited waiting room, ρ = λS < 1. The latency is exponential with mean
//
//	W = S/(1-ρ)
//
// and the wait is 0 with probability 1-ρ and as long as the latency
// otherwise. Gross, Shortle, Thompson and Harris, Fundamentals of Queueing
// Theory (4th ed., 2008), section 2.2.
type MM1 struct {
	name              string
	rate, mean        float64 // λ, S
	rho, latencyMean  float64
	waitMean, present float64 // present is the mean number in system
}

var _ Distribution = (*MM1)(nil)

func newMM1(m kendall.Model, p Params) (Model, error) {
	rho := p.Rate * p.Mean
	return &MM1{
		name: m.String(), rate: p.Rate, mean: p.Mean, rho: rho,
		latencyMean: p.Mean / (1 - rho),
		waitMean:    p.Mean * rho / (1 - rho),
		present:     rho / (1 - rho),
	}, nil
}

// String implements [Model].
func (q *MM1) String() string { return q.name }

// Utilisation implements [Model].
func (q *MM1) Utilisation() float64 { return q.rho }

// Throughput implements [Model]: what arrives leaves.
func (q *MM1) Throughput() float64 { return q.rate }

// Loss implements [Model]: there is none.
func (q *MM1) Loss() float64 { return 0 }

// InSystem implements [Model].
func (q *MM1) InSystem() float64 { return q.present }

// MeanWait implements [Model].
func (q *MM1) MeanWait() (float64, error) { return q.waitMean, nil }

// MeanLatency implements [Model].
func (q *MM1) MeanLatency() (float64, error) { return q.latencyMean, nil }

// WaitTail implements [Distribution].
func (q *MM1) WaitTail(t float64) float64 { return q.rho * q.LatencyTail(t) }

// LatencyTail implements [Distribution].
func (q *MM1) LatencyTail(t float64) float64 { return math.Exp(-max(t, 0) / q.latencyMean) }

// WaitQuantile implements [Model].
func (q *MM1) WaitQuantile(p float64) (float64, error) {
	return exponentialQuantile(p, q.rho, q.latencyMean)
}

// LatencyQuantile implements [Model].
func (q *MM1) LatencyQuantile(p float64) (float64, error) {
	return exponentialQuantile(p, 1, q.latencyMean)
}

// Formulas implements [Model].
func (q *MM1) Formulas() map[string]string {
	const source = "M/M/1, Gross et al. 2008, 2.2"
	return map[string]string{"wait_ms": source, "latency_ms": source, "in_system": source}
}
