package reports

import (
	"reflect"
	"testing"
	"time"

	"queuelab/measure/workload"
)

const storm = `
name: storm
title: A storm
question: Does it pass?
targets:
  - {name: web, lab: nginx}
experiments:
  - {kind: stall, clients: [8, 2], loads: [0.5], length: 30s, stall: 500ms/5.5s}
  - {kind: little, clients: [1, 4], length: 10s}
  - {kind: overload, loads: [1.1], lengths: [40s, 10s]}
  - {kind: spacing, loads: [0.75], length: 30s}
  - {kind: retries, loads: [0.7], length: 40s, stall: freeze:2s/12s, retry: 200ms, timeout: 5s, copies: 4}
profiles:
  tiny: {calibrate: 1s, scale: 0.05}
  quick: {calibrate: 1s, scale: 0.4}
  paper: {calibrate: 1s}
`

func TestScenarioCases(t *testing.T) {
	study := parsed(t, storm)
	retry := workload.Retry{After: 200 * time.Millisecond, Copies: 4}
	const s = time.Second
	for _, c := range []struct {
		experiment int
		profile    string
		want       []Case
	}{
		{0, "paper", []Case{
			{Name: "closed, N = 2", Clients: 2, Length: 30 * s},
			{Name: "closed, N = 8", Clients: 8, Length: 30 * s},
			{Name: "open, ρ = 0.5", Load: 0.5, Arrivals: workload.Poisson, Length: 30 * s},
		}},
		// A stall is never cut in two, and comes at least twice.
		{0, "quick", []Case{
			{Name: "closed, N = 2", Clients: 2, Length: 11 * s},
			{Name: "closed, N = 8", Clients: 8, Length: 11 * s},
			{Name: "open, ρ = 0.5", Load: 0.5, Arrivals: workload.Poisson, Length: 11 * s},
		}},
		{1, "quick", []Case{
			{Name: "closed, N = 1", Clients: 1, Length: 4 * s},
			{Name: "closed, N = 4", Clients: 4, Length: 4 * s},
		}},
		{2, "quick", []Case{
			{Name: "4 s", Load: 1.1, Arrivals: workload.Poisson, Length: 4 * s},
			{Name: "16 s", Load: 1.1, Arrivals: workload.Poisson, Length: 16 * s},
		}},
		{3, "tiny", []Case{
			{Name: "Poisson", Load: 0.75, Arrivals: workload.Poisson, Length: 3 * s / 2},
			{Name: "even", Load: 0.75, Arrivals: workload.Even, Length: 3 * s / 2},
		}},
		{4, "tiny", []Case{
			{Name: "without retries", Load: 0.7, Arrivals: workload.Poisson, Length: 24 * s},
			{Name: "with retries", Load: 0.7, Arrivals: workload.Poisson, Length: 24 * s, Retry: retry},
		}},
		{4, "paper", []Case{
			{Name: "without retries", Load: 0.7, Arrivals: workload.Poisson, Length: 40 * s},
			{Name: "with retries", Load: 0.7, Arrivals: workload.Poisson, Length: 40 * s, Retry: retry},
		}},
	} {
		got := study.Experiments[c.experiment].Cases(study.Profiles[c.profile])
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("experiment %d in profile %s:\ngot  %+v\nwant %+v", c.experiment+1, c.profile, got, c.want)
		}
	}
}

// The published figures belong to the runs that the study has.
func TestArticleHasPublishedFiguresForEveryRun(t *testing.T) {
	study, err := Load("article")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, e := range study.Experiments {
		if !e.isScenario() {
			continue
		}
		seen++
		if e.Published == nil {
			t.Errorf("%s has no published figures", e.Title)
			continue
		}
		for i, k := range e.Cases(study.Profiles["paper"]) {
			figures := e.Published.Runs[i]
			if figures["p99"] < figures["p50"] || figures["max"] < figures["p99"] {
				t.Errorf("%s, %s: the quantiles of %v do not ascend", e.Title, k.Name, figures)
			}
			// A closed loop without think time obeys Little's law.
			if k.Clients > 0 {
				if n := figures["throughput"] * figures["mean"] / 1e3; n < 0.95*float64(k.Clients) || n > 1.05*float64(k.Clients) {
					t.Errorf("%s, %s: throughput times mean latency is %.2f", e.Title, k.Name, n)
				}
			}
		}
	}
	if seen != len(scenarios) {
		t.Errorf("the article has %d scenarios, want each kind once", seen)
	}
}
