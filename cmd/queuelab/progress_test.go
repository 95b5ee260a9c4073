package main

import (
	"bytes"
	"testing"
	"time"

	"queuelab/measure/workload"
	"queuelab/reports"
)

func TestExpectedLength(t *testing.T) {
	for _, c := range []struct {
		w    workload.Workload
		want time.Duration
	}{
		{workload.Workload{Open: true, Rate: 50, Length: 30 * time.Second}, 30 * time.Second},
		{workload.Workload{Open: true, Rate: 50, Requests: 600}, 12 * time.Second},
		{workload.Workload{Open: true, Rate: 50, Requests: 600, Length: 5 * time.Second}, 5 * time.Second},
		{workload.Workload{Clients: 4, Length: 30 * time.Second}, 30 * time.Second},
		{workload.Workload{Clients: 4, Requests: 600}, 0},
	} {
		if got := expectedLength(&c.w); got != c.want {
			t.Errorf("%+v is expected to take %v, want %v", c.w, got, c.want)
		}
	}
}

// Off a terminal a run shows nothing and a report a line a step.
func TestProgressOffTheTerminal(t *testing.T) {
	var stderr bytes.Buffer
	c := &console{out: &stderr, err: &stderr}
	p := startProgress(c, "measuring", time.Hour)
	p.begin(time.Now())
	p.end()
	if stderr.Len() > 0 {
		t.Errorf("a run printed %q", stderr.String())
	}
	w := newWatcher(c)
	w.step(reports.Step{What: "calibrating", Left: 90 * time.Second})
	w.step(reports.Step{What: "closed", Done: 60 * time.Second, Left: 30 * time.Second})
	w.end()
	if want := "calibrating (some 1m30s left)\nclosed (some 30s left)\n"; stderr.String() != want {
		t.Errorf("a report printed %q, want %q", stderr.String(), want)
	}
}
