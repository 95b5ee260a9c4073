package theory

import (
	"errors"
	"fmt"
)

// Demand is what one request asks of one station: its total service time
// there, spread over so many servers.
type Demand struct {
	// Seconds is the service demand D_i, summed over the visits of one
	// request.
	Seconds float64
	// Servers is c_i, at least 1.
	Servers int
}

// Bounds are the asymptotic bounds of a closed system with think time Z, which
// hold for every law and discipline:
//
//	X ≤ min(N/(D+Z), 1/Dmax),  R ≥ max(D, N·Dmax - Z)
//
// with D the sum of the demands and Dmax the largest demand per server. They
// cross at the knee N* = (D+Z)/Dmax, beyond which clients must queue. Denning
// and Buzen, The Operational Analysis of Queueing Network Models, Computing
// Surveys 10 (1978) 225–261.
type Bounds struct {
	total, bottleneck, think float64 // D, Dmax, Z in seconds
}

// NewBounds returns the bounds for a think time in seconds and the stations
// that a request visits.
func NewBounds(think float64, stations ...Demand) (Bounds, error) {
	if !(think >= 0 && think <= maxTime) {
		return Bounds{}, fmt.Errorf("the think time %v s is not between 0 and %v s", think, maxTime)
	}
	if len(stations) == 0 {
		return Bounds{}, errors.New("bounds need at least one station with a service demand")
	}
	b := Bounds{think: think}
	for i, s := range stations {
		if !(s.Seconds >= minTime && s.Seconds <= maxTime) {
			return Bounds{}, fmt.Errorf("the service demand %v s of station %d is not between %v and %v s", s.Seconds, i+1, minTime, maxTime)
		}
		if s.Servers < 1 {
			return Bounds{}, fmt.Errorf("station %d has %d servers: it needs at least 1", i+1, s.Servers)
		}
		b.total += s.Seconds
		b.bottleneck = max(b.bottleneck, s.Seconds/float64(s.Servers))
	}
	return b, nil
}

// MaxThroughput is the upper bound on X, in answers per second, with so many
// clients; nobody answers fewer than none.
func (b Bounds) MaxThroughput(clients int) float64 {
	return min(float64(max(clients, 0))/(b.total+b.think), b.Capacity())
}

// MinLatency is the lower bound on R, in seconds, with so many clients.
func (b Bounds) MinLatency(clients int) float64 {
	return max(b.total, float64(clients)*b.bottleneck-b.think)
}

// Capacity is 1/Dmax, the throughput that no number of clients exceeds.
func (b Bounds) Capacity() float64 { return 1 / b.bottleneck }

// Knee is N*, the number of clients at which the two bounds cross.
func (b Bounds) Knee() float64 { return (b.total + b.think) / b.bottleneck }
