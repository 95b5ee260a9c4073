package reports

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"queuelab/measure/peer"
)

// generators is a study of load generators alone. Its lines: 2 name, 3 title,
// 4 question, 5 experiments, 6 to 8 the experiments, 9 profiles, 10 the profile.
const generators = `
name: generators
title: A
question: Q?
experiments:
  - {kind: cost, clients: [16], tools: [queuelab, wrk, hey], goals: {at_most: {hey: 0.6}}}
  - {kind: queries, title: B, clients: [4], tools: [queuelab, pgbench], goals: {at_least: {pgbench: 0.9}}}
  - {kind: lateness, rates: [5000, 1000], tools: [queuelab, vegeta], goals: {p50: 20us, p99: 200us, rate_error: 0.1%, scv: {1000: 0.02}, better: {vegeta: {p50: 10, p99: 5}}}}
profiles:
  quick: {cost: 5s, queries: 4s, lateness: 10s, reps: 3}
`

func TestParseReadsPeers(t *testing.T) {
	s := parsed(t, generators)
	want := []Experiment{
		{Kind: CostKind, Title: "What a request costs the load generator", Clients: []int{16}, Tools: []string{"queuelab", "wrk", "hey"},
			Goals: &Goals{AtMost: map[string]float64{"hey": 0.6}}},
		{Kind: QueriesKind, Title: "B", Clients: []int{4}, Tools: []string{"queuelab", "pgbench"},
			Goals: &Goals{AtLeast: map[string]float64{"pgbench": 0.9}}},
		{Kind: LatenessKind, Title: "How late requests are sent", Rates: []float64{1000, 5000}, Tools: []string{"queuelab", "vegeta"},
			Goals: &Goals{P50: 20 * time.Microsecond, P99: 200 * time.Microsecond, RateError: 0.001,
				SCV: map[float64]float64{1000: 0.02}, Better: map[string]Advantage{"vegeta": {P50: 10, P99: 5}}}},
	}
	if !reflect.DeepEqual(s.Experiments, want) {
		t.Errorf("got  %+v\nwant %+v", s.Experiments, want)
	}
	p := Profile{Cost: 5 * time.Second, Queries: 4 * time.Second, Lateness: 10 * time.Second, Reps: 3, MaxLoad: 1, Scale: 1, ScenarioReps: 1}
	if got := s.Profiles["quick"]; got != p {
		t.Errorf("the profile is %+v, want %+v", got, p)
	}
	if !s.HasPeers() || !s.peersAlone() || parsed(t, minimal).HasPeers() {
		t.Error("whether a study compares load generators is not seen")
	}
	mixed := strings.NewReplacer("loads: [0.5]}", "loads: [0.5]}\n  - {kind: cost, clients: [1], tools: [queuelab]}", "open: 1s}", "open: 1s, cost: 1s}")
	both := parsed(t, mixed.Replace(minimal))
	if !both.HasPeers() || both.peersAlone() || len(both.Experiments[1].Targets) > 0 {
		t.Errorf("beside a target: %+v", both.Experiments)
	}
}

// Every load generator that a kind takes is one that can be found.
func TestPeerKindsNameKnownTools(t *testing.T) {
	for _, k := range peerKinds {
		for _, tool := range k.tools {
			if !slices.Contains(peer.Names(), tool) || toolColours[tool] == "" {
				t.Errorf("kind %s takes %s, which cannot be found or has no colour", k.kind, tool)
			}
		}
	}
}

func TestParseRefusesPeers(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"kind: cost, clients: [16], ", "kind: cost, ", `:6: experiment 1 needs clients, the number of closed clients, such as clients: [16]`},
		{"clients: [16]", "clients: [16, 32]", `clients of experiment 1 has 2 numbers; kind: cost takes one`},
		{"clients: [16]", "clients: [16], rates: [1]", `rates of experiment 1 cannot be set, because it does not belong to kind: cost`},
		{"clients: [16]", "clients: [16], targets: [nginx]", `targets of experiment 1 cannot be set, because it does not belong to kind: cost`},
		{"tools: [queuelab, wrk, hey], ", "", `experiment 1 needs tools, the load generators to compare`},
		{"[queuelab, wrk, hey]", "[queuelab, wrk, heyy]", `tools of experiment 1 is "heyy"; did you mean "hey"?`},
		{"[queuelab, wrk, hey]", "[queuelab, hey, hey]", `tools of experiment 1 names hey twice; remove one`},
		{"[queuelab, wrk, hey]", "[wrk, hey]", `tools of experiment 1 lacks queuelab, which the others are compared with; add it`},
		{"[queuelab, vegeta]", "[queuelab, vegeta, wrk]", `:8: tools of experiment 3 is "wrk"; use one of queuelab, vegeta, bombardier, hey`},
		{"at_most: {hey: 0.6}", "at_least: {hey: 0.6}", `the goals of experiment 1 has no key "at_least"; `},
		{"at_most: {hey: 0.6}", "at_most: {ab: 0.6}", `at_most of the goals of experiment 1 has no key "ab"`},
		{"at_most: {hey: 0.6}", "at_most: {hey: much}", `hey of at_most of the goals of experiment 1 is "much", which is not a number`},
		{"at_most: {hey: 0.6}", "at_most: 0.6", `at_most of the goals of experiment 1 must be a mapping with wrk, hey`},
		{"goals: {at_most: {hey: 0.6}}", "goals: 5", `the goals of experiment 1 must be a mapping with at_most`},
		{"rates: [5000, 1000]", "rates: [0.5]", `rates of experiment 3 is "0.5", which is not a whole number`},
		{"rates: [5000, 1000]", "rates: [1000, 1000]", `rates of experiment 3 has 1000 twice`},
		{"rates: [5000, 1000]", "rates: [1, 2, 3, 4, 5, 6]", `rates of experiment 3 has 6 rates; a figure has room for 5`},
		{"rates: [5000, 1000], ", "", `experiment 3 needs rates, the rates in requests a second`},
		{"p50: 20us", "p50: 20", `p50 of the goals of experiment 3 is "20", which is a number without a unit`},
		{"rate_error: 0.1%", "rate_error: 0.1", `rate_error of the goals of experiment 3 is 0.1 without a unit; write 10%`},
		{"scv: {1000: 0.02}", "scv: {2000: 0.02}", `scv of the goals of experiment 3 has no key "2000"; did you mean "1000"?`},
		{"{p50: 10, p99: 5}", "{p90: 10}", `vegeta of better of the goals of experiment 3 has no key "p90"`},
		{"cost: 5s, ", "", `:10: profile quick needs cost, the length of a run of an experiment of kind cost, such as cost: 5s`},
		{"cost: 5s", "cost: 1500ms", `cost of profile quick is 1.5s; write whole seconds, such as 5s`},
		{"experiments:", "targets:\n  - {name: T, lab: nginx}\nexperiments:", `no experiment has target 1, "T"; name it in one or remove it`},
	} {
		if !strings.Contains(generators, c.old) {
			t.Fatalf("%q does not stand in the study", c.old)
		}
		_, err := Parse("s.yaml", []byte(strings.Replace(generators, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot  %v\nwant %s", c.new, err, c.want)
		}
	}
	_, err := Parse("s.yaml", []byte(strings.Replace(minimal, "targets:\n  - {name: T, serve: exp:5ms}\n", "", 1)))
	if err == nil || !strings.Contains(err.Error(), ":1: a study needs targets, a list of the systems under test") {
		t.Errorf("a study of a server without one gives %v", err)
	}
}
