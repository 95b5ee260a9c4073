package trial_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"queuelab/measure/record"
	"queuelab/measure/stats"
	"queuelab/measure/trial"
)

// closedRun is a run whose throughput and latencies are given.
func closedRun(throughput, mean, p99 float64) *record.Run {
	r := record.NewRun(record.Measured)
	r.Workload = record.Workload{Loop: "closed", Clients: 50, Seconds: 10}
	r.Requests = record.Counts{Scheduled: 1000, Answered: 1000, Copies: 1000}
	r.Throughput = record.Value(throughput)
	r.Latency = record.Quantities{"mean": record.Value(mean), "p50": record.Value(mean), "p99": record.Value(p99), "p99.9": record.Unknown()}
	return r
}

// published are the five runs of the redirect in the second article, with its p99;
// the means are those of 50 clients (N / throughput).
func published() []*record.Run {
	var runs []*record.Run
	for _, v := range [][2]float64{{41837, 5.9}, {42364, 4.7}, {42424, 4.5}, {42511, 4.8}, {42948, 3.9}} {
		runs = append(runs, closedRun(v[0], 50e3/v[0], v[1]))
	}
	return runs
}

// The article quotes a median of 42,424/s, 4.7 ms and a spread of 2.6 %.
func TestCombineQuotesThePublishedMedians(t *testing.T) {
	run := trial.Combine("redirect", published())
	q := run.Trial.Quantities
	if run.Throughput != 42424 || run.Latency.Get("p99") != 4.7 {
		t.Errorf("medians %v/s and %v ms, want 42424 and 4.7", run.Throughput, run.Latency.Get("p99"))
	}
	if s := float64(q[record.ThroughputKey].Spread); s < 0.0255 || s > 0.0265 {
		t.Errorf("spread %v, want 2.6 %%", s)
	}
	if i := q[record.ThroughputKey]; i.Interval != (record.Interval{41837, 42948}) || i.Level != 0.9375 {
		t.Errorf("interval %v at %v, want the extremes at 93.75 %%", i.Interval, i.Level)
	}
	if len(run.Interval) != 0 {
		t.Errorf("intervals at 95 %% from five runs: %v", run.Interval)
	}
	if len(run.Trial.Warnings) != 0 {
		t.Errorf("warnings %v", run.Trial.Warnings)
	}
}

// Counts are sums; a median is unknown as soon as one run's figure is; with six runs
// the intervals reach 95 %.
func TestCombineAddsUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var runs []*record.Run
		var want record.Counts
		for range 1 + rng.IntN(8) {
			r := closedRun(1000*rng.Float64()+1, rng.Float64()+1, rng.Float64()+2)
			r.Requests = record.Counts{Answered: rng.Int64N(50), Failed: rng.Int64N(50), TimedOut: rng.Int64N(50), Unfinished: rng.Int64N(5), Unsent: rng.Int64N(5)}
			r.Requests.Scheduled = r.Requests.Answered + r.Requests.Failed + r.Requests.TimedOut + r.Requests.Unfinished + r.Requests.Unsent
			r.Failures = map[string]int64{"reset": r.Requests.Failed}
			want.Scheduled += r.Requests.Scheduled
			want.Answered += r.Requests.Answered
			want.Failed += r.Requests.Failed
			runs = append(runs, r)
		}
		run := trial.Combine("", runs)
		got := run.Requests
		if !got.Balanced() || got.Scheduled != want.Scheduled || got.Answered != want.Answered || run.Failures["reset"] != want.Failed {
			t.Fatalf("%+v, failures %v, want %+v", got, run.Failures, want)
		}
		if run.Latency.Get("p99.9").Known() || run.Trial.Quantities["p99.9"].Median.Known() {
			t.Fatal("a median of unknown quantiles is known")
		}
		if _, ok := run.Interval["mean"]; ok != (len(runs) >= 6) {
			t.Fatalf("%d runs: interval at 95 %% given: %v", len(runs), ok)
		}
	}
}

// Each run is a result line that the format's own reader reads, and its medians are
// the trial's.
func TestBenchmarksAreReadBack(t *testing.T) {
	run := trial.Combine("GET /seed250000", published())
	var text bytes.Buffer
	if err := trial.WriteBenchmarks(&text, run); err != nil {
		t.Fatal(err)
	}
	values := map[string][]float64{}
	reader := benchfmt.NewReader(&text, "benchmarks.txt")
	for reader.Scan() {
		switch r := reader.Result().(type) {
		case *benchfmt.Result:
			if got := string(r.Name); got != "GETSeed250000/clients=50" {
				t.Errorf("benchmark %q", got)
			}
			for _, v := range r.Values {
				values[v.Unit] = append(values[v.Unit], v.Value)
			}
		case *benchfmt.SyntaxError:
			t.Error(r)
		}
	}
	for unit, want := range map[string]float64{
		"answered/s": 42424, "sec/op": float64(run.Latency.Get("mean")) / 1e3, "p99-sec": 0.0047,
	} {
		got := values[unit]
		if len(got) != 5 || stats.Median(got) < want*(1-1e-9) || stats.Median(got) > want*(1+1e-9) {
			t.Errorf("%s: %v, want five with the median %v", unit, got, want)
		}
	}
	if values["p99.9-sec"] != nil {
		t.Errorf("an unknown quantile is written: %v", values["p99.9-sec"])
	}
}

// A first run that stands apart, too few ports, a machine that changed and failures
// are told; a sound trial has no warnings.
func TestWarnings(t *testing.T) {
	slow := func(runs []*record.Run) { runs[0].Latency["mean"] *= 1.06 }
	short := func(runs []*record.Run) {
		runs[2].Pause = &record.Pause{Left: 12, Note: "12 ports were left where some 78 were wanted: a longer pause frees them"}
	}
	drift := func(runs []*record.Run) {
		for i, r := range runs {
			r.Header = &record.Header{SpeedBefore: record.Value(3), SpeedAfter: record.Value(3 + 0.05*float64(i))}
		}
	}
	failing := func(runs []*record.Run) {
		runs[1].Requests = record.Counts{Scheduled: 1000, Answered: 900, Failed: 100}
	}
	even := func() []*record.Run {
		var runs []*record.Run
		for _, v := range []float64{34253, 34366, 34500, 34700, 34888} {
			runs = append(runs, closedRun(v, 50e3/v, 6.5))
		}
		return runs
	}
	for _, tt := range []struct {
		name   string
		change func([]*record.Run)
		want   string
	}{
		{"sound", func([]*record.Run) {}, ""},
		{"first run 6 % slower", slow, "run 1 stands apart"},
		{"ports", short, "before run 3 12 ports were left"},
		{"drift", drift, "the machine was not steady"},
		{"failures", failing, "100 of 5000 requests were not answered"},
	} {
		runs := even()
		tt.change(runs)
		warnings := trial.Combine("", runs).Trial.Warnings
		if tt.want == "" && len(warnings) > 0 || tt.want != "" && (len(warnings) != 1 || !strings.Contains(warnings[0], tt.want)) {
			t.Errorf("%s: %q, want %q", tt.name, warnings, tt.want)
		}
	}
}

// The text says what a reader looks for, and ends with the summary line.
func TestTextOfATrial(t *testing.T) {
	runs := published()
	for i, r := range runs {
		r.Pause = &record.Pause{Waited: 0.5, TimeWait: record.Value(100 * i), Left: record.Value(28000 - 100*i)}
		r.Line = record.Line{Throughput: r.Throughput, Elapsed: 10, Mean: r.Latency["mean"], P50: 1.1, P99: r.Latency["p99"], Max: 12, Failed: 0}.String()
	}
	run := trial.Combine("redirect", runs)
	run.Header = &record.Header{Rows: &record.Rows{Table: "links", Before: 500003, After: 2306273, Cleaned: 500003}}
	var text bytes.Buffer
	trial.WriteText(&text, run)
	for _, want := range []string{
		"median      42424.0", "spread        2.6 %", "93.75 % interval", "(95 % takes six runs)",
		"27600 at least, with 400 in TIME_WAIT at most",
		"rows of links: 500003 before, 2306273 after, 500003 after clean-up",
		"\n42424 answered/s over 10.0 s, mean 1.18 ms, p50 1.18 ms, p99 4.70 ms, max 12.00 ms; 0 failed\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, text.String())
		}
	}
	for _, line := range strings.Split(text.String(), "\n") {
		if len(line) > 90 && line != run.Line {
			t.Errorf("a line of %d characters: %s", len(line), line)
		}
	}
}

// The trial's verdict is that of its worst run, whose reasons come first; nobody
// judges a trial of which a run was not judged.
func TestVerdictOfATrial(t *testing.T) {
	run := func(verdict string, reasons ...string) *record.Run {
		r := record.NewRun(record.Measured)
		r.Validity = &record.Validity{Verdict: verdict, Reasons: reasons}
		return r
	}
	good, doubtful, bad := run(record.Valid), run(record.Suspect, "drift"), run(record.Invalid, "rate", "lag")
	for _, tt := range []struct {
		runs    []*record.Run
		verdict string
		reasons []string
	}{
		{[]*record.Run{good, good}, record.Valid, []string{}},
		{[]*record.Run{good, doubtful}, record.Suspect, []string{"run 2 is SUSPECT: drift"}},
		{[]*record.Run{doubtful, good, bad}, record.Invalid, []string{"run 3 is INVALID: rate", "run 3 is INVALID: lag", "run 1 is SUSPECT: drift"}},
	} {
		v := trial.Combine("", tt.runs).Validity
		if v == nil || v.Verdict != tt.verdict || !slices.Equal(v.Reasons, tt.reasons) {
			t.Errorf("the verdict is %+v, want %s for %q", v, tt.verdict, tt.reasons)
		}
	}
	if v := trial.Combine("", []*record.Run{good, record.NewRun(record.Measured)}).Validity; v != nil {
		t.Errorf("a run that nobody judged makes a trial %v", v)
	}
}
