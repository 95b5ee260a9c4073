// Package kendall reads Kendall's notation for a queue, A/S/c/K/N, once for
// the simulator and the theory alike.
//
// A is the law of the inter-arrival gaps and S the law of the service times,
// each one of M (exponential, "Markovian"), D (deterministic), E2, E3, …
// (Erlang with that many stages), H2 (hyperexponential, balanced means) and G
// (general). c is the number of servers, K the capacity of the whole station
// (servers and waiting places together) and N the population. K and N may be
// left out, left empty or written "inf": M/M/1//10 is a closed system of ten
// clients in front of one exponential server.
//
// D. G. Kendall, "Stochastic Processes Occurring in the Theory of Queues and
// their Analysis by the Method of the Imbedded Markov Chain", Annals of
// Mathematical Statistics 24 (1953) 338–354, gave the first three parts.
package kendall

import (
	"fmt"
	"strconv"
	"strings"
)

// Max bounds servers, capacity, population and Erlang stages, so that a slip
// of the finger is refused instead of filling the memory.
const Max = 1_000_000

// Model is a queue in Kendall's notation. The zero value is not a model; use
// [Parse].
type Model struct {
	// Arrival and Service are the laws of gaps and of service times. In a
	// closed model, Arrival is the law of the think time.
	Arrival, Service Letter
	// Servers is c, at least 1.
	Servers int
	// Capacity is K, the most requests that fit in the station (in service
	// and waiting); 0 stands for no limit.
	Capacity int
	// Population is N, the number of clients of a closed system; 0 stands
	// for an open one.
	Population int
}

// Parse reads a model such as "M/D/1", "G/E4/3", "M/M/3/7" or "M/M/1//10".
// Letters may be in either case.
func Parse(text string) (Model, error) {
	parts := strings.Split(strings.TrimSpace(text), "/")
	if len(parts) < 3 || len(parts) > 5 {
		return Model{}, fmt.Errorf("model %q has %d parts, not three to five: write A/S/c, A/S/c/K or A/S/c/K/N, such as M/D/1", text, len(parts))
	}
	arrival, err := parseLetter(parts[0])
	if err != nil {
		return Model{}, fmt.Errorf("model %q: arrivals: %w", text, err)
	}
	service, err := parseLetter(parts[1])
	if err != nil {
		return Model{}, fmt.Errorf("model %q: service: %w", text, err)
	}
	servers, err := parseCount(parts[2])
	if err != nil {
		return Model{}, fmt.Errorf("model %q: servers: %w", text, err)
	}
	m := Model{Arrival: arrival, Service: service, Servers: servers}
	if len(parts) > 3 {
		if m.Capacity, err = parseLimit(parts[3]); err != nil {
			return Model{}, fmt.Errorf("model %q: capacity: %w", text, err)
		}
	}
	if len(parts) > 4 {
		if m.Population, err = parseLimit(parts[4]); err != nil {
			return Model{}, fmt.Errorf("model %q: population: %w", text, err)
		}
	}
	if m.Capacity != 0 && m.Capacity < m.Servers {
		return Model{}, fmt.Errorf("model %q: capacity %d is less than the %d servers that it counts: K is servers and waiting places together", text, m.Capacity, m.Servers)
	}
	return m, nil
}

// String writes the model in its shortest form; [Parse] reads it back.
func (m Model) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v/%v/%d", m.Arrival, m.Service, m.Servers)
	if m.Capacity == 0 && m.Population == 0 {
		return b.String()
	}
	b.WriteByte('/')
	if m.Capacity != 0 {
		b.WriteString(strconv.Itoa(m.Capacity))
	}
	if m.Population != 0 {
		b.WriteByte('/')
		b.WriteString(strconv.Itoa(m.Population))
	}
	return b.String()
}

// Closed says whether the model has a finite population: clients that wait
// for their answer before they ask again.
func (m Model) Closed() bool { return m.Population != 0 }

// WaitingPlaces is the capacity without the servers, and whether it is
// limited at all.
func (m Model) WaitingPlaces() (places int, limited bool) {
	if m.Capacity == 0 {
		return 0, false
	}
	return m.Capacity - m.Servers, true
}

func parseCount(text string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 1 || n > Max {
		return 0, fmt.Errorf("%q is not a whole number from 1 to %d", text, Max)
	}
	return n, nil
}

// parseLimit reads a count that may also be absent: 0 stands for no limit.
func parseLimit(text string) (int, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "inf", "∞":
		return 0, nil
	}
	n, err := parseCount(text)
	if err != nil {
		return 0, fmt.Errorf("%w, inf or nothing", err)
	}
	return n, nil
}
