package theory

import (
	"math"

	"queuelab/sim/kendall"
)

// MMc is M/M/c: Poisson arrivals, exponential service, c servers, one FIFO
// queue, unlimited waiting room, a = λS < c. With Erlang's probability C that
// an arrival must wait,
//
//	Wq = C/(cμ-λ),  P(Wq > t) = C·e^{-(cμ-λ)t},  P(W > t) = e^{-μt} + Cμ·h(t)
//	h(t) = e^{-μt}(1-e^{-dt})/d,  d = (c-1)μ-λ
//
// Gross, Shortle, Thompson and Harris, Fundamentals of Queueing Theory (4th
// ed., 2008), section 2.3.
type MMc struct {
	name       string
	rate, mean float64 // λ, S
	servers    float64 // c
	load       float64 // a = λS, the mean number of busy servers
	delayed    float64 // C
}

var _ Distribution = (*MMc)(nil)

func newMMc(m kendall.Model, p Params) (Model, error) {
	load := p.Rate * p.Mean
	return &MMc{
		name: m.String(), rate: p.Rate, mean: p.Mean,
		servers: float64(m.Servers), load: load,
		delayed: erlangC(m.Servers, load),
	}, nil
}

// erlangB is the probability that all of c servers are busy where nobody
// waits, by the recursion B₀ = 1, Bₖ = aBₖ₋₁/(k+aBₖ₋₁): no factorial, hence no
// overflow.
func erlangB(servers int, load float64) float64 {
	b := 1.0
	for k := 1; k <= servers; k++ {
		b = load * b / (float64(k) + load*b)
	}
	return b
}

// erlangC is the probability that an arrival must wait for one of c servers.
func erlangC(servers int, load float64) float64 {
	b := erlangB(servers, load)
	rho := load / float64(servers)
	return b / (1 - rho + rho*b)
}

// String implements [Model].
func (q *MMc) String() string { return q.name }

// Utilisation implements [Model].
func (q *MMc) Utilisation() float64 { return q.load / q.servers }

// Throughput implements [Model]: what arrives leaves.
func (q *MMc) Throughput() float64 { return q.rate }

// Loss implements [Model]: there is none.
func (q *MMc) Loss() float64 { return 0 }

// InSystem implements [Model], by Little's law.
func (q *MMc) InSystem() float64 { return q.load + q.rate*q.waitMean() }

func (q *MMc) waitMean() float64 { return q.delayed * q.delayedMean() }

// delayedMean is the mean wait of those that wait at all, 1/(cμ-λ).
func (q *MMc) delayedMean() float64 { return q.mean / (q.servers - q.load) }

// MeanWait implements [Model].
func (q *MMc) MeanWait() (float64, error) { return q.waitMean(), nil }

// MeanLatency implements [Model].
func (q *MMc) MeanLatency() (float64, error) { return q.mean + q.waitMean(), nil }

// WaitTail implements [Distribution].
func (q *MMc) WaitTail(t float64) float64 {
	return q.delayed * math.Exp(-max(t, 0)/q.delayedMean())
}

// LatencyTail implements [Distribution].
func (q *MMc) LatencyTail(t float64) float64 {
	x := max(t, 0) / q.mean
	d := q.servers - 1 - q.load
	var h float64
	switch {
	case d > 0:
		h = math.Exp(-x) * -math.Expm1(-d*x) / d
	case d < 0: // the same, written so that no factor grows with x
		h = math.Exp(-(q.servers-q.load)*x) * -math.Expm1(d*x) / -d
	default:
		h = x * math.Exp(-x)
	}
	return min(1, math.Exp(-x)+q.delayed*h)
}

// WaitQuantile implements [Model].
func (q *MMc) WaitQuantile(p float64) (float64, error) {
	return exponentialQuantile(p, q.delayed, q.delayedMean())
}

// LatencyQuantile implements [Model].
func (q *MMc) LatencyQuantile(p float64) (float64, error) { return quantile(q.LatencyTail, p, q.mean) }

// Formulas implements [Model].
func (q *MMc) Formulas() map[string]string {
	const source = "Erlang C, Gross et al. 2008, 2.3"
	return map[string]string{"wait_ms": source, "latency_ms": source, "in_system": "Little's law"}
}
