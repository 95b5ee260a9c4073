package main

import (
	"fmt"
	"strings"

	"queuelab/analysis"
	"queuelab/measure/record"
)

// compared is the result of compare, as -json prints it.
type compared struct {
	A           string `json:"a"` // its folder or command
	B           string `json:"b"`
	Order       string `json:"order,omitempty"` // of the runs that were taken: "ABBA"
	Interrupted bool   `json:"interrupted,omitempty"`
	*analysis.Comparison
	Gate *gate `json:"fail_if_slower,omitempty"`
}

// gate is what -fail-if-slower says.
type gate struct {
	Share  float64  `json:"share"`  // of A's value
	Slower []string `json:"slower"` // quantities in which B is slower by as much
	Blind  []string `json:"blind"`  // in which these runs could not have shown that
	Fails  bool     `json:"fails"`  // B leaves more requests without an answer, by as much
}

func newCompared(a, b string, trials [2]*record.Run, order *compareOrder) *compared {
	out := &compared{A: a, B: b, Comparison: analysis.Compare(trials[0], trials[1], order.quantities)}
	if order.slower > 0 {
		out.Gate = &gate{
			Share:  order.slower,
			Slower: names(out.Exceeding(order.slower)),
			Blind:  names(out.Blind(order.slower)),
			Fails:  out.FailsMore(order.slower),
		}
	}
	return out
}

func names(quantities []analysis.Compared) []string {
	out := []string{}
	for _, q := range quantities {
		out = append(out, q.Quantity)
	}
	return out
}

// words is the gate in a sentence; "" without one.
func (r *compared) words() string {
	if r.Gate == nil {
		return ""
	}
	allowed := fmt.Sprintf("-fail-if-slower %.4g%%: ", 100*r.Gate.Share)
	blind := ""
	if len(r.Gate.Blind) > 0 {
		blind = fmt.Sprintf("; these runs could not have shown as much in %s: take more or longer ones", strings.Join(r.Gate.Blind, ", "))
	}
	if verdict := r.Gate.verdict(); verdict != "" {
		return allowed + verdict + blind
	}
	return allowed + "B is not shown to be slower by as much" + blind
}

// exceeded is the error of a gate that does not let B pass.
func (r *compared) exceeded() error {
	if r.Gate == nil {
		return nil
	}
	verdict := r.Gate.verdict()
	switch {
	case verdict != "":
		return marginError{fmt.Errorf("-fail-if-slower %.4g%%: %s", 100*r.Gate.Share, verdict)}
	case r.TooFew():
		return usagef("-fail-if-slower cannot be judged: %d runs against %d show no difference, however large: take more", r.RunsA, r.RunsB)
	}
	return nil
}

// verdict says why the gate does not let B pass; "" when it does.
func (g *gate) verdict() string {
	var reasons []string
	if len(g.Slower) > 0 {
		reasons = append(reasons, "B is slower by as much in "+strings.Join(g.Slower, ", "))
	}
	if g.Fails {
		reasons = append(reasons, "B leaves more of its requests without an answer, by as much")
	}
	return strings.Join(reasons, "; ")
}
