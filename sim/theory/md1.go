package theory

import (
	"math"

	"queuelab/sim/kendall"
)

// MD1 is M/D/1: Poisson arrivals, a constant service time D, one FIFO server,
// unlimited waiting room, ρ = λD < 1. The mean wait is Pollaczek–Khinchine's
// with SCV 0,
//
//	Wq = D·ρ/(2(1-ρ))
//
// and the distribution is Franx's (A simple solution for the M/D/c waiting
// time distribution, Operations Research Letters 29 (2001) 221–229): for
// (k-1)D ≤ x < kD,
//
//	P(Wq ≤ x) = Σ_{j<k} Q(k-1-j)·Pois(j; λ(kD-x)),  Q(m) = P(at most m+1 in system)
//
// taken here as the complementary sum, all of whose terms are positive, so
// that quantiles far in the tail keep their digits. (Erlang's alternating sum
// of 1909 is useless in float64 from ρ = 0.9 on.) Beyond [md1Exact] services
// the tail is its dominant pole alone; see [MD1.farTail].
type MD1 struct {
	name       string
	rate, mean float64 // λ, D
	rho        float64
	waitMean   float64
	// above[n] is P(more than n in system).
	above [md1Exact + 1]float64
	// decay is θ, by which the tail falls in each service time, and weight
	// the factor before exp(-θx/D).
	decay, weight float64
}

// md1Exact is how many service times of wait are summed exactly. After n of
// them, what the dominant pole leaves out is smaller than it by more than
// exp(-1.9n) at any load where a wait that long has a probability that float64
// can tell from 0, so 64 leaves no visible seam.
const md1Exact = 64

var _ Distribution = (*MD1)(nil)

func newMD1(m kendall.Model, p Params) (Model, error) {
	rho := p.Rate * p.Mean
	q := &MD1{
		name: m.String(), rate: p.Rate, mean: p.Mean, rho: rho,
		waitMean: p.Mean * rho / (2 * (1 - rho)),
	}
	q.decay = md1Decay(rho)
	q.weight = (1 - rho) / (q.decay - (1 - rho))
	q.count()
	return q, nil
}

// count fills above from the probabilities of n in system,
//
//	p(n) = e^ρ·[p(0)·P(A > n-1) + Σ_{0<k<n} p(k)·P(A > n-k)],  A ~ Poisson(ρ)
//
// a recursion of positive terms, hence stable.
func (q *MD1) count() {
	arrivals := poissonAbove(q.rho, md1Exact+1)
	var p [md1Exact + 1]float64
	p[0] = 1 - q.rho
	for n := 1; n <= md1Exact; n++ {
		sum := p[0] * arrivals[n-1]
		for k := 1; k < n; k++ {
			sum += p[k] * arrivals[n-k]
		}
		p[n] = sum * math.Exp(q.rho)
	}
	// Beyond the last one p falls geometrically, by exp(-θ) each.
	q.above[md1Exact] = p[md1Exact] / math.Expm1(q.decay)
	for n := md1Exact - 1; n >= 0; n-- {
		q.above[n] = q.above[n+1] + p[n+1]
	}
}

// String implements [Model].
func (q *MD1) String() string { return q.name }

// Utilisation implements [Model].
func (q *MD1) Utilisation() float64 { return q.rho }

// Throughput implements [Model]: what arrives leaves.
func (q *MD1) Throughput() float64 { return q.rate }

// Loss implements [Model]: there is none.
func (q *MD1) Loss() float64 { return 0 }

// InSystem implements [Model], by Little's law.
func (q *MD1) InSystem() float64 { return q.rho + q.rate*q.waitMean }

// MeanWait implements [Model].
func (q *MD1) MeanWait() (float64, error) { return q.waitMean, nil }

// MeanLatency implements [Model].
func (q *MD1) MeanLatency() (float64, error) { return q.mean + q.waitMean, nil }

// WaitTail implements [Distribution].
func (q *MD1) WaitTail(t float64) float64 {
	x := max(t, 0) / q.mean
	if x >= md1Exact {
		return q.farTail(x)
	}
	k := int(x) + 1
	// P(N > k-1) + Σ_{j<k} P(N = j)·P(more than k-j in system), N ~ Poisson(y)
	y := q.rho * (float64(k) - x)
	arrivals := poissonAbove(y, k)
	tail, pois := arrivals[k-1], math.Exp(-y)
	for j := 0; j < k; j++ {
		tail += pois * q.above[k-j]
		pois *= y / float64(j+1)
	}
	return tail
}

// farTail is the tail at x ≥ [md1Exact] services. The transform of the wait,
// (1-ρ)s/(s-ρ+ρe^{-s}), has a simple pole at -θ, where ρe^θ = ρ+θ; its residue
// gives P(Wq > x) ~ (1-ρ)/(ρ+θ-1)·e^{-θx}.
func (q *MD1) farTail(x float64) float64 { return q.weight * math.Exp(-q.decay*x) }

// LatencyTail implements [Distribution]: the wait, one service later.
func (q *MD1) LatencyTail(t float64) float64 {
	if t < q.mean {
		return 1
	}
	return q.WaitTail(t - q.mean)
}

// WaitQuantile implements [Model].
func (q *MD1) WaitQuantile(p float64) (float64, error) { return quantile(q.WaitTail, p, q.mean) }

// LatencyQuantile implements [Model].
func (q *MD1) LatencyQuantile(p float64) (float64, error) {
	wait, err := q.WaitQuantile(p)
	if err != nil {
		return 0, err
	}
	return q.mean + wait, nil
}

// Formulas implements [Model].
func (q *MD1) Formulas() map[string]string {
	const source = "mean Pollaczek–Khinchine, quantiles Franx 2001"
	return map[string]string{"wait_ms": source, "latency_ms": source, "in_system": "Little's law"}
}

// md1Decay is the positive root θ of ρe^θ = ρ+θ, written as
// (e^θ-1-θ)/θ = (1-ρ)/ρ so that nothing cancels as ρ approaches 1.
func md1Decay(rho float64) float64 {
	target := (1 - rho) / rho
	// The left side is at least θ/2, and exceeds the right one at 2·ln(2/ρ).
	lo, hi := 0.0, min(2*target, 2*math.Log(2/rho))
	for {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			return hi
		}
		if expm1Excess(mid) < target {
			lo = mid
		} else {
			hi = mid
		}
	}
}

// expm1Excess is (e^x-1-x)/x for x > 0.
func expm1Excess(x float64) float64 {
	if x > 1 {
		return math.Expm1(x)/x - 1
	}
	sum, term := 0.0, 1.0
	for k := 2.0; term > sum*1e-17; k++ {
		term *= x / k
		sum += term
	}
	return sum
}
