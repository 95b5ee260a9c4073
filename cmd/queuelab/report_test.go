package main

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"queuelab/reports"
)

// trialStudy is a study of a trial that takes a second.
const trialStudy = `
name: mine
title: A server of mine
question: How many requests does it answer?
targets: [{name: server, serve: det:1ms}]
experiments: [{kind: trial, clients: [2], endpoints: [{name: root, path: /}]}]
profiles: {quick: {trial: 1h, reps: 9}}
`

func writeStudy(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "study.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Flags win over the environment, which wins over the study; a study without trials
// looks at neither.
func TestTrialOverrides(t *testing.T) {
	trials, err := reports.Load(writeStudy(t, trialStudy))
	if err != nil {
		t.Fatal(err)
	}
	demo, err := reports.Load("demo")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		study       *reports.Study
		environment map[string]string
		line        string
		want        reports.Overrides
		refused     string
	}{
		{study: trials},
		{study: trials, environment: map[string]string{"REPS": "", "DURATION": ""}},
		{
			study: trials, environment: map[string]string{"REPS": "3", "DURATION": "10s", "CONCURRENCY": "50"},
			want: reports.Overrides{Reps: 3, Length: 10 * time.Second, Clients: 50, Words: []string{"3 runs (REPS)", "runs of 10 s (DURATION)", "50 clients (CONCURRENCY)"}},
		},
		{
			study: trials, environment: map[string]string{"REPS": "no number", "DURATION": "7"}, line: "-reps 4",
			want: reports.Overrides{Reps: 4, Length: 7 * time.Second, Words: []string{"4 runs (-reps)", "runs of 7 s (DURATION)"}},
		},
		{
			study: trials, line: "-seconds 0.5 -clients 1",
			want: reports.Overrides{Length: time.Second / 2, Clients: 1, Words: []string{"runs of 500 ms (-seconds)", "1 client (-clients)"}},
		},
		{study: trials, environment: map[string]string{"REPS": "many"}, refused: `REPS is "many": write a whole number from 2 to 1000`},
		{study: trials, environment: map[string]string{"DURATION": "ten"}, refused: `DURATION is "ten"`},
		{study: trials, environment: map[string]string{"CONCURRENCY": "-1"}, refused: `CONCURRENCY is "-1"`},
		{study: trials, line: "-reps 1", refused: `-reps is "1"`},
		{study: trials, line: "-seconds 0", refused: `-seconds is "0"`},
		{study: demo, environment: map[string]string{"REPS": "many", "DURATION": "ten", "CONCURRENCY": "-1"}},
		{study: demo, line: "-reps 3", refused: "-reps changes trials, and the study demo has none: leave it out"},
		{study: demo, line: "-clients 3", refused: "-clients changes trials"},
	} {
		for _, name := range []string{"REPS", "DURATION", "CONCURRENCY"} {
			t.Setenv(name, c.environment[name])
		}
		f := newFlags(&console{}, "report", "")
		addOverrideFlags(f)
		if _, err := parse(f, strings.Fields(c.line), 0); err != nil {
			t.Fatal(err)
		}
		got, err := trialOverrides(f, c.study)
		switch {
		case c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)):
			t.Errorf("%v %q: %v, want %q", c.environment, c.line, err, c.refused)
		case c.refused == "" && (err != nil || !reflect.DeepEqual(got, c.want)):
			t.Errorf("%v %q: %+v, %v, want %+v", c.environment, c.line, got, err, c.want)
		}
	}
}

// A report of trials prints their table, and then where it is.
func TestReportOfTrials(t *testing.T) {
	for name, value := range map[string]string{"REPS": "2", "DURATION": "0.3", "CONCURRENCY": ""} {
		t.Setenv(name, value)
	}
	out := filepath.Join(t.TempDir(), "report")
	status, stdout, stderr := execute(t, context.Background(), "report", writeStudy(t, trialStudy), "-out", out, "-clients", "3")
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if status != statusDone || len(lines) != 6 || lines[5] != out {
		t.Fatalf("status %d, printed %q, stderr %q; want the table and then %s", status, stdout, stderr, out)
	}
	for i, want := range []string{"server: Endpoints, measured several times: 2 runs of 300 ms each, closed, 3 clients", "endpoint ", " answered/s", "root "} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d is %q, want %q in it", i+1, lines[i], want)
		}
	}
}

// What the environment or the flags say wrongly of trials is a usage error.
func TestReportRefusesOverrides(t *testing.T) {
	t.Setenv("REPS", "many")
	study := writeStudy(t, trialStudy)
	for line, says := range map[string]string{
		study:                         `REPS is "many"`,
		study + " -reps 2 -clients 0": `-clients is "0"`,
		"demo -seconds 3":             "the study demo has none",
	} {
		status, stdout, stderr := execute(t, context.Background(), append([]string{"report"}, strings.Fields(line)...)...)
		if status != statusUsage || stdout != "" || !strings.Contains(stderr, says) {
			t.Errorf("%s: status %d, printed %q, stderr %q; want a usage error with %q", line, status, stdout, stderr, says)
		}
	}
}
