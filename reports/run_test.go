package reports

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// small is a study that takes a few seconds and has every kind of experiment
// twice on one target.
const small = `
name: small
title: A small study
question: Does every part come out?
seed: 3
targets:
  - {name: known, serve: "det:1ms"}
  - {name: two, serve: "exp:2ms", servers: 2}
experiments:
  - {kind: closed, title: Few clients, clients: [1, 2], targets: [known]}
  - {kind: closed, title: More clients, clients: [2, 4], targets: [known, two]}
  - {kind: open, title: Poisson arrivals, loads: [0.5], targets: [known, two]}
  - {kind: open, title: Even arrivals, even: true, loads: [0.5], targets: [known]}
  - {kind: little, clients: [1, 2], length: 200ms, targets: [known]}
  - {kind: overload, loads: [1.2], lengths: [300ms, 100ms], targets: [known], published: {service: det:2ms, runs: [{mean: 10}, {mean: 30, p99: 60}]}}
  - {kind: spacing, loads: [0.5], length: 200ms, targets: [known, two]}
  - {kind: trial, clients: [2], endpoints: [{name: root, path: /}], targets: [two]}
profiles:
  quick: {calibrate: 200ms, closed: 200ms, open: 200ms, trial: 200ms, reps: 2, scenario_reps: 2}
`

func parsed(t *testing.T, text string) *Study {
	t.Helper()
	s, err := Parse("study.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var picture = regexp.MustCompile(`!\[[^]]*\]\(([^)]*)\)`)

func TestRunWritesTheWholeReport(t *testing.T) {
	out := filepath.Join(t.TempDir(), "report")
	var steps []Step
	err := Run(context.Background(), Request{Study: parsed(t, small), Profile: "quick", Out: out, Watch: func(s Step) { steps = append(steps, s) }})
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(out, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, match := range picture.FindAllStringSubmatch(string(page), -1) {
		files = append(files, match[1])
		if info, err := os.Stat(filepath.Join(out, match[1])); err != nil || info.Size() == 0 {
			t.Errorf("the picture %s: %v", match[1], err)
		}
	}
	// Three closed ones with two figures each, three open ones, four scenarios, a
	// trial.
	if slices.Sort(files); len(files) != 14 || len(slices.Compact(files)) != 14 {
		t.Errorf("pictures %v, want 14 different ones", files)
	}
	if strings.Contains(string(page), "NaN") {
		t.Error("the page prints NaN")
	}
	var results Results
	text, err := os.ReadFile(filepath.Join(out, "data", "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &results); err != nil {
		t.Fatal(err)
	}
	checkResults(t, &results)
	if last := steps[len(steps)-1]; last.Left <= 0 || last.Done+last.Left != steps[0].Done+steps[0].Left {
		t.Errorf("the steps' time does not add up: first %+v, last %+v", steps[0], last)
	}
}

// checkResults: predictions were made before the measurement, every request is
// accounted for, and both worlds had the same schedule.
func checkResults(t *testing.T, results *Results) {
	t.Helper()
	for _, target := range results.Targets {
		if !target.Predicted.After(results.Start) || !target.Predicted.Before(results.End) {
			t.Errorf("%s was predicted at %v, outside the report's %v to %v", target.Name, target.Predicted, results.Start, results.End)
		}
		checkScenarios(t, target)
		for _, o := range target.Open {
			for _, p := range o.Points {
				for _, run := range p.Runs {
					if n := run.Observed.Requests; !n.Balanced() || n.Answered == 0 || n.Answered != n.Scheduled {
						t.Errorf("%s %s at %g: counts %+v", target.Name, o.Title, p.Load, n)
					}
					if !run.Replay.Latency.Get("mean").Known() {
						t.Errorf("%s %s at %g has no replayed mean", target.Name, o.Title, p.Load)
					}
				}
			}
		}
	}
}

// checkScenarios: a scenario was predicted before its runs, for the very
// schedules that were measured, and every request is accounted for.
func checkScenarios(t *testing.T, target *TargetResult) {
	t.Helper()
	for _, s := range target.Scenarios {
		for _, c := range s.Cases {
			if len(c.Runs) != 2 {
				t.Errorf("%s, %s: %d runs, want 2", s.Title, c.Name, len(c.Runs))
			}
			for _, run := range c.Runs {
				if n := run.Observed.Requests; !n.Balanced() || n.Answered == 0 || n.Answered != n.Scheduled {
					t.Errorf("%s, %s: counts %+v", s.Title, c.Name, n)
				}
				if c.Workload.Loop == "open" && run.Replay.Figures["copies"] != run.Seen.Figures["copies"] {
					t.Errorf("%s, %s: %v copies on the simulated schedule, %v on the measured one", s.Title, c.Name, run.Replay.Figures["copies"], run.Seen.Figures["copies"])
				}
				if len(run.Seen.Course) != len(c.Predicted.Course) || len(run.Seen.Percentiles) != len(c.Quantiles) {
					t.Errorf("%s, %s: observed and predicted are not over the same axis", s.Title, c.Name)
				}
			}
		}
	}
}

// A server that cannot be reached leaves nothing behind.
func TestNothingMeasuredLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	study := strings.Replace(small, `{name: known, serve: "det:1ms"}`, `{name: known, driver: http, url: "http://127.0.0.1:1/"}`, 1)
	err := Run(context.Background(), Request{Study: parsed(t, study), Profile: "quick", Out: filepath.Join(dir, "report")})
	if err == nil {
		t.Fatal("a report on a server that is not there succeeded")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left hidden %v", left)
	}
}

// The committed reports were made from the studies beside them.
func TestCommittedReportsAreOfTheirStudies(t *testing.T) {
	committed, err := filepath.Glob(filepath.Join("*", "data", "results.json"))
	if err != nil || !slices.Contains(committed, filepath.Join("article", "data", "results.json")) {
		t.Fatalf("the committed reports are %v, %v; want the article's among them", committed, err)
	}
	for _, path := range committed {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var results Results
		if err := json.Unmarshal(text, &results); err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(path, string(filepath.Separator))
		study, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if results.Hash != study.Hash {
			t.Errorf("the committed report %s was made from another study (%.12s…, the study is %.12s…): run make publish STUDY=%s", name, results.Hash, study.Hash, name)
		}
	}
}
