package theory

import (
	"math"

	"queuelab/sim/kendall"
)

// MMcN is M/M/c//N, the closed system: N clients that think (exponential, mean
// Z, or not at all), ask, and wait for the answer; exponential service, c
// servers, one FIFO queue. It is a birth–death process with births (N-n)/Z and
// deaths min(n,c)μ (Gross et al. 2008, section 2.8), never unstable.
//
// A request finds the station as it would be with one client fewer (arrival
// theorem: Sevcik and Mitrani, Journal of the ACM 28 (1981) 358–371;
// Lavenberg and Reiser, Journal of Applied Probability 17 (1980) 1048–1061),
// which gives not only the mean latency R = N/X - Z but its distribution: with
// n found there, the latency is one service if n < c, and otherwise n-c+1
// departures at rate cμ before that service.
type MMcN struct {
	name        string
	mean, think float64 // S, Z
	servers     int
	clients     int
	throughput  float64
	waitMean    float64
	// waiting[k] and inside[k] are the probabilities that a request still
	// waits, and is still in the station, after k events of a Poisson
	// process of rate cμ, each of which is a departure while all servers
	// are busy, and with probability 1/c the request's own departure while
	// it is in service (uniformisation).
	waiting, inside []float64
}

var _ Distribution = (*MMcN)(nil)

func newMMcN(m kendall.Model, p Params) (Model, error) {
	q := &MMcN{name: m.String(), mean: p.Mean, think: p.Think, servers: m.Servers, clients: m.Population}
	busy := 0.0
	for n, pi := range q.present(q.clients) {
		busy += pi * float64(min(n, q.servers))
	}
	q.throughput = busy / q.mean
	q.uniformise(q.present(q.clients - 1))
	return q, nil
}

// present returns the probabilities of 0..n requests in the station when the
// system has n clients. They are computed by their logarithms, relative to the
// largest, since their ratios reach n!.
func (q *MMcN) present(n int) []float64 {
	pi := make([]float64, n+1)
	if q.think == 0 {
		pi[n] = 1
		return pi
	}
	most := 0.0
	for k := 1; k <= n; k++ {
		birth := float64(n-k+1) * (q.mean / q.think)
		pi[k] = pi[k-1] + math.Log(birth/float64(min(k, q.servers)))
		most = max(most, pi[k])
	}
	total := 0.0
	for k := range pi {
		pi[k] = math.Exp(pi[k] - most)
		total += pi[k]
	}
	for k := range pi {
		pi[k] /= total
	}
	return pi
}

// uniformise fills waiting, inside and the mean wait from the probabilities of
// what a request finds.
func (q *MMcN) uniformise(found []float64) {
	c := q.servers
	atOnce := 0.0 // finds a free server
	for n := 0; n < min(c, len(found)); n++ {
		atOnce += found[n]
	}
	behind := make([]float64, 1, max(1, len(found)-c+1)) // behind[m]: must wait for m departures
	behind[0] = atOnce
	for n := c; n < len(found); n++ {
		behind = append(behind, found[n])
	}
	q.waiting = make([]float64, len(behind))
	q.inside = make([]float64, len(behind))
	sum := 0.0
	for k := len(behind) - 1; k >= 0; k-- {
		q.waiting[k] = sum
		sum += behind[k]
		q.waitMean += float64(k) * behind[k] * q.mean / float64(c)
	}
	inService := 0.0
	for k := range behind {
		inService = inService*q.staying() + behind[k]
		q.inside[k] = q.waiting[k] + inService
	}
}

// staying is the probability that an event spares the request in service.
func (q *MMcN) staying() float64 { return 1 - 1/float64(q.servers) }

// String implements [Model].
func (q *MMcN) String() string { return q.name }

// Utilisation implements [Model].
func (q *MMcN) Utilisation() float64 { return q.throughput * q.mean / float64(q.servers) }

// Throughput implements [Model].
func (q *MMcN) Throughput() float64 { return q.throughput }

// Loss implements [Model]: there is none.
func (q *MMcN) Loss() float64 { return 0 }

// InSystem implements [Model], by Little's law.
func (q *MMcN) InSystem() float64 { return q.throughput * (q.mean + q.waitMean) }

// MeanWait implements [Model].
func (q *MMcN) MeanWait() (float64, error) { return q.waitMean, nil }

// MeanLatency implements [Model]. It is summed over what a request finds:
// N/X - Z is the same, but loses its digits when clients mostly think.
func (q *MMcN) MeanLatency() (float64, error) { return q.mean + q.waitMean, nil }

// WaitTail implements [Distribution].
func (q *MMcN) WaitTail(t float64) float64 {
	tail := 0.0
	poissonWeights(q.events(t), func(k int, weight float64) {
		if k < len(q.waiting) {
			tail += weight * q.waiting[k]
		}
	})
	return min(1, tail)
}

// LatencyTail implements [Distribution].
func (q *MMcN) LatencyTail(t float64) float64 {
	last := len(q.inside) - 1
	tail, beyond := 0.0, q.inside[last]
	poissonWeights(q.events(t), func(k int, weight float64) {
		if k <= last {
			tail += weight * q.inside[k]
			return
		}
		beyond *= q.staying()
		tail += weight * beyond
	})
	return min(1, tail)
}

// events is the mean number of uniformised events in t seconds.
func (q *MMcN) events(t float64) float64 { return max(t, 0) / q.mean * float64(q.servers) }

// WaitQuantile implements [Model].
func (q *MMcN) WaitQuantile(p float64) (float64, error) {
	return quantile(q.WaitTail, p, max(q.waitMean, q.mean))
}

// LatencyQuantile implements [Model].
func (q *MMcN) LatencyQuantile(p float64) (float64, error) {
	return quantile(q.LatencyTail, p, q.mean+q.waitMean)
}

// Formulas implements [Model].
func (q *MMcN) Formulas() map[string]string {
	return map[string]string{
		"throughput_per_s": "birth–death process, Gross et al. 2008, 2.8",
		"wait_ms":          "arrival theorem, Sevcik and Mitrani 1981",
		"latency_ms":       "arrival theorem, Sevcik and Mitrani 1981",
		"in_system":        "Little's law",
	}
}
