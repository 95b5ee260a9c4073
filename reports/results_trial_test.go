package reports

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"queuelab/measure/record"
	"queuelab/measure/trial"
)

// measuredEndpoint is an endpoint whose runs had these throughputs and p99s.
func measuredEndpoint(name string, rates, p99s []float64) *EndpointResult {
	var runs []*record.Run
	for i, rate := range rates {
		run := record.NewRun(record.Measured)
		run.Target = "GET http://127.0.0.1:8080/" + name
		run.Workload = record.Workload{Loop: "closed", Clients: 50, Seconds: 10}
		run.Requests = record.Counts{Scheduled: int64(10 * rate), Answered: int64(10*rate) - 1, Failed: 1}
		run.Throughput = record.Value(rate)
		run.Latency = record.Quantities{"mean": record.Value(50e3 / rate), "p50": record.Value(45e3 / rate), "p99": record.Value(p99s[i]), "max": record.Value(2 * p99s[i])}
		run.Pause = &record.Pause{Waited: record.Value(i), TimeWait: 3, Left: record.Value(28000 - i)}
		runs = append(runs, run)
	}
	return &EndpointResult{Name: name, Folder: "data/runs/t/" + name, Run: trial.Combine(name, runs)}
}

// published are the article's runs of the redirect, its medians of the other two
// endpoints with runs around them, and its spreads.
func publishedTrial() *TrialResult {
	t := &TrialResult{Title: "Three endpoints", Ceiling: "healthz", Note: "They are another machine's.", Endpoints: []*EndpointResult{
		measuredEndpoint("healthz", []float64{89776, 89866, 89900, 89956, 89800}, []float64{1.0, 1.0, 1.1, 0.9, 1.0}),
		measuredEndpoint("redirect", []float64{41837, 42364, 42424, 42511, 42948}, []float64{5.9, 4.7, 4.5, 4.8, 3.9}),
		measuredEndpoint("create", []float64{32790, 34253, 34366, 34500, 34888}, []float64{6.9, 6.5, 6.4, 6.6, 6.5}),
	}}
	t.Endpoints[1].Published = map[string]float64{record.ThroughputKey: 42424, "p99": 4.7, spreadKey: 0.026}
	t.Endpoints[0].Published = map[string]float64{record.ThroughputKey: 89866}
	t.Endpoints[2].Rows = &record.Rows{Table: "links", Before: 500003, After: 2306273, Cleaned: 500003, Cleanup: "DELETE FROM links WHERE …"}
	return t
}

func TestArticlesTable(t *testing.T) {
	table := publishedTrial().table()
	want := [][]Cell{
		Cells("healthz", "89866", "89776–89956 (93.75 %)", "0.2", "0.501", "1.00", "5", "100.0", "-", "0", "-"),
		// 1/42424 - 1/89866 = 23.57 µs - 11.13 µs
		Cells("redirect", "42424", "41837–42948 (93.75 %)", "2.6", "1.06", "4.70", "5", "47.2", "46.6–47.8", "12.4", "12.2–12.8"),
		Cells("create", "34366", "32790–34888 (93.75 %)", "6.1", "1.31", "6.50", "5", "38.2", "36.5–38.8", "18.0", "17.5–19.4"),
	}
	for i, row := range table.Rows {
		if !slices.Equal(row, want[i]) {
			t.Errorf("row %d is\n%q, want\n%q", i, row, want[i])
		}
	}
	if len(table.Columns) != len(want[0]) || len(table.Units) != len(want[0]) {
		t.Errorf("%d columns and %d units for %d cells", len(table.Columns), len(table.Units), len(want[0]))
	}
	if !strings.Contains(table.Caption, "(Hodges–Lehmann, 96.8 %)") {
		t.Errorf("the caption tells no level: %s", table.Caption)
	}
	for c, numeric := range table.numeric() {
		if numeric != (c > 0) {
			t.Errorf("column %q is set as a number: %v", table.Columns[c], numeric)
		}
	}
}

// Whatever the rates, the cost is the time by which a request takes the bottleneck
// longer, and the share is that of the rates.
func TestCostAndShareAreOneStatement(t *testing.T) {
	for _, c := range [][2]record.Value{{42424, 89866}, {1, 3}, {3, 1}, {5, 5}} {
		share, cost := against(c[0], c[1])
		if again := 1 / (1 + float64(cost)*1e-6*float64(c[1])); math.Abs(again/float64(share)-1) > 1e-12 {
			t.Errorf("%v of %v: share %v, and the cost of %v µs makes it %v", c[0], c[1], share, cost, again)
		}
	}
	for _, c := range [][2]record.Value{{0, 5}, {5, 0}, {0, 0}, {record.Unknown(), 5}, {5, record.Unknown()}} {
		if share, cost := against(c[0], c[1]); share.Known() && share != 0 || cost.Known() {
			t.Errorf("%v of %v: share %v, cost %v", c[0], c[1], share, cost)
		}
	}
}

func TestTableWithoutCeiling(t *testing.T) {
	trial := publishedTrial()
	trial.Ceiling = ""
	if table := trial.table(); len(table.Columns) != 7 || len(table.Rows[0]) != 7 || strings.Contains(table.Caption, "Hodges") {
		t.Errorf("without ceiling: columns %q, caption %q", table.Columns, table.Caption)
	}
}

func TestRunsTableHasEveryRun(t *testing.T) {
	var speeds speeds
	for i, before := range []record.Value{10, 10, 12.5} {
		speeds = append(speeds, SpeedResult{Run: trialRun("healthz", i), Before: before, After: before})
	}
	table := publishedTrial().runsTable(speeds)
	if len(table.Rows) != 15 {
		t.Fatalf("%d rows, want 15", len(table.Rows))
	}
	if want := Cells("healthz", "3", "89900", "0.556", "0.501", "1.10", "2.20", "1", "2.0", "3", "27998", "0.8"); !slices.Equal(table.Rows[2], want) {
		t.Errorf("got %q, want %q", table.Rows[2], want)
	}
}

func TestPublishedTable(t *testing.T) {
	trial := publishedTrial()
	table := trial.publishedTable()
	if want := Cells("redirect", "42424", "42424", "4.70", "4.70", "2.6", "2.6", "47.2", "47.2", "12.4", "12.4"); !slices.Equal(table.Rows[1], want) {
		t.Errorf("got %q, want %q", table.Rows[1], want)
	}
	if want := Cells("create", "-", "34366", "-", "6.50", "-", "6.1", "-", "38.2", "-", "18.0"); !slices.Equal(table.Rows[2], want) {
		t.Errorf("got %q, want %q", table.Rows[2], want)
	}
	for _, e := range trial.Endpoints {
		e.Published = nil
	}
	if trial.publishedTable() != nil {
		t.Error("a table of nothing")
	}
}

func TestTrialWords(t *testing.T) {
	trial := publishedTrial()
	trial.Work = 0.03
	if got, want := trial.conditions(), "5 runs of 10 s each, closed, 50 clients"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, c := range []struct {
		text, want string
	}{
		{trial.words(), "healthz, the ceiling, answered 89866/s (spread 0.2 %; 93.75 % interval of the median 89776 to 89956/s; p99 1.00 ms)."},
		{trial.words(), "redirect answered 42424/s (spread 2.6 %; 93.75 % interval of the median 41837 to 42948/s; p99 4.70 ms), which is 47.2 % of the ceiling: a request costs 12.4 µs more."},
		{trial.procedure(), "5 runs of 10 s each, closed, 50 clients. The run is the sample"},
		{trial.driftWords(), "took up to 3.0 % more time than around the first one."},
		{strings.Join(trial.notes(), "\n"), "create writes to the table links, which had 500003 rows before, 2306273 after, and 500003 when its rows were deleted: DELETE FROM links WHERE …"},
		{strings.Join(trial.files(), "\n"), "redirect: data/runs/t/redirect/ holds trial.txt to read, benchmarks.txt for benchstat"},
	} {
		if !strings.Contains(c.text, c.want) {
			t.Errorf("%q does not say %q", c.text, c.want)
		}
	}
	for work, want := range map[record.Value]string{-0.04: "", 0.06: "SUSPECT", -0.21: "INVALID"} {
		trial.Work = work
		if got := trial.trust(); got != want || want != "" && !strings.Contains(trial.driftWords(), want+": ") {
			t.Errorf("a drift of %v makes the trial %q, want %q: %s", work, got, want, trial.driftWords())
		}
	}
	if trial.Known = true; trial.trust() != "" || strings.Contains(trial.driftWords(), "SUSPECT") {
		t.Error("a server whose speed is given drifts")
	}
	trial.Ceiling = "create"
	if got := trial.words(); !strings.Contains(got, "a request costs 5.53 µs less. What is faster than create has no ceiling in it.") {
		t.Errorf("what is faster than the ceiling: %q", got)
	}
	trial.Endpoints[1].Run.Trial.Warnings = []string{"run 1 stands apart"}
	if got := trial.finding(); !strings.HasPrefix(got, "Three endpoints: 5 runs of 10 s each") {
		t.Errorf("the finding is %q", got)
	}
	if got := trial.notes()[0]; got != "redirect: run 1 stands apart." {
		t.Errorf("the first note is %q", got)
	}
}

// An endpoint that answered nothing in a run has no figures, and nothing breaks.
func TestTrialWithoutAnswers(t *testing.T) {
	trial := publishedTrial()
	trial.Endpoints[0] = measuredEndpoint("healthz", []float64{math.NaN(), 9}, []float64{math.NaN(), 1})
	table := trial.table()
	if want := Cells("healthz", "-", "-", "-", "-", "-"); !slices.Equal(table.Rows[0][:6], want) {
		t.Errorf("got %q, want %q", table.Rows[0], want)
	}
	if !strings.Contains(trial.words(), "healthz has a run in which nothing was answered") || strings.Contains(trial.words(), "NaN") {
		t.Errorf("got %q", trial.words())
	}
	if p := trial.panel("p99", "p99"); !drawable(p) {
		t.Error("the other endpoints cannot be drawn")
	}
}

func TestTableAsText(t *testing.T) {
	var out bytes.Buffer
	table := &Table{Columns: []string{"endpoint", "median"}, Units: []string{"", "µs"}, Rows: [][]Cell{Cells("a", "12.5"), Cells("the other", "-"), Cells("short")}}
	if err := table.writeText(&out); err != nil {
		t.Fatal(err)
	}
	const want = "endpoint   median\n               µs\na            12.5\nthe other       -\nshort\n\n"
	if out.String() != want {
		t.Errorf("got\n%q, want\n%q", out.String(), want)
	}
}
