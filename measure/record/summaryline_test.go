package record_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"queuelab/measure/record"
)

func TestParseLine(t *testing.T) {
	// A closed run with two clients, as an article on closed loops has it.
	run, err := record.ParseLine("250 answered/s over 5.0 s, mean 7.99 ms, p50 7.98 ms, p99 8.10 ms, max 12.39 ms; 3 failed")
	if err != nil {
		t.Fatal(err)
	}
	if run.Throughput != 250 || run.Elapsed != 5 || run.Requests.Answered != 1250 || run.Requests.Failed != 3 || !run.Requests.Balanced() {
		t.Errorf("%v/s, %v s, %+v", run.Throughput, run.Elapsed, run.Requests)
	}
	for key, want := range map[string]record.Value{"mean": 7.99, "p50": 7.98, "p99": 8.10, "max": 12.39} {
		if run.Latency.Get(key) != want {
			t.Errorf("%s is %v, want %v", key, run.Latency.Get(key), want)
		}
	}
	few, err := record.ParseLine("20 answered/s over 1.0 s, mean 7.99 ms, p50 7.98 ms, p99 8.10 ms, max 12.39 ms; 0 failed")
	if err != nil || few.Latency.Get("p99").Known() || few.Latency.Get("p50") != 7.98 {
		t.Errorf("20 answers: %v, %v", few.Latency, err)
	}
	none, err := record.ParseLine("0 answered/s over 0.0 s, mean none, p50 none, p99 none, max none; 7 failed")
	if err != nil || none.Throughput.Known() || none.Latency.Get("mean").Known() || none.Requests.Scheduled != 7 {
		t.Errorf("nothing answered: %+v, %v", none, err)
	}
}

func TestParseLineRefuses(t *testing.T) {
	whole := "250 answered/s over 5.0 s, mean 7.99 ms, p50 7.98 ms, p99 8.10 ms, max 12.39 ms; 3 failed"
	for _, line := range []string{
		"", "hello", whole + "\n", " " + whole, "-" + whole,
		strings.Replace(whole, "7.99 ms", "none", 1),
		strings.Replace(whole, "7.99", "NaN", 1),
		strings.Replace(whole, "250", strings.Repeat("9", 400), 1),
		strings.Replace(whole, "3 failed", strings.Repeat("9", 400)+" failed", 1),
		strings.Replace(whole, "7.99", strings.Repeat("9", 400)+".00", 1),
		strings.Replace(whole, "250", "0250", 1),
		strings.Replace(whole, "250 answered/s over 5.0", "999999999999999 answered/s over 999999999999.0", 1),
	} {
		if run, err := record.ParseLine(line); err == nil {
			t.Errorf("%.80q is read as %+v", line, run)
		} else if text := err.Error(); strings.Contains(text, "\n") || len(text) > 400 {
			t.Errorf("%.80q: the error is no short sentence: %s", line, text)
		}
	}
}

// What is read is what the line says: written again, it is the same.
func FuzzParseLine(f *testing.F) {
	f.Add("250 answered/s over 5.0 s, mean 7.99 ms, p50 7.98 ms, p99 8.10 ms, max 12.39 ms; 3 failed")
	f.Add("0 answered/s over 0.0 s, mean none, p50 none, p99 none, max none; 7 failed")
	f.Add("1 answered/s over 1.0 s, mean 0.10 ms, p50 0.10 ms, p99 0.10 ms, max 0.10 ms; 0 failed")
	f.Add("42424 answered/s over 10.0 s, mean none, p50 none, p99 4.70 ms, max none; 0 failed")
	f.Fuzz(func(t *testing.T, line string) {
		run, err := record.ParseLine(line)
		if err != nil {
			return
		}
		if !run.Requests.Balanced() || run.Requests.Answered < 0 || run.Requests.Failed < 0 {
			t.Fatalf("%q has the counts %+v", line, run.Requests)
		}
		text, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := record.ParseRun("run.json", text); err != nil {
			t.Fatal(err)
		}
		if run.Throughput.Known() && run.Latency.Get("p99").Known() {
			again := fmt.Sprintf("%.0f answered/s over %.1f s, mean %.2f ms, p50 %.2f ms, p99 %.2f ms, max %.2f ms; %d failed",
				float64(run.Throughput), float64(run.Elapsed), float64(run.Latency["mean"]), float64(run.Latency["p50"]),
				float64(run.Latency["p99"]), float64(run.Latency["max"]), run.Requests.Failed)
			if again != line {
				t.Fatalf("%q is read as %q", line, again)
			}
		}
	})
}
