package reports

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure/record"
)

// endpoints is a trial of a server whose every endpoint has a service time of its
// own.
const endpoints = `
name: endpoints
title: Endpoints
question: How much slower is the slow one?
targets:
  - {name: known, serve: "det:4ms", servers: 4}
experiments:
  - kind: trial
    title: Two endpoints
    clients: [8]
    ceiling: fast
    endpoints:
      - {name: fast, path: /}
      - {name: slow, path: "/?service=20ms"}
    published: {note: Made up., runs: [{throughput: 1000}, {throughput: 250}]}
profiles:
  quick: {trial: 5s, reps: 2, warmup: 100ms, pause: 1s}
`

// reportOn makes a report of a study and returns its results, its page, and what
// was printed.
func reportOn(t *testing.T, study *Study, profile string, set Overrides) (results *Results, page, printed, out string) {
	t.Helper()
	out = filepath.Join(t.TempDir(), "report")
	var tables bytes.Buffer
	err := Run(context.Background(), Request{Study: study, Profile: profile, Out: out, Overrides: set, Tables: &tables})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(out, "data", "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &results); err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(out, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return results, string(readme), tables.String(), out
}

// A known-answer server with four servers answers 1/5 of the rate when each request
// takes five times as long.
func TestTrialOfAKnownServer(t *testing.T) {
	set, err := ReadOverrides([]Override{{RepsKey, "3", "REPS"}, {LengthKey, "0.4", "-seconds"}})
	if err != nil {
		t.Fatal(err)
	}
	results, page, printed, out := reportOn(t, parsed(t, endpoints), "quick", set)
	trial := results.Targets[0].Trials[0]
	fast, slow := trial.Endpoints[0], trial.Endpoints[1]
	// A run's last answers may come at once, one of each server, and make its rate a
	// little higher.
	if !(fast.rate() > 2*slow.rate()) || slow.rate() > 220 || slow.rate() < 50 {
		t.Errorf("the endpoint of 4 ms answered %v/s and that of 20 ms %v/s, want at most some 1000 and 200", fast.rate(), slow.rate())
	}
	share, cost := trial.against(slow)
	if !(share > 0 && share < 0.5) || !(cost > 0) {
		t.Errorf("share %v and cost %v µs of the slow one", share, cost)
	}
	for _, e := range trial.Endpoints {
		checkEndpoint(t, out, e, 3, 0.4, 8)
	}
	// Nothing is predicted, so nothing is said of predictions.
	for _, word := range []string{"predict", "Predict", "calibrat", "margin", "capacity", "NaN", "Inf", "0001-01-01"} {
		if strings.Contains(page, word) {
			t.Errorf("the page has the word %q: %s", word, context200(page, word))
		}
	}
	for _, want := range []string{"profile quick with 3 runs (REPS), runs of 400 ms (-seconds) in its trials", "3 runs of 400 ms each, closed, 8 clients", "75 % interval of the median", "data/runs/known/slow/", "Made up."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if files := picture.FindAllString(page, -1); len(files) != 1 {
		t.Errorf("pictures %v, want one", files)
	}
	checkPrinted(t, printed, trial)
	text, err := os.ReadFile(filepath.Join(out, "data", "results.json"))
	if err != nil || bytes.Contains(text, []byte("predicted_utc")) || bytes.Contains(text, []byte(`"calibration`)) {
		t.Errorf("the data hold a calibration that was not made (%v)", err)
	}
}

// checkEndpoint: every run was taken as it was meant to be, and the trial's folder
// holds it.
func checkEndpoint(t *testing.T, out string, e *EndpointResult, reps int, length float64, clients int) {
	t.Helper()
	if len(e.Run.Reps) != reps {
		t.Fatalf("%s has %d runs, want %d", e.Name, len(e.Run.Reps), reps)
	}
	seeds := map[uint64]bool{}
	for _, run := range e.Run.Reps {
		n := run.Requests
		if !n.Balanced() || n.Answered == 0 || n.Answered != n.Scheduled || run.Workload.Seconds != length || run.Workload.Clients != clients {
			t.Errorf("%s: counts %+v of %+v", e.Name, n, run.Workload)
		}
		seeds[run.Seed] = true
	}
	if len(seeds) != reps {
		t.Errorf("%s: the runs have %d seeds", e.Name, len(seeds))
	}
	kept, err := record.ReadRun(filepath.Join(out, e.Folder))
	if err != nil || len(kept.Reps) != reps || kept.Header == nil {
		t.Errorf("%s: the trial's folder holds %+v, %v", e.Name, kept, err)
	}
	for _, file := range []string{"trial.txt", "benchmarks.txt", "runs/1/run.json", "runs/1/latency.hlog"} {
		if info, err := os.Stat(filepath.Join(out, e.Folder, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %s: %v", e.Name, file, err)
		}
	}
	if _, err := os.Stat(filepath.Join(out, e.Folder, "runs/1", record.RequestsFile)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: the report keeps every request: %v", e.Name, err)
	}
}

// context200 is what stands around a word.
func context200(text, word string) string {
	i := strings.Index(text, word)
	return text[max(0, i-100):min(len(text), i+100)]
}

// checkPrinted: the terminal shows the page's medians, an endpoint a line.
func checkPrinted(t *testing.T, printed string, trial *TrialResult) {
	t.Helper()
	for _, e := range trial.Endpoints {
		line := regexp.MustCompile(`(?m)^` + e.Name + ` +` + digits(e.rate()) + ` .*$`)
		if !line.MatchString(printed) {
			t.Errorf("no line of %s with %s/s was printed:\n%s", e.Name, digits(e.rate()), printed)
		}
	}
}

// The shortener: writes are deleted again, and every endpoint answers as its own
// study expects.
func TestTrialOfTheShortener(t *testing.T) {
	study, err := Load("baseline")
	if err != nil {
		t.Fatal(err)
	}
	results, page, printed, out := reportOn(t, study, "tiny", Overrides{Clients: 4, Words: []string{"4 clients (-clients)"}})
	trial := results.Targets[0].Trials[0]
	for _, e := range trial.Endpoints {
		checkEndpoint(t, out, e, 2, 0.3, 4)
		if e.Published[record.ThroughputKey] == 0 {
			t.Errorf("%s has no published figures beside it", e.Name)
		}
		if wrote := e.Rows != nil; wrote != (e.Name == "create") {
			t.Errorf("%s has rows %+v", e.Name, e.Rows)
		}
	}
	create := trial.Endpoints[2]
	if rows := create.Rows; rows == nil || rows.Cleaned != rows.Before || rows.After-rows.Before < create.Run.Requests.Answered {
		t.Errorf("%d requests were answered, and the rows are %+v", create.Run.Requests.Answered, rows)
	}
	if !strings.Contains(page, "as published") || !strings.Contains(page, "shortener: ") {
		t.Error("the page lacks the published figures or the server's facts")
	}
	checkPrinted(t, printed, trial)
}

// When nobody could delete what is written, nothing is written.
func TestTrialThatCouldNotBeCleanedUp(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	dir := t.TempDir()
	study := strings.Replace(endpoints, `serve: "det:4ms", servers: 4`, `driver: http, url: "`+server.URL+`"`, 1)
	study = strings.Replace(study, "{name: fast, path: /}", `{name: fast, path: /, method: POST, cleanup_sql: DELETE FROM t, dsn: "host=127.0.0.1 port=1 user=me dbname=d"}`, 1)
	err := Run(context.Background(), Request{Study: parsed(t, study), Profile: "quick", Out: filepath.Join(dir, "report")})
	var unreachable *drivers.UnreachableError
	if !errors.As(err, &unreachable) || asked.Load() > 0 {
		t.Errorf("got %v after %d requests, want none and that the database cannot be reached", err, asked.Load())
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// An interrupted trial keeps what it has, and says so.
func TestInterruptedTrialKeepsItsRuns(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var served atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		time.Sleep(5 * time.Millisecond)
		if served.Add(1) == 100 {
			cancel()
		}
	}))
	defer server.Close()
	dir := t.TempDir()
	out := filepath.Join(dir, "report")
	study := strings.Replace(endpoints, `serve: "det:4ms", servers: 4`, `driver: http, url: "`+server.URL+`"`, 1)
	study = strings.Replace(study, "trial: 5s, reps: 2, warmup: 100ms", "trial: 60s, reps: 2", 1)
	err := Run(ctx, Request{Study: parsed(t, study), Profile: "quick", Out: out})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), out+"-unfinished-") {
		t.Errorf("got %v, want where the runs are", err)
	}
	kept, _ := filepath.Glob(filepath.Join(dir, "report-unfinished-*", "data", "runs", "known", "fast"))
	if len(kept) != 1 {
		t.Fatalf("kept %v, want the first endpoint's trial", kept)
	}
	run, err := record.ReadRun(kept[0])
	if err != nil || !run.Interrupted || run.Requests.Answered == 0 {
		t.Errorf("kept %+v, %v", run, err)
	}
}
