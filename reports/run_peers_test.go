package reports

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"queuelab/analysis/figure"
	"queuelab/measure/peer"
	"queuelab/measure/record"
)

// fakeBench answers with made-up numbers and keeps what it was asked.
type fakeBench struct {
	missing  []string
	fail     error // of the lateness
	plans    []peer.CostPlan
	lateness []peer.LatenessPlan
	timings  int
}

// speed becomes slower by 1 % each time.
func (f *fakeBench) speed() time.Duration {
	f.timings++
	return time.Duration(f.timings+99) * 10 * time.Microsecond
}

func (f *fakeBench) bench() bench { return bench{f.find, f.cost, f.queries, f.late, f.speed} }

func (f *fakeBench) find(names []string) (found []peer.Tool, missing []peer.Missing, err error) {
	for _, name := range names {
		if strings.Contains(strings.Join(f.missing, " "), name) {
			missing = append(missing, peer.Missing{Name: name, Install: "apt-get install " + name})
		} else {
			found = append(found, peer.Tool{Name: name, Version: "1.0", Path: "/bin/" + name})
		}
	}
	return found, missing, nil
}

// cost is 10 µs a request of the first tool, 20 of the second and so on, 2 % more in
// every further run.
func (f *fakeBench) cost(_ context.Context, p peer.CostPlan) (costs []peer.Cost, err error) {
	f.plans = append(f.plans, p)
	for run := 1; run <= p.Runs; run++ {
		for i, tool := range p.Tools {
			p.Watch(tool.Name)
			cpu := float64(i+1) * (1 + 0.02*float64(run-1))
			costs = append(costs, peer.Cost{Tool: tool.Name, Run: run, Requests: 100_000, Elapsed: float64(i + 1), User: cpu / 2, System: cpu / 2})
		}
	}
	return costs, nil
}

func (f *fakeBench) queries(ctx context.Context, p peer.CostPlan) ([]peer.Cost, error) {
	return f.cost(ctx, p)
}

// late is 12 µs at p50 and 100 µs at p99 of the first tool, and 15 times as much of
// the next; the last does not keep the rate.
func (f *fakeBench) late(_ context.Context, p peer.LatenessPlan) (all []peer.Lateness, err error) {
	f.lateness = append(f.lateness, p)
	for run := 1; run <= p.Runs && f.fail == nil; run++ {
		for i, tool := range p.Tools {
			p.Watch(tool.Name)
			by := math.Pow(15, float64(i))
			l := peer.Lateness{Tool: tool.Name, Run: run, Rate: p.Rate, Requests: 1000, Offered: p.Rate * (1 - 0.2*float64(i)), SCV: 0.03, P50: 12 * by, P90: 50 * by, P99: 100 * by, Max: 300 * by}
			for q := 1; q <= 128; q++ {
				l.Sorted = append(l.Sorted, by*math.Min(12/math.Ln2*-math.Log1p(-float64(q)/129), 300))
			}
			all = append(all, l)
		}
	}
	return all, f.fail
}

// report runs the study on the fake bench.
func (f *fakeBench) report(t *testing.T, ctx context.Context, study string) (string, error) {
	t.Helper()
	s := parsed(t, study)
	out := filepath.Join(t.TempDir(), "report")
	stage, err := createFolder(out)
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{
		Request: Request{Study: s, Profile: "quick", Out: out}, profile: s.Profiles["quick"], folder: stage, bench: f.bench(),
		results: &Results{Study: s.Name, Hash: s.Hash, Profile: "quick"},
	}
	r.left = r.total()
	if err := r.measureAll(ctx); err != nil {
		return out, r.giveUp(ctx, err)
	}
	if r.left != 0 {
		t.Errorf("%v are left when everything is measured", r.left)
	}
	if err := r.write(); err != nil {
		t.Fatal(err)
	}
	return out, stage.Commit()
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPeersReport(t *testing.T) {
	f := &fakeBench{missing: []string{"wrk"}}
	out, err := f.report(t, context.Background(), generators)
	if err != nil {
		t.Fatal(err)
	}
	page := read(t, out, "README.md")
	for _, want := range []string{
		"a request cost queuelab 10.2 µs of CPU time: 0.5 times hey's 20.4 µs.",
		"queuelab had 100000 queries answered each second: 2.00 times pgbench's 50000/s.",
		"at 1,000 requests/s half of queuelab's requests were sent at most 12.0 µs late, and 99 % at most 100 µs; vegeta was 15.0 times as late at p50 and 15.0 times at p99",
		"vegeta did not keep the rate, which was off by up to 20.0 %, and is late by what it left out",
		"Of 13 goals that the study set before the measurement, 12 were met",
		"Missing, because not installed on this machine: wrk (apt-get install wrk).",
		"took up to 6.0 % more time than before the first. SUSPECT: the machine drifted by more than 5 %",
		"with the median (SUSPECT)](cost-",
		"| wrk | missing | apt-get install wrk |",
		"| a request costs at most 0.6 times the CPU time that it costs hey | ≤ 0.6 times | 0.5 times | met |",
		"| at least 0.9 times as many queries a second as pgbench | ≥ 0.9 times | 2.00 times | met |",
		"| SCV of the gaps at most 0.02 at 1,000 requests/s | ≤ 0.02 | 0.03 | missed by 50.0 % |",
		"| queuelab | 10.2 | 10.0 | 10.4 | 100000 | - |",
		"| hey | 20.4 | 20.0 | 20.8 | 50000 | 0.50 |",
		"| 1,000 | vegeta | 180 | 1500 | 4500 | 800.0 | 20.0 | 0.03 | 15.0 | 15.0 |",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(page, "NaN") || strings.Contains(page, "How steady the machine was") {
		t.Error("the page prints NaN, or the speed around runs that no target had")
	}
	checkFigures(t, out, page)
	if len(f.plans) != 2 || f.plans[0].Runs != 3 || f.plans[0].Clients != 16 || f.plans[0].Length.Seconds() != 5 || len(f.plans[0].Tools) != 2 {
		t.Errorf("the costs were measured with %+v", f.plans)
	}
	if len(f.lateness) != 2 || f.lateness[0].Rate != 1000 || f.lateness[1].Rate != 5000 || f.lateness[0].Length.Seconds() != 10 {
		t.Errorf("the lateness was measured with %+v", f.lateness)
	}
}

// checkFigures: three pictures, each drawn again from what is saved beside it.
func checkFigures(t *testing.T, out, page string) {
	t.Helper()
	pictures := picture.FindAllStringSubmatch(page, -1)
	if len(pictures) != 3 {
		t.Fatalf("pictures %v, want three", pictures)
	}
	for _, p := range pictures {
		saved, err := figure.Unmarshal([]byte(read(t, out, "data", strings.TrimSuffix(p[1], ".png")+".json")))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := saved.Draw(figure.Post); err != nil {
			t.Error(err)
		}
		if read(t, out, p[1]) == "" {
			t.Errorf("%s is empty", p[1])
		}
	}
}

// What was measured before something failed is kept, and marked.
func TestPeersThatFailKeepTheirRuns(t *testing.T) {
	trouble := errors.New("the witness is gone")
	out, err := (&fakeBench{fail: trouble}).report(t, context.Background(), generators)
	if !errors.Is(err, trouble) || !strings.Contains(err.Error(), out+"-unfinished-") {
		t.Fatalf("got %v, want the trouble and where the runs are", err)
	}
	kept, _ := filepath.Glob(out + "-unfinished-*")
	var results Results
	if len(kept) != 1 || json.Unmarshal([]byte(read(t, kept[0], "data", "results.json")), &results) != nil || len(results.Peers.Costs) != 2 {
		t.Errorf("kept %v with %+v, want both costs", kept, results.Peers)
	}
}

// Without the program itself there is nothing to compare.
func TestPeersWithoutThisOne(t *testing.T) {
	out, err := (&fakeBench{missing: []string{"queuelab"}}).report(t, context.Background(), generators)
	if err == nil || !strings.Contains(err.Error(), "the program queuelab itself is not found to be run beside the others; install it with: make build") {
		t.Errorf("got %v", err)
	}
	if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// With every other tool missing, the goals are not measured and nothing is invented.
func TestPeersAlone(t *testing.T) {
	out, err := (&fakeBench{missing: []string{"wrk", "hey", "pgbench", "vegeta"}}).report(t, context.Background(), generators)
	if err != nil {
		t.Fatal(err)
	}
	page := read(t, out, "README.md")
	for _, want := range []string{
		"no other load generator was there to compare", "| ≤ 0.6 times | - | not measured |", "pgbench (apt-get install pgbench)",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q:\n%s", want, page)
		}
	}
}

func TestGoalOutcomes(t *testing.T) {
	for _, c := range []struct {
		g    GoalResult
		want string
	}{
		{GoalResult{Limit: 1.1, Measured: 1.1}, "met"},
		{GoalResult{Limit: 1, Measured: 1.3}, "missed by 30.0 %"},
		{GoalResult{Limit: 0.9, Measured: 0.91, AtLeast: true}, "met"},
		{GoalResult{Limit: 0.9, Measured: 0.45, AtLeast: true}, "missed by 50.0 %"},
		{GoalResult{Limit: 1, Measured: record.Unknown()}, "not measured"},
		{GoalResult{Limit: 1, Measured: record.Unknown(), AtLeast: true}, "not measured"},
	} {
		if got := c.g.outcome(); got != c.want || c.g.met() != (c.want == "met") {
			t.Errorf("%+v: %s, met %v; want %s", c.g, got, c.g.met(), c.want)
		}
	}
}
