// Package theory holds closed forms of queueing theory, one model a file.
//
// Times are float64 seconds and rates float64 per second throughout this
// package, because a formula's natural unit is the service time, not the
// nanosecond; callers convert at the edge. Quantiles are those of the
// continuous distribution (no sample, hence no rank).
//
// Every constructor refuses what its formula does not cover, so that no method
// returns a negative, infinite or NaN figure: an open model at or above its
// capacity is an [UnstableError], and a figure for which a model has no closed
// form is [ErrNoClosedForm].
package theory

import (
	"errors"
	"fmt"
)

// Model is a queue in its steady state. All models answer the same questions,
// so that a caller need not know which one it holds.
type Model interface {
	// String is the model in Kendall's notation.
	String() string
	// Utilisation is ρ, the fraction of the servers' time that is busy.
	Utilisation() float64
	// Throughput is X, in answers per second.
	Throughput() float64
	// Loss is the fraction of arrivals that are turned away.
	Loss() float64
	// InSystem is the mean number of requests waiting and in service.
	InSystem() float64
	// MeanWait is the mean waiting time in queue, in seconds.
	MeanWait() (float64, error)
	// MeanLatency is the mean time from arrival to answer, in seconds.
	MeanLatency() (float64, error)
	// WaitQuantile is the time that the wait exceeds with probability 1-q,
	// in seconds, for 0 ≤ q < 1. The wait has an atom at 0.
	WaitQuantile(q float64) (float64, error)
	// LatencyQuantile is the same for the latency.
	LatencyQuantile(q float64) (float64, error)
	// Formulas names the source of each figure by its key in a run's JSON:
	// wait_ms, latency_ms, throughput_per_s and so on.
	Formulas() map[string]string
}

// Distribution is a [Model] that knows its distributions, not only quantiles.
type Distribution interface {
	Model
	// WaitTail is P(wait > t), for t in seconds.
	WaitTail(t float64) float64
	// LatencyTail is P(latency > t), for t in seconds.
	LatencyTail(t float64) float64
}

var (
	// ErrUnstable says that the model has no steady state: work arrives
	// faster than it can be done. The error that [New] returns for it is an
	// *[UnstableError].
	ErrUnstable = errors.New("no steady state")
	// ErrNoClosedForm says that the model has no closed form for what was
	// asked; a simulation can still answer.
	ErrNoClosedForm = errors.New("no closed form")
)

// UnstableError is the [ErrUnstable] of one model. An overloaded station is
// not without law: its latency grows steadily.
type UnstableError struct {
	// Model is the model in Kendall's notation.
	Model string
	// Utilisation is the offered ρ, at least 1.
	Utilisation float64
}

// Error says what is overloaded, by how much and what to do.
func (e *UnstableError) Error() string {
	return fmt.Sprintf("%s has no steady state at a utilisation of %.4g: lower the rate or the service time, or add servers", e.Model, e.Utilisation)
}

// Is makes errors.Is(err, [ErrUnstable]) true.
func (e *UnstableError) Is(target error) bool { return target == ErrUnstable }

// Growth is by how many seconds the latency grows in each second of overload,
// ρ-1: the fluid limit, in which a request sent t seconds after the overload
// began waits (ρ-1)t.
func (e *UnstableError) Growth() float64 { return e.Utilisation - 1 }

// noClosedForm is the error of a figure that the model cannot give.
func noClosedForm(model fmt.Stringer, figure string) error {
	return fmt.Errorf("%v: %w for the %s: simulate it", model, ErrNoClosedForm, figure)
}

// checkQuantile refuses what is no probability below 1.
func checkQuantile(q float64) error {
	if !(q >= 0 && q < 1) {
		return fmt.Errorf("the quantile %v is not a number from 0 up to, but not including, 1", q)
	}
	return nil
}
