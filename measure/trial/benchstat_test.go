package trial_test

import (
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"queuelab/measure/record"
	"queuelab/measure/trial"
)

// benchstat itself reads two trials, holds them against each other, and finds the
// medians that the trials quote.
func TestBenchstatAgreesOnTheMedians(t *testing.T) {
	url, _, _ := counting(t)
	var files []string
	var trials []*record.Run
	for _, name := range []string{"a", "b"} {
		dir := filepath.Join(t.TempDir(), name)
		folder, err := trial.CreateFolder(dir, false)
		if err != nil {
			t.Fatal(err)
		}
		p := planned(url, 2000, 6)
		p.Folder = folder
		run, err := trial.Take(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if err := folder.Commit(run); err != nil {
			t.Fatal(err)
		}
		files, trials = append(files, filepath.Join(dir, trial.BenchmarksFile)), append(trials, run)
	}
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"run", "golang.org/x/perf/cmd/benchstat", "-format", "csv"}, files...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("benchstat: %v\n%s", err, out)
	}
	for i, run := range trials {
		for unit, want := range map[string]float64{
			"sec/op":     float64(run.Latency.Get("mean")) / 1e3,
			"p99-sec":    float64(run.Latency.Get("p99")) / 1e3,
			"answered/s": float64(run.Throughput),
		} {
			got := benchstatMedian(t, string(out), unit, i)
			if math.Abs(got/want-1) > 1e-3 {
				t.Errorf("trial %d, %s: benchstat finds %v, the trial quotes %v\n%s", i, unit, got, want, out)
			}
		}
	}
}

// benchstatMedian is the median of a unit in benchstat's table, of the first or the
// second file.
func benchstatMedian(t *testing.T, table, unit string, file int) float64 {
	t.Helper()
	lines := strings.Split(table, "\n")
	heads := func(line string) bool { return strings.Contains(","+line+",", ","+unit+",") }
	at := slices.IndexFunc(lines, heads)
	if at < 0 || at+1 >= len(lines) {
		t.Fatalf("benchstat shows no %s:\n%s", unit, table)
	}
	head, row := strings.Split(lines[at], ","), strings.Split(lines[at+1], ",")
	var columns []int
	for i, name := range head {
		if name == unit {
			columns = append(columns, i)
		}
	}
	if len(columns) != 2 {
		t.Fatalf("%s stands in columns %v, want one for each trial:\n%s", unit, columns, table)
	}
	value, err := strconv.ParseFloat(row[columns[file]], 64)
	if err != nil {
		t.Fatalf("%s: %v:\n%s", unit, err, table)
	}
	return value
}
