package reports

import (
	"strings"
	"testing"

	"queuelab/analysis"
	"queuelab/analysis/figure"
	"queuelab/measure/record"
)

// observedCase is a case of runs with the same figures, of which the first so
// many collapsed.
func observedCase(w record.Workload, p99, mean float64, runs, collapsed int) *CaseResult {
	c := &CaseResult{Name: "the case", Workload: w, Capacity: 200, Model: "one server"}
	for i := range runs {
		figures := map[string]record.Value{
			"p99": record.Value(p99), "mean": record.Value(mean), "max": 900, "throughput": 100, "failed": 40, "copies": 250,
		}
		c.Runs = append(c.Runs, CaseRun{
			Seen: analysis.Seen{Figures: figures}, Replay: analysis.Seen{Figures: figures}, Collapsed: i < collapsed,
			Observed: &record.Run{Requests: record.Counts{Scheduled: 100, Answered: 60, Copies: 250}, Little: record.Little{Gap: -0.004}},
		})
	}
	return c
}

func TestScenarioWordsDependOnTheNumbers(t *testing.T) {
	closed := record.Workload{Loop: "closed", Clients: 8, Seconds: 10, Stall: "lock:500ms/5s"}
	open := record.Workload{Loop: "open", Rate: 220, Seconds: 10}
	long := record.Workload{Loop: "open", Rate: 220, Seconds: 40}
	frozen := record.Workload{Loop: "open", Rate: 140, Seconds: 24, Stall: "freeze:2s/12s"}
	locked := record.Workload{Loop: "open", Rate: 140, Seconds: 24, Stall: "lock:2s/12s"}
	storm := frozen
	storm.Copies, storm.Retry = 3, 0.2
	unknown := float64(record.Unknown())
	for _, c := range []struct {
		name  string
		kind  string
		cases []*CaseResult
		says  string
	}{
		{"a hidden stall", StallKind, []*CaseResult{observedCase(closed, 60, 40, 1, 0), observedCase(open, 480, 60, 1, 0)}, "The open loop's p99 is 8.00 times (8.00 predicted) the closed one's"},
		{"a stall in both", StallKind, []*CaseResult{observedCase(closed, 480, 40, 1, 0), observedCase(open, 480, 60, 1, 0)}, "is not the smaller one by much"},
		{"the share that a stall meets", StallKind, []*CaseResult{observedCase(closed, 60, 40, 2, 0), observedCase(open, 480, 60, 2, 0)}, "some 16 requests of all that this run sent, 16.0 %"},
		{"no p99", StallKind, []*CaseResult{observedCase(closed, unknown, 40, 1, 0), observedCase(open, 480, 60, 1, 0)}, "too short for a p99"},
		{"Little's law", LittleKind, []*CaseResult{observedCase(closed, 60, 80.8, 1, 0)}, "It differs from N / X by at most 1.0 % (with 8 clients)"},
		{"Little's samples", LittleKind, []*CaseResult{observedCase(closed, 60, 80, 1, 0)}, "throughput times latency by at most 0.4 %"},
		{"an overload", OverloadKind, []*CaseResult{observedCase(open, 60, 100, 1, 0), observedCase(long, 60, 400, 1, 0)}, "A run 4 times as long shows 4.00 times (4.00 predicted) the latency: above"},
		{"an overload that is none", OverloadKind, []*CaseResult{observedCase(open, 60, 100, 1, 0), observedCase(long, 60, 110, 1, 0)}, "shows only 1.10 times (1.10 predicted) the latency"},
		{"an overload without answers", OverloadKind, []*CaseResult{observedCase(open, 60, unknown, 1, 0), observedCase(long, 60, 110, 1, 0)}, "answered nothing"},
		{"spacing matters", SpacingKind, []*CaseResult{observedCase(open, 40, 10, 1, 0), observedCase(open, 10, 4, 1, 0)}, "make the p99 4.00 times (4.00 predicted) as high"},
		{"spacing hardly matters", SpacingKind, []*CaseResult{observedCase(open, 11, 10, 1, 0), observedCase(open, 10, 4, 1, 0)}, "hardly matters"},
		{"a storm", RetriesKind, []*CaseResult{observedCase(frozen, 40, 10, 3, 0), observedCase(storm, 10, 4, 3, 3)}, "a metastable failure"},
		{"a storm in some runs", RetriesKind, []*CaseResult{observedCase(frozen, 40, 10, 3, 0), observedCase(storm, 10, 4, 3, 1)}, "did not recover in 1 of 3 runs with retries and in 0 of 3 runs without"},
		{"no storm", RetriesKind, []*CaseResult{observedCase(frozen, 40, 10, 3, 0), observedCase(storm, 10, 4, 3, 0)}, "recovered in time, with retries too"},
		{"no recovery at all", RetriesKind, []*CaseResult{observedCase(frozen, 40, 10, 1, 1), observedCase(storm, 10, 4, 1, 1)}, "in 1 of 1 run with retries and in 1 of 1 run without"},
		{"shares over all runs", RetriesKind, []*CaseResult{observedCase(frozen, 40, 10, 3, 0), observedCase(storm, 10, 4, 3, 0)}, "With up to 3 copies of each 60.0 % were, and each request was sent 2.50 times on average"},
		{"a frozen server", RetriesKind, []*CaseResult{observedCase(frozen, 40, 10, 1, 0), observedCase(storm, 10, 4, 1, 0)}, "The server is frozen, then works again"},
		{"a locked server", RetriesKind, []*CaseResult{observedCase(locked, 40, 10, 1, 0), observedCase(locked, 10, 4, 1, 0)}, "The server holds new work, then works again"},
	} {
		kind, ok := findScenario(c.kind)
		if !ok {
			t.Fatalf("there is no scenario %s", c.kind)
		}
		if got := kind.words(&ScenarioResult{Kind: c.kind, Cases: c.cases}); !strings.Contains(got, c.says) {
			t.Errorf("%s: %q does not say %q", c.name, got, c.says)
		}
	}
}

func TestCollapseIsToldWithItsProbability(t *testing.T) {
	frozen := record.Workload{Loop: "open", Rate: 140, Seconds: 24, Stall: "freeze:2s/12s"}
	s := &ScenarioResult{Kind: RetriesKind, Cases: []*CaseResult{observedCase(frozen, 40, 10, 1, 0), observedCase(frozen, 40, 10, 1, 1)}}
	p := analysis.NewCollapse(195, 200)
	s.Cases[1].Predicted.Collapse = &p
	want := "the case, 195 of 200 simulated runs did (probability 0.975, 95 % interval 0.943 to 0.992) and 1 of 1 observed run."
	if got := collapseWords(s); !strings.HasSuffix(got, want) {
		t.Errorf("%q does not end in %q", got, want)
	}
}

func TestDriftIsTold(t *testing.T) {
	for _, c := range []struct {
		after, idle, work float64
		says              string
	}{
		{200, 5, 0.081, "5.00 and 5.00 ms; around them the fixed piece of work took up to 8.1 % more time than around the calibration. SUSPECT"},
		{200, 5, -0.03, "took up to 3.0 % less time than around the calibration."},
		{204, 5.1, 0, "(+2.0 %) and one client's mean latency 5.00 and 5.10 ms."},
		{180, 5, 0, "(-10.0 %) and one client's mean latency 5.00 and 5.00 ms. SUSPECT: the machine drifted by more than 5 %"},
		{140, 5, 0, "INVALID: the machine drifted by more than 20 %"},
		{200, 3, 0, "INVALID: the machine drifted by more than 20 %"}, // one client is served 67 % faster
	} {
		d := drift{before: CalibrationResult{Capacity: 200, IdleMS: 5}, after: CalibrationResult{Capacity: record.Value(c.after), IdleMS: record.Value(c.idle)}, work: record.Value(c.work)}
		if got := d.words(); !strings.Contains(got, c.says) {
			t.Errorf("%q does not say %q", got, c.says)
		}
	}
	if got := (drift{known: true}).words(); !strings.Contains(got, "is known") {
		t.Errorf("a known capacity: %q", got)
	}
}

func TestModelsAreNamedWithTheirOwnServiceTimes(t *testing.T) {
	closed := &CaseResult{Model: "one server, processor sharing", Service: 4.1}
	open := &CaseResult{Model: "one connection", Service: 4.6}
	s := &ScenarioResult{Cases: []*CaseResult{closed, closed, open}}
	want := "The model is one server, processor sharing (mean service 4.10 ms) for the closed loop and one connection (mean service 4.60 ms) for the open one."
	if got := s.modelWords(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	s.Cases = s.Cases[2:]
	if got, want := s.modelWords(), "The model is one connection (mean service 4.60 ms)."; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// The retry storm's figure needs a stall, which no known-answer server has: its
// data are built here, drawn and read back.
func TestStormFigure(t *testing.T) {
	storm := record.Workload{Loop: "open", Rate: 140, Seconds: 24, Timeout: 5, Retry: 0.2, Copies: 3, Stall: "freeze:2s/12s"}
	c := observedCase(storm, 10, 4, 1, 0)
	for i := range 3 {
		at := float64(i)
		c.Predicted.Course = append(c.Predicted.Course, analysis.Moment[analysis.Estimate]{T: at})
		c.Runs[0].Seen.Course = append(c.Runs[0].Seen.Course, analysis.Moment[record.Value]{T: at, Goodput: record.Value(10 * at), Attempts: 3, Failures: 2, Latency: 5})
	}
	s := &ScenarioResult{Kind: RetriesKind, Title: "Storm", Cases: []*CaseResult{c}}
	f := retryCourse(nil, nil, s, (&runner{}).scenarioText(&TargetResult{Name: "web"}, s)).(figure.Course)
	if len(f.Panels) != 4 || len(f.Shaded) != 2 || f.Shaded[0].From != 10 || f.Shaded[0].To != 12 {
		t.Errorf("%d panels and shaded %v, want 4 and two stalls, the first from 10 to 12 s", len(f.Panels), f.Shaded)
	}
	if got := f.Panels[0].Quantity.Systems[0].Observed[2].Y; got != 20 {
		t.Errorf("the last goodput is %g, want 20", got)
	}
	if want := "runs of 24 s, 140.0 requests/s; the server is frozen for 2 s of every 12 s; timeout 5 s; with retries: up to 3 copies 200 ms apart"; f.Subtitle != want {
		t.Errorf("the subtitle is %q, want %q", f.Subtitle, want)
	}
}
