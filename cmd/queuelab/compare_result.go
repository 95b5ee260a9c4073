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
}

func newCompared(a, b string, trials [2]*record.Run, order *compareOrder) *compared {
	out := &compared{A: a, B: b, Comparison: analysis.Compare(trials[0], trials[1], order.quantities)}
	if order.slower > 0 {
		out.Gate = &gate{
			Share:  order.slower,
			Slower: names(out.Exceeding(order.slower)),
			Blind:  names(out.Blind(order.slower)),
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
	if len(r.Gate.Slower) > 0 {
		return allowed + "B is slower by as much in " + strings.Join(r.Gate.Slower, ", ") + blind
	}
	return allowed + "B is not shown to be slower by as much" + blind
}

// exceeded is the error of a gate that does not let B pass.
func (r *compared) exceeded() error {
	if r.Gate == nil || len(r.Gate.Slower) == 0 {
		return nil
	}
	return marginError{fmt.Errorf("-fail-if-slower %.4g%%: B is slower by as much in %s", 100*r.Gate.Share, strings.Join(r.Gate.Slower, ", "))}
}
