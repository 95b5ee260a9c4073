package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/trial"
)

// keptTrial is a folder with a trial whose runs have these throughputs; their
// latencies follow from them, as in a closed run with two clients.
func keptTrial(t *testing.T, throughputs ...float64) string {
	t.Helper()
	var runs []*record.Run
	for _, x := range throughputs {
		r, err := record.ParseLine(fmt.Sprintf("%.0f answered/s over 10.0 s, mean %.2f ms, p50 %.2f ms, p99 %.2f ms, max %.2f ms; 0 failed", x, 2e3/x, 1.9e3/x, 4e3/x, 5e3/x))
		if err != nil {
			t.Fatal(err)
		}
		r.Rounded = false // these are the figures
		runs = append(runs, r)
	}
	dir := filepath.Join(t.TempDir(), "trial")
	if err := record.KeepRun(dir, trial.Combine("", runs), nil, time.Now()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// comparison is what compare -json prints.
type comparison struct {
	A, B        string
	Order       string
	Interrupted bool
	RunsA       int `json:"runs_a"`
	RunsB       int `json:"runs_b"`
	Differences []string
	Doubts      []string
	Quantities  []struct {
		Quantity string
		Verdict  string
		Sentence string
		P        *float64
		Change   *float64
		A, B     struct{ Median *float64 }
	}
	Gate *struct {
		Share         float64
		Slower, Blind []string
	} `json:"fail_if_slower"`
}

func compareJSON(t *testing.T, want int, args ...string) comparison {
	t.Helper()
	status, stdout, stderr := execute(t, context.Background(), append([]string{"compare", "-json"}, args...)...)
	if status != want {
		t.Fatalf("compare %q: status %d, %s", args, status, stderr)
	}
	var got comparison
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, stdout)
	}
	return got
}

func TestCompareFolders(t *testing.T) {
	a, b := keptTrial(t, 1000, 1001, 1002, 1003, 1004), keptTrial(t, 900, 901, 902, 903, 904)
	status, stdout, stderr := execute(t, context.Background(), "compare", a, b, "-quantity", "throughput,p50")
	if status != statusDone || stderr != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	for _, want := range []string{
		"A: " + a, ", 5 runs\n",
		"throughput/s     1002  0.4 %    902.0  0.4 % -10.0 %  [-10.3, -9.7] 0.0079 0.016\n",
		"\nthroughput: B is slower by 10.0 % [9.7, 10.3]\n",
		"\np50: B is slower by 11.1 % ",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is not in\n%s", want, stdout)
		}
	}
	// All quantities of the runs fit a terminal of 80 columns.
	_, stdout, _ = execute(t, context.Background(), "compare", a, b)
	for line := range strings.Lines(stdout) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > columns && strings.Contains(strings.TrimSpace(line), " ") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if !strings.Contains(stdout, "not resolved by every run: p90, p99.9\n") {
		t.Errorf("what is not resolved is not named in\n%s", stdout)
	}
	same := compareJSON(t, statusDone, a, a)
	for _, q := range same.Quantities {
		if q.Verdict != "no difference shown" || !strings.Contains(q.Sentence, "the smallest difference this trial could have shown is ") || *q.Change != 0 {
			t.Errorf("a trial against itself: %+v", q)
		}
	}
}

// Single runs can be compared, and show nothing.
func TestCompareSingleRuns(t *testing.T) {
	var dirs []string
	for _, law := range []string{"exp:5ms", "exp:9ms"} {
		dir := filepath.Join(t.TempDir(), "run")
		line := "simulate -open -rate 50 -requests 20000 -service " + law + " -out " + dir
		if status, _, stderr := execute(t, context.Background(), strings.Fields(line)...); status != statusDone {
			t.Fatal(stderr)
		}
		dirs = append(dirs, dir)
	}
	got := compareJSON(t, statusUsage, dirs[0], dirs[1], "-fail-if-slower", "5%") // which they cannot be
	if got.RunsA != 1 || got.RunsB != 1 || len(got.Quantities) < 4 || got.Gate == nil || len(got.Gate.Blind) != len(got.Quantities) {
		t.Fatalf("%+v", got)
	}
	for _, q := range got.Quantities {
		if !strings.HasPrefix(q.Sentence, "no difference can be shown with 1 run against 1 run: the least is 5 against 5 for ") || q.Change == nil {
			t.Errorf("%+v", q)
		}
	}
	if !strings.Contains(strings.Join(got.Differences, "\n"), "workload, service: A exp:5ms, B exp:9ms") {
		t.Errorf("the services differ, but the differences are %q", got.Differences)
	}
}

func TestCompareGate(t *testing.T) {
	fast, slow := keptTrial(t, 1000, 1001, 1002, 1003, 1004), keptTrial(t, 900, 901, 902, 903, 904)
	noisy, few := keptTrial(t, 600, 800, 1000, 1200, 1400), keptTrial(t, 500, 501)
	for _, c := range []struct {
		a, b, share string
		status      int
		says        string // on standard output, as one line
	}{
		{fast, slow, "5%", statusMargin, "-fail-if-slower 5%: B is slower by as much in throughput, p50"},
		{fast, slow, "20 %", statusDone, "-fail-if-slower 20%: B is not shown to be slower by as much\n"},
		{slow, fast, "5%", statusDone, "-fail-if-slower 5%: B is not shown to be slower by as much\n"},
		{fast, noisy, "2.5%", statusDone, "-fail-if-slower 2.5%: B is not shown to be slower by as much; these runs could not have shown as much in throughput, p50: take more or longer ones"},
		{fast, few, "5%", statusUsage, "these runs could not have shown as much in throughput, p50"},
	} {
		status, stdout, stderr := execute(t, context.Background(), "compare", c.a, c.b, "-quantity", "throughput,p50", "-fail-if-slower", c.share)
		stdout = strings.ReplaceAll(stdout, "\n  ", " ")
		if status != c.status || !strings.Contains(stdout, c.says) {
			t.Errorf("status %d, want %d and %q in\n%s", status, c.status, c.says, stdout)
		}
		if failed := strings.Contains(stderr, "-fail-if-slower 5%: B is slower by as much in throughput, p50"); failed != (c.status == statusMargin) {
			t.Errorf("standard error is %q", stderr)
		}
	}
}

func TestCompareRefusals(t *testing.T) {
	dir := keptTrial(t, 1, 2)
	none := t.TempDir()
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "name two folders"},
		{[]string{dir}, "name two folders"},
		{[]string{dir, dir, dir}, "is left over"},
		{[]string{"-a", "bench"}, "-a and -b need a command each"},
		{[]string{"-b", "bench"}, "-a and -b need a command each"},
		{[]string{"-a", "bench", "-b", " "}, "-a and -b need a command each"},
		{[]string{"-a", "true", "-b", "true", dir}, "not both"},
		{[]string{"-a", "queuelab sweep", "-b", "true"}, "-a: queuelab sweep prints no run"},
		{[]string{"-a", "true", "-b", "queuelab"}, "-b: queuelab alone prints no run"},
		{[]string{"-a", "true", "-b", "true", "-reps", "0"}, "-reps is 0"},
		{[]string{"-a", "true", "-b", "true", "-reps", "1001"}, "-reps is 1001"},
		{[]string{"-a", "true", "-b", "true", "-out", none + "/.."}, "no new folder can take this name"},
		{[]string{dir, dir, "-reps", "7"}, "leave them out"},
		{[]string{dir, dir, "-out", "x"}, "leave them out"},
		{[]string{dir, dir, "-quantity", "p42"}, `"p42" is no quantity`},
		{[]string{dir, dir, "-quantity", ""}, `"" is no quantity`},
		{[]string{dir, dir, "-fail-if-slower", "5"}, "no percentage"},
		{[]string{dir, dir, "-fail-if-slower", "fast%"}, "no percentage"},
		{[]string{dir, dir, "-fail-if-slower", "-5%"}, "no percentage"},
		{[]string{dir, dir, "-fail-if-slower", "0%"}, "no percentage"},
		{[]string{dir, dir, "-fail-if-slower", "NaN%"}, "no percentage"},
		{[]string{dir, dir, "-fail-if-slower", ""}, "no percentage"},
	} {
		status, stdout, stderr := execute(t, context.Background(), append([]string{"compare"}, c.args...)...)
		if status != statusUsage || stdout != "" || !strings.Contains(stderr, c.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("compare %q: status %d, printed %q, said %q; want %d and %q", c.args, status, stdout, stderr, statusUsage, c.says)
		}
	}
}

// What cannot be read fails in the same way for compare as for show.
func TestUnreadableFolders(t *testing.T) {
	dir, damaged := keptTrial(t, 1, 2), t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, record.RunFile), []byte(`{"schema":1,"requests":{"scheduled":1}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for folder, says := range map[string]string{"/nowhere": "is not a run folder", t.TempDir(): "is not a run folder", damaged: "is damaged"} {
		for _, args := range [][]string{{"show", folder}, {"compare", dir, folder}, {"compare", folder, dir}} {
			status, stdout, stderr := execute(t, context.Background(), args...)
			if status != statusFailed || stdout != "" || !strings.Contains(stderr, says) {
				t.Errorf("%q: status %d, printed %q, said %q; want %d and %q", args, status, stdout, stderr, statusFailed, says)
			}
		}
	}
}

// The circumstances that differ come before the figures.
func TestCompareNamesWhatDiffers(t *testing.T) {
	write := func(change func(*record.Run)) string {
		r := record.NewRun(record.Measured)
		r.Throughput = 100
		r.Header = &record.Header{Version: "0.1.0", Commit: "abc", Host: map[string]any{"cpu_model": "Imaginary 9000", "gomaxprocs": 2}}
		change(r)
		dir := filepath.Join(t.TempDir(), "run")
		if err := record.KeepRun(dir, r, nil, time.Now()); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	a := write(func(*record.Run) {})
	b := write(func(r *record.Run) {
		r.Header.Version, r.Header.Commit = "0.2.0", "def-dirty"
		r.Header.Host = map[string]any{"cpu_model": "Real\x1b[31m 1", "gomaxprocs": 1}
	})
	_, stdout, _ := execute(t, context.Background(), "compare", a, b)
	head, _, _ := strings.Cut(strings.ReplaceAll(stdout, "\n  ", " "), "\n\n")
	for _, want := range []string{
		"differs: queuelab: A 0.1.0, B 0.2.0", "differs: commit: A abc, B def-dirty",
		"differs: machine, cpu model: A Imaginary 9000, B Real?[31m 1", "differs: machine, gomaxprocs: A 2, B 1",
		"differs: B: the program was built from uncommitted changes",
	} {
		if !strings.Contains(head, want) {
			t.Errorf("%q is not among the first lines:\n%s", want, stdout)
		}
	}
}

func TestFigure(t *testing.T) {
	for _, c := range []struct {
		value record.Value
		want  string
	}{{0.01234, "0.012"}, {5.1234, "5.123"}, {51.234, "51.23"}, {512.34, "512.3"}, {5123.4, "5123"}, {42424.4, "42424"}, {1234567.8, "1234568"}, {record.Unknown(), "-"}} {
		if got := figure(c.value); got != c.want {
			t.Errorf("%v is written %q, want %q", float64(c.value), got, c.want)
		}
	}
}

// wordsOf are the words of a text, which wrapping must keep.
var wordsOf = regexp.MustCompile(`\S+`)

func TestWrapKeepsEveryWord(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("word ", 100), strings.Repeat("x", 200) + " y", strings.Repeat("ü ", 90)} {
		var out strings.Builder
		wrap(&out, text)
		if got, want := wordsOf.FindAllString(out.String(), -1), wordsOf.FindAllString(text, -1); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%q became %q", text, out.String())
		}
		for line := range strings.Lines(out.String()) {
			if n := len([]rune(line)) - 1; n > columns && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("a line of %d columns: %q", n, line)
			}
		}
	}
}

// A result that cannot be printed is an error, also beside a gate.
func TestCompareToAFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	defer full.Close()
	var stderr strings.Builder
	dir := keptTrial(t, 1, 2)
	if status := run(context.Background(), &console{full, &stderr}, []string{"compare", dir, dir}); status != statusFailed {
		t.Errorf("status %d, %s", status, stderr.String())
	}
}
