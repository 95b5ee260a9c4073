package kendall

import (
	"fmt"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/workload"
)

// ServiceLaw is the law of the service times with a mean and a squared
// coefficient of variation, 0 where none was given. G, which the notation does
// not settle, is taken as the gamma law of that mean and variation.
func (m Model) ServiceLaw(mean time.Duration, scv float64) (law.Law, error) {
	l, err := m.Service.law(mean, scv)
	if err != nil {
		return nil, fmt.Errorf("model %v: service: %w", m, err)
	}
	return l, nil
}

// ThinkLaw is the law of the think times of a closed model with a mean, nil
// for clients that do not think.
func (m Model) ThinkLaw(mean time.Duration) (law.Law, error) {
	if mean == 0 {
		return nil, nil
	}
	l, err := m.Arrival.law(mean, 0)
	if err != nil {
		return nil, fmt.Errorf("model %v: think time: %w", m, err)
	}
	return l, nil
}

// Arrivals is the shape of the gaps of an open model.
func (m Model) Arrivals() (workload.Arrivals, error) {
	switch m.Arrival.Kind {
	case Markovian:
		return workload.Poisson, nil
	case Deterministic:
		return workload.Even, nil
	}
	return workload.Arrivals{}, fmt.Errorf("model %v: arrivals with the law %v cannot be generated: use M or D", m, m.Arrival)
}

func (l Letter) law(mean time.Duration, scv float64) (law.Law, error) {
	if mean <= 0 {
		return nil, fmt.Errorf("the mean %v is not above 0", mean)
	}
	scv, err := l.ResolveSCV(scv)
	if err != nil {
		return nil, err
	}
	switch l.Kind {
	case Markovian:
		return law.NewExponential(mean.Seconds()), nil
	case Deterministic:
		return law.NewDeterministic(mean.Seconds()), nil
	case Erlang:
		return law.NewErlang(mean.Seconds(), l.Stages)
	case Hyperexponential:
		return law.NewHyperexponential(mean.Seconds(), scv)
	}
	return law.NewGamma(mean.Seconds(), scv), nil
}

// LetterOf is the letter that stands for a law; G where the notation has no
// narrower one, and for nil, times that follow no one law.
func LetterOf(l law.Law) Letter {
	switch l := l.(type) {
	case law.Exponential:
		return Letter{Kind: Markovian}
	case law.Deterministic:
		return Letter{Kind: Deterministic}
	case law.Erlang:
		return Letter{Kind: Erlang, Stages: l.Stages()}
	case law.Hyperexponential:
		return Letter{Kind: Hyperexponential, Stages: 2}
	}
	return Letter{Kind: General}
}

// Of is the model that a workload meets at a station with so many servers and
// that service law. Clients that do not think count as M, the exponential law
// of mean 0.
func Of(w *workload.Workload, service law.Law, servers int) Model {
	m := Model{Service: LetterOf(service), Servers: servers, Population: w.Clients}
	switch {
	case w.Open:
		m.Arrival = LetterOf(w.Gaps())
	case w.Think == nil:
		m.Arrival = Letter{Kind: Markovian}
	default:
		m.Arrival = LetterOf(w.Think)
	}
	return m
}
