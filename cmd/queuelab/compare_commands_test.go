package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// line is a summary line that a shell command prints; its throughput is for the
// shell to work out.
const line = `%s answered/s over 10.0 s, mean 2.00 ms, p50 1.90 ms, p99 4.00 ms, max 5.00 ms; 0 failed`

// printing is a command that notes its turn in a file and prints a summary line
// with a throughput that moves by a few from turn to turn.
func printing(turns, name string, throughput int) string {
	return fmt.Sprintf(`printf %s >>%s; n=$(wc -c <%s); echo noise; echo "%s"`, name, turns, turns,
		fmt.Sprintf(line, fmt.Sprintf("$((%d + n %% 4))", throughput)))
}

// Any program that prints the summary line is compared; the order is ABBA; what is
// kept are trials that show, compare and say the same again.
func TestCompareAlternatesCommands(t *testing.T) {
	turns, out := filepath.Join(t.TempDir(), "turns"), filepath.Join(t.TempDir(), "kept")
	got := compareJSON(t, statusMargin, "-a", printing(turns, "A", 1000), "-b", printing(turns, "B", 900),
		"-reps", "5", "-quantity", "throughput", "-fail-if-slower", "5%", "-out", out)
	order, err := os.ReadFile(turns)
	if err != nil || string(order) != "ABBAABBAAB" || got.Order != string(order) {
		t.Errorf("the commands ran in the order %s, and %s is said; want ABBAABBAAB (%v)", order, got.Order, err)
	}
	if got.RunsA != 5 || got.RunsB != 5 || len(got.Quantities) != 1 || got.Quantities[0].Verdict != "slower" {
		t.Errorf("%+v", got)
	}
	if len(got.Differences) != 0 {
		t.Errorf("two commands on one machine differ in %q", got.Differences)
	}
	again := compareJSON(t, statusDone, filepath.Join(out, "a"), filepath.Join(out, "b"), "-quantity", "throughput")
	if again.Quantities[0].Sentence != got.Quantities[0].Sentence {
		t.Errorf("what is kept says %q, but it was %q", again.Quantities[0].Sentence, got.Quantities[0].Sentence)
	}
	for _, kept := range []string{"a", "b/runs/5"} {
		if status, stdout, stderr := execute(t, context.Background(), "show", filepath.Join(out, kept)); status != statusDone || !summaryLine.MatchString(lastLine(stdout)) {
			t.Errorf("show %s: status %d, %q, %s", kept, status, lastLine(stdout), stderr)
		}
	}
}

// This very program measures: a server against itself, and against one that takes
// half as long again, which five runs of each must find.
func TestCompareMeasures(t *testing.T) {
	t.Setenv(asProgram, "1")
	url := knownServer(t, "det:4ms")
	bench := "bench -closed -clients 2 -seconds 0.2 -url " + url
	same := compareJSON(t, statusDone, "-a", bench, "-b", "queuelab  "+bench, "-reps", "2")
	if same.Order != "ABBA" || same.RunsA != 2 || same.RunsB != 2 || len(same.Quantities) < 3 {
		t.Errorf("%+v", same)
	}
	for _, q := range same.Quantities {
		if !strings.HasPrefix(q.Sentence, "no difference can be shown with 2 runs against 2 runs") || q.A.Median == nil || *q.A.Median <= 0 {
			t.Errorf("%+v", q)
		}
	}
	for _, difference := range same.Differences {
		if strings.HasPrefix(difference, "machine") || strings.HasPrefix(difference, "workload") || strings.HasPrefix(difference, "target") {
			t.Errorf("the same differs: %s", difference)
		}
	}
	slower := compareJSON(t, statusDone, "-a", bench, "-b", bench+"'?service=6ms'", "-quantity", "throughput")
	if slower.Quantities[0].Verdict != "slower" || slower.Order != "ABBAABBAAB" {
		t.Errorf("half as long again is not found: %+v", slower.Quantities[0])
	}
	if !strings.HasPrefix(strings.Join(slower.Differences, "\n"), "target: ") {
		t.Errorf("the differences are %q", slower.Differences)
	}
}

func TestCompareSimulations(t *testing.T) {
	t.Setenv(asProgram, "1")
	// The shell sees the quotes and the variable.
	t.Setenv("LAW", "exp:4ms")
	got := compareJSON(t, statusDone, "-a", `simulate -open -rate "100" -requests 500 -service "$LAW" -seed $$`, "-b", "simulate -open -rate 100 -requests 500 -service exp:4ms -json=false -seed $$", "-reps", "1")
	if got.Order != "AB" || got.RunsB != 1 || got.Quantities[0].B.Median == nil {
		t.Errorf("%+v", got)
	}
}

func TestCompareCommandsThatFail(t *testing.T) {
	t.Setenv(asProgram, "1")
	fine := `echo "` + fmt.Sprintf(line, "100") + `"`
	dead := closedPort(t)
	for _, c := range []struct {
		b    string
		says string
	}{
		{"echo oh >&2; echo no space left >&2; exit 7", "B 1 of 5, \"echo oh >&2; echo no space left >&2; exit 7\", failed: exit status 7: no space left"},
		{"kill -9 $$", "failed: signal: killed"},
		{"true", "gave no run: it printed nothing"},
		{"echo hello", `gave no run: "hello" is no summary line`},
		{"echo '{}'", "gave no run: what it printed is not a run's summary"},
		{"/no/such/program", "failed: exit status 127: "},
		{"bench -closed -clients 1 -seconds 0.1 -url http://" + dead, "failed: exit status 3: queuelab bench: "},
		{"bench -closed", "failed: exit status 2: queuelab bench: -closed needs -clients"},
		{"echo -token=hunter2; exit 1; curl -H 'Authorization: Bearer hunter2' postgres://me:hunter2@x/ PGPASSWORD=hunter2", "failed: exit status 1\n"},
	} {
		status, stdout, stderr := execute(t, context.Background(), "compare", "-a", fine, "-b", c.b)
		if status != statusFailed || stdout != "" || !strings.Contains(stderr, c.says) || strings.Contains(stderr, "hunter2") {
			t.Errorf("-b %q: status %d, printed %q, said %q; want %d and %q", c.b, status, stdout, stderr, statusFailed, c.says)
		}
	}
}

// What was measured before a command fails is compared, kept and marked.
func TestCompareCommandThatFailsLater(t *testing.T) {
	turns, out := filepath.Join(t.TempDir(), "turns"), filepath.Join(t.TempDir(), "kept")
	b := printing(turns, "B", 900) + fmt.Sprintf("; test $(wc -c <%s) -lt 6", turns)
	status, stdout, stderr := execute(t, context.Background(), "compare", "-a", printing(turns, "A", 1000), "-b", b, "-out", out)
	if status != statusFailed || !strings.Contains(stderr, "B 3 of 5") || !strings.Contains(stdout, "INTERRUPTED") || !strings.Contains(stdout, "order of the runs: ABBAA\n") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
	again := compareJSON(t, statusDone, filepath.Join(out, "a"), filepath.Join(out, "b"))
	if again.RunsA != 3 || again.RunsB != 2 || len(again.Doubts) != 3 {
		t.Errorf("kept are %d and %d runs, with the doubts %q", again.RunsA, again.RunsB, again.Doubts)
	}
}

// gone waits until a process has ended.
func gone(t *testing.T, pid int) bool {
	t.Helper()
	for range 100 {
		if syscall.Kill(pid, 0) != nil {
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

func pidIn(t *testing.T, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// untilWritten is a context that ends when a file says something.
func untilWritten(t *testing.T, file string) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	go func() {
		for ctx.Err() == nil {
			if text, err := os.ReadFile(file); err == nil && len(text) > 0 {
				cancel()
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	return ctx
}

// Ctrl-C ends the command that runs, and what it started; what was measured is
// said.
func TestCompareInterrupted(t *testing.T) {
	dir := t.TempDir()
	turns, started := filepath.Join(dir, "turns"), filepath.Join(dir, "pid")
	ctx := untilWritten(t, started)
	b := fmt.Sprintf("if test -s %s && test $(wc -c <%s) -gt 2; then sleep 600 & echo $! >%s; wait; fi; ", turns, turns, started) + printing(turns, "B", 900)
	status, stdout, stderr := execute(t, ctx, "compare", "-a", printing(turns, "A", 1000), "-b", b)
	if status != statusInterrupted || !strings.Contains(stdout, "INTERRUPTED") || !strings.Contains(stdout, "order of the runs: ABBAA\n") || !strings.Contains(stderr, "B 3 of 5 was interrupted and does not count") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
	if pid := pidIn(t, started); !gone(t, pid) {
		t.Errorf("process %d is left running", pid)
	}
}

// A command that does not listen is killed, and one that ends leaves nothing of its
// group behind.
func TestShellLeavesNothing(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	s := shell{program: "", grace: 100 * time.Millisecond}
	begun := time.Now()
	_, _, err := s.run(untilWritten(t, pids), fmt.Sprintf("trap '' INT; echo $$ >%s; while :; do sleep 600; done", pids))
	if err == nil || time.Since(begun) > time.Minute {
		t.Errorf("after %v: %v", time.Since(begun), err)
	}
	if pid := pidIn(t, pids); !gone(t, pid) {
		t.Errorf("process %d is left running", pid)
	}
	output, said, err := s.run(context.Background(), fmt.Sprintf("sleep 600 & echo $! >%s; echo out; echo err >&2", pids))
	if err != nil || string(output) != "out\n" || said != "err\n" {
		t.Errorf("printed %q, said %q, %v", output, said, err)
	}
	if pid := pidIn(t, pids); !gone(t, pid) {
		t.Errorf("process %d is left running", pid)
	}
}

func TestParseOutput(t *testing.T) {
	object := `{"schema":1,"source":"measured","throughput_per_s":42}`
	for _, c := range []struct {
		name, output string
		throughput   float64
	}{
		{"object", object, 42},
		{"object with an end of line", object + "\n", 42},
		{"object after other lines", "hello\n{\n}\n" + object, 42},
		{"indented", "{\n  \"schema\": 1,\n  \"workload\": {\n    \"loop\": \"open\"\n  },\n  \"throughput_per_s\": 42\n}\n", 42},
		{"line", fmt.Sprintf(line, "42"), 42},
		{"line after others", "{\n" + fmt.Sprintf(line, "42") + "\r\n\n", 42},
	} {
		run, err := parseOutput([]byte(c.output))
		if err != nil || float64(run.Throughput) != c.throughput {
			t.Errorf("%s: %+v, %v", c.name, run, err)
		}
	}
}

func FuzzParseOutput(f *testing.F) {
	for _, seed := range []string{"", "}", "{}", "\n{}", "x\n{\"schema\":1}", `{"schema":1,"reps":[null]}`, `{"schema":1} `, fmt.Sprintf(line, "7")} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, output []byte) {
		run, err := parseOutput(output)
		if (run == nil) == (err == nil) {
			t.Fatalf("%q: %v, %v", output, run, err)
		}
		if err == nil && !run.Requests.Balanced() {
			t.Fatalf("%q: %+v", output, run.Requests)
		}
	})
}
