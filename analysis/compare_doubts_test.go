package analysis

import (
	"math"
	"strings"
	"testing"

	"queuelab/measure/record"
)

// timed gives all runs of a trial the same time for the fixed piece of work, in ms.
func timed(trial *record.Run, work float64) *record.Run {
	for _, r := range trial.Reps {
		r.Header = &record.Header{SpeedBefore: record.Value(work), SpeedAfter: record.Value(work)}
	}
	return trial
}

// A machine that was slower around one of the trials is named, one that was not is
// not.
func TestMachineBetweenTrials(t *testing.T) {
	for _, tt := range []struct {
		a, b float64
		want string
	}{
		{3, 3.1, ""},
		{3, 3.9, "slower around B's runs, where a fixed piece of work took 30.0 % longer"},
		{3.9, 3, "slower around A's runs, where a fixed piece of work took 30.0 % longer"},
		{math.NaN(), 3, ""},
	} {
		got := Compare(timed(trialOf(1, 2, 3, 4), tt.a), timed(trialOf(1, 2, 3, 4), tt.b), throughputAlone).Doubts
		if tt.want == "" && len(got) > 0 || tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)) {
			t.Errorf("%v and %v ms: %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
}

// fromLines is a trial of runs that were read from summary lines.
func fromLines(t *testing.T, throughputs ...string) *record.Run {
	t.Helper()
	trial := record.NewRun(record.Measured)
	for _, x := range throughputs {
		r, err := record.ParseLine(x + " answered/s over 10.0 s, mean 5.00 ms, p50 5.00 ms, p99 6.00 ms, max 7.00 ms; 0 failed")
		if err != nil {
			t.Fatal(err)
		}
		trial.Reps = append(trial.Reps, r)
	}
	return trial
}

// A summary line's rounding is no evidence: 199.4/s reads 199 and 199.6/s reads 200.
func TestRoundedLinesAreNoEvidence(t *testing.T) {
	five := func(x string) []string { return []string{x, x, x, x, x} }
	q := Compare(fromLines(t, five("199")...), fromLines(t, five("200")...), throughputAlone).Quantities[0]
	if q.Verdict != NotShown || !(q.Interval[0] < 0) || !(q.Interval[1] > 0.009) {
		t.Errorf("199 against 200: %+v, want no difference shown", q)
	}
	q = Compare(fromLines(t, five("200")...), fromLines(t, five("200")...), throughputAlone).Quantities[0]
	if !(q.Smallest > 0.0049) {
		t.Errorf("200 against 200: the smallest difference is %v, want half a request per second of either side", q.Smallest)
	}
	q = Compare(fromLines(t, five("199")...), fromLines(t, five("230")...), throughputAlone).Quantities[0]
	if q.Verdict != Faster {
		t.Errorf("199 against 230: %+v, want faster", q)
	}
	slow := Compare(fromLines(t, five("1")...), fromLines(t, five("0")...), throughputAlone)
	if len(slow.Exceeding(0.05)) != 0 {
		t.Errorf("0.4/s reads 0 and is called dead: %+v", slow.Quantities)
	}
}

// Copies of one simulation are one run, and schedules that are repeated are named
// where they differ.
func TestSeedsOfTrials(t *testing.T) {
	open := func(source string, seeds ...uint64) *record.Run {
		trial := trialOf(100, 101, 102, 103, 104)
		for i, r := range trial.Reps {
			r.Source, r.Seed, r.Workload.Loop = source, seeds[i%len(seeds)], "open"
			r.Latency = record.Quantities{"mean": record.Value(5 + float64(i)/100)}
		}
		return trial
	}
	got := Compare(open(record.Simulated, 1), open(record.Simulated, 2), nil)
	if got.RunsA != 1 || got.RunsB != 1 || len(got.Doubts) != 2 || got.Quantities[0].Verdict != NotShown {
		t.Errorf("copies of two simulations: %+v", got)
	}
	got = Compare(open(record.Measured, 1), open(record.Measured, 2), nil)
	if len(got.Doubts) != 1 || !strings.Contains(got.Doubts[0], "the seed 1 and all of B the seed 2") {
		t.Errorf("two schedules: doubts %q", got.Doubts)
	}
	if len(got.Quantities) != 1 || got.Quantities[0].Quantity != "mean" || len(got.Unasked) != 1 {
		t.Errorf("open loops are compared by %+v, unasked %v, want their latency alone", got.Quantities, got.Unasked)
	}
	got = Compare(open(record.Measured, 1, 2, 3, 4, 5), open(record.Measured, 6, 7, 8, 9, 10), throughputAlone)
	if len(got.Doubts) != 0 || len(got.Quantities) != 1 {
		t.Errorf("many seeds: doubts %q, quantities %+v", got.Doubts, got.Quantities)
	}
}
