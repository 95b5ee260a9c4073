package law

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"

	"queuelab/measure/record"
)

// Empirical draws with replacement from times that were seen.
type Empirical struct {
	name      string
	values    []float64
	mean, scv float64
}

var _ Law = (*Empirical)(nil)

// NewEmpirical returns the law of the given times in seconds, which it keeps;
// name is its spelling.
func NewEmpirical(name string, values []float64) (*Empirical, error) {
	if len(values) == 0 {
		return nil, errors.New("there are no times to draw from")
	}
	for _, v := range values {
		if !(v >= 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("%g s is not a time to draw", v)
		}
	}
	mean := stat.Mean(values, nil)
	if mean == 0 {
		return nil, errors.New("all times are zero")
	}
	return &Empirical{name, values, mean, stat.PopVariance(values, nil) / (mean * mean)}, nil
}

// parseEmpirical reads a run folder: a simulated run's service times, or a
// measured run's times from sending to answer, which are service times where
// the run had one closed client and thus no queue.
func parseEmpirical(args []string) (Law, error) {
	run, err := record.ReadRun(args[0])
	if err != nil {
		return nil, err
	}
	simulated := run.Source == record.Simulated
	switch w := run.Workload; {
	case simulated:
	case w.Loop != "closed" || w.Clients != 1:
		return nil, fmt.Errorf("the times of %s hold waiting, since its requests could queue: measure with -closed -clients 1", args[0])
	case w.Stall != "" || w.Retry > 0:
		return nil, fmt.Errorf("the times of %s hold stalls or further copies of requests: measure without -stall and -retry", args[0])
	}
	var times []float64
	err = record.ReadRunRequests(args[0], func(r *record.Request) {
		switch {
		case r.Outcome != record.Answered:
		case simulated:
			times = append(times, r.Service.Seconds())
		default:
			times = append(times, r.ClientSeen().Seconds())
		}
	})
	if err != nil {
		return nil, err
	}
	return NewEmpirical("file:"+args[0], times)
}

func (l *Empirical) Mean() float64             { return l.mean }
func (l *Empirical) SCV() float64              { return l.scv }
func (l *Empirical) Draw(r *rand.Rand) float64 { return l.values[r.IntN(len(l.values))] }
func (l *Empirical) String() string            { return l.name }
