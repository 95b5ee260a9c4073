package theory

import (
	"fmt"

	"gonum.org/v1/gonum/mathext"

	"queuelab/sim/kendall"
)

// Saturated is G/G/1//N with no think time: N clients that ask again at once
// keep one server busy all the time, whatever its law, so that
//
//	X = 1/S,  R = N·S
//
// (Denning and Buzen, The Operational Analysis of Queueing Network Models,
// Computing Surveys 10 (1978) 225–261). In a FIFO queue a request always finds
// N-1 others, the first of which has just begun: its latency is the sum of N
// whole service times, and its wait of N-1. That is a constant for D, an
// Erlang law for Ek, and has no closed form for other laws. The letter of
// the think time does not matter, since there is none.
type Saturated struct {
	name    string
	mean    float64 // S
	clients int
	service kendall.Letter
}

var _ Model = (*Saturated)(nil)

func newSaturated(m kendall.Model, p Params) (Model, error) {
	if p.Think != 0 {
		return nil, fmt.Errorf("%v: %w with a think time unless think and service times are exponential: simulate it", m, ErrNoClosedForm)
	}
	return &Saturated{name: m.String(), mean: p.Mean, clients: m.Population, service: m.Service}, nil
}

// String implements [Model].
func (q *Saturated) String() string { return q.name }

// Utilisation implements [Model].
func (q *Saturated) Utilisation() float64 { return 1 }

// Throughput implements [Model].
func (q *Saturated) Throughput() float64 { return 1 / q.mean }

// Loss implements [Model]: there is none.
func (q *Saturated) Loss() float64 { return 0 }

// InSystem implements [Model]: everyone, always.
func (q *Saturated) InSystem() float64 { return float64(q.clients) }

// MeanWait implements [Model].
func (q *Saturated) MeanWait() (float64, error) { return float64(q.clients-1) * q.mean, nil }

// MeanLatency implements [Model].
func (q *Saturated) MeanLatency() (float64, error) { return float64(q.clients) * q.mean, nil }

// WaitQuantile implements [Model] for D, M and Ek.
func (q *Saturated) WaitQuantile(p float64) (float64, error) { return q.sumQuantile(q.clients-1, p) }

// LatencyQuantile implements [Model] for D, M and Ek.
func (q *Saturated) LatencyQuantile(p float64) (float64, error) { return q.sumQuantile(q.clients, p) }

// sumQuantile is the quantile of the sum of n service times.
func (q *Saturated) sumQuantile(n int, p float64) (float64, error) {
	if err := checkQuantile(p); err != nil {
		return 0, err
	}
	sum := float64(n) * q.mean
	switch q.service.Kind {
	case kendall.Deterministic:
		return sum, nil
	case kendall.Markovian:
		return erlangQuantile(float64(n), q.mean, p)
	case kendall.Erlang:
		k := float64(q.service.Stages)
		return erlangQuantile(float64(n)*k, q.mean/k, p)
	}
	return 0, noClosedForm(q, "quantiles")
}

// erlangQuantile is the quantile of the sum of so many exponential stages.
func erlangQuantile(stages, mean, p float64) (float64, error) {
	if stages == 0 {
		return 0, nil
	}
	x, err := quantile(func(x float64) float64 { return mathext.GammaIncRegComp(stages, x) }, p, stages)
	return x * mean, err
}

// Formulas implements [Model].
func (q *Saturated) Formulas() map[string]string {
	const source = "saturated server, Denning and Buzen 1978"
	return map[string]string{
		"throughput_per_s": source, "in_system": source,
		"wait_ms": "sum of N-1 service times (FIFO)", "latency_ms": "sum of N service times (FIFO)",
	}
}
