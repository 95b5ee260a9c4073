package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"queuelab/measure/lab/known"
	"queuelab/measure/law"
	"queuelab/measure/record"
)

// knownServer serves a law until the test ends.
func knownServer(t *testing.T, text string) string {
	t.Helper()
	l, err := law.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	s, err := known.Start(known.Config{Addr: "127.0.0.1:0", Service: l, Servers: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop() })
	return s.URL()
}

var summaryLine = regexp.MustCompile(`^\d+ answered/s over \d+\.\d s, mean (\d+\.\d\d ms|none), p50 (\d+\.\d\d ms|none), p99 (\d+\.\d\d ms|none), max (\d+\.\d\d ms|none); \d+ failed$`)

func lastLine(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return lines[len(lines)-1]
}

func TestBenchEndsWithTheSummaryLine(t *testing.T) {
	url := knownServer(t, "det:1ms")
	for _, loop := range []string{"-open -rate 200 -even", "-closed -clients 3"} {
		args := append(strings.Fields("bench -requests 50 -url "+url), strings.Fields(loop)...)
		status, stdout, stderr := execute(t, context.Background(), args...)
		if status != statusDone || !summaryLine.MatchString(lastLine(stdout)) {
			t.Errorf("%s: status %d, last line %q, stderr %q", loop, status, lastLine(stdout), stderr)
		}
	}
}

// A run in which every request fails is still a run: valid JSON, nulls, exit 0.
func TestAllFailedIsValidJSON(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	status, stdout, stderr := execute(t, context.Background(), "bench", "-json", "-url", server.URL, "-open", "-rate", "100", "-requests", "20")
	if status != statusDone {
		t.Fatalf("status %d, stderr %q", status, stderr)
	}
	var run struct {
		Requests record.Counts       `json:"requests"`
		Failures map[string]int64    `json:"failures"`
		Elapsed  *float64            `json:"elapsed_s"`
		Latency  map[string]*float64 `json:"latency_ms"`
		Validity record.Validity     `json:"validity"`
		Reps     json.RawMessage     `json:"reps"`
	}
	if err := json.Unmarshal([]byte(stdout), &run); err != nil {
		t.Fatalf("not valid JSON: %v\n%s", err, stdout)
	}
	if run.Requests.Scheduled != 20 || run.Requests.Failed != 20 || run.Failures["status_404"] != 20 {
		t.Errorf("counts %+v, failures %v; want 20 of 20 status_404", run.Requests, run.Failures)
	}
	if run.Elapsed != nil {
		t.Errorf("elapsed_s is %v where nothing was answered", *run.Elapsed)
	}
	for key, v := range run.Latency {
		if v != nil {
			t.Errorf("latency_ms %s is %v where nothing was answered", key, *v)
		}
	}
	if run.Validity.Verdict != record.Invalid || !strings.Contains(strings.Join(run.Validity.Reasons, "\n"), "nothing was answered") {
		t.Errorf("the verdict on a run without an answer is %+v", run.Validity)
	}
}

// Where numbers that cannot be believed are to stop a script, they do, after all that
// was measured is printed.
func TestStrict(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	for _, verb := range []string{"bench -open -rate 100 -requests 20", "bench -open -rate 100 -requests 20 -reps 2"} {
		args := append(strings.Fields(verb), "-url", server.URL)
		if status, _, stderr := execute(t, context.Background(), args...); status != statusDone {
			t.Errorf("%s: status %d, stderr %q", verb, status, stderr)
		}
		status, stdout, stderr := execute(t, context.Background(), append(args, "-strict")...)
		if status != statusMargin || !strings.Contains(stderr, "is INVALID: ") || !strings.Contains(stdout, "INVALID: ") || !strings.Contains(stdout, " failed\n") {
			t.Errorf("%s -strict: status %d, stdout %q, stderr %q", verb, status, stdout, stderr)
		}
	}
}

// The same workload simulated twice prints the same, and a kept run shows the
// same summary.
func TestSimulateIsReproducibleAndShown(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	args := strings.Fields("simulate -open -rate 150 -service exp:5ms -seconds 20")
	_, first, _ := execute(t, context.Background(), args...)
	status, second, stderr := execute(t, context.Background(), append(args, "-out", dir)...)
	if status != statusDone || first != second {
		t.Fatalf("status %d, stderr %q; first run printed\n%s\nsecond\n%s", status, stderr, first, second)
	}
	status, shown, stderr := execute(t, context.Background(), "show", dir)
	if status != statusDone || shown != second {
		t.Errorf("show: status %d, stderr %q, printed\n%s\nwant\n%s", status, stderr, shown, second)
	}
	// Its service times can be drawn from again.
	status, again, stderr := execute(t, context.Background(), append(strings.Fields("simulate -open -rate 150 -seconds 20 -service"), "file:"+dir)...)
	if status != statusDone || !summaryLine.MatchString(lastLine(again)) {
		t.Errorf("-service file: status %d, stderr %q, printed %q", status, stderr, again)
	}
}

// A bare think time takes the law of the model's first letter; a law that is
// written out is taken as it is.
func TestThinkTimesFollowTheModel(t *testing.T) {
	for _, c := range []struct{ model, think, want string }{
		{"M/M/1//10", "50ms", "exp:50ms"},
		{"M/M/1//10", "exp:50ms", "exp:50ms"},
		{"M/M/1//10", "0s", ""},
		{"D/M/1//10", "50ms", "det:50ms"},
		{"D/M/1//10", "det:50ms", "det:50ms"},
		{"E4/M/1//10", "50ms", "erlang:50ms,4"},
		{"G/M/1//10", "det:50ms", "det:50ms"},
		{"G/M/1//10", "uniform:10ms,90ms", "uniform:10ms,90ms"},
	} {
		line := "simulate -json -requests 20 -mean 4ms -model " + c.model + " -think " + c.think
		status, stdout, stderr := execute(t, context.Background(), strings.Fields(line)...)
		if status != statusDone {
			t.Errorf("%s: status %d, %s", line, status, stderr)
			continue
		}
		var run record.Run
		if err := json.Unmarshal([]byte(stdout), &run); err != nil {
			t.Fatal(err)
		}
		if run.Workload.Think != c.want {
			t.Errorf("%s: clients think %q, want %q", line, run.Workload.Think, c.want)
		}
	}
}

// Service times that travel with the requests are the same in both worlds.
func TestServiceTimesTravel(t *testing.T) {
	url := knownServer(t, "det:1ms")
	dirs := map[string]string{}
	for _, world := range []string{"bench -url " + url, "simulate"} {
		dir := filepath.Join(t.TempDir(), "run")
		args := append(strings.Fields(world), strings.Fields("-open -rate 100 -requests 40 -seed 5 -service exp:2ms -out "+dir)...)
		if status, _, stderr := execute(t, context.Background(), args...); status != statusDone {
			t.Fatalf("%s: status %d, %s", world, status, stderr)
		}
		dirs[strings.Fields(world)[0]] = dir
	}
	scheduled := func(dir string) (out []time.Duration) {
		if err := record.ReadRunRequests(dir, func(r *record.Request) { out = append(out, r.Scheduled) }); err != nil {
			t.Fatal(err)
		}
		return out
	}
	bench, simulated := scheduled(dirs["bench"]), scheduled(dirs["simulate"])
	if len(bench) != 40 || len(simulated) != 40 {
		t.Fatalf("%d and %d requests, want 40", len(bench), len(simulated))
	}
	in := map[time.Duration]bool{}
	for _, at := range simulated {
		in[at] = true
	}
	for _, at := range bench {
		if !in[at] {
			t.Errorf("the measured arrival at %v is not in the simulated schedule", at)
		}
	}
}

// cancelling serves requests and ends the context at the given one, as Ctrl-C
// would in the middle of a run.
func cancelling(t *testing.T, at int64) (ctx context.Context, url string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	var served atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if served.Add(1) == at {
			cancel()
		}
	}))
	t.Cleanup(server.Close)
	return ctx, server.URL
}

// Ctrl-C in the middle keeps what was measured, marked, and says so in the exit
// status.
func TestInterruptedRunIsKept(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, url := cancelling(t, 50)
	status, stdout, stderr := execute(t, ctx, "bench", "-url", url, "-open", "-rate", "100", "-seconds", "600")
	if status != statusInterrupted || !strings.Contains(stdout, "INTERRUPTED") || !summaryLine.MatchString(lastLine(stdout)) {
		t.Errorf("status %d, printed %q, stderr %q", status, stdout, stderr)
	}
	kept, err := filepath.Glob("queuelab-interrupted-*")
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept folders %v, %v; want one", kept, err)
	}
	run, err := record.ReadRun(kept[0])
	if err != nil {
		t.Fatal(err)
	}
	if log, err := os.ReadFile(filepath.Join(kept[0], record.HistogramFile)); err != nil || !strings.Contains(string(log), "HISTF") {
		t.Errorf("the kept histogram log holds no interval: %v\n%s", err, log)
	}
	if n := run.Requests; !run.Interrupted || n.Answered < 1 || !n.Balanced() || n.Scheduled > 100 {
		t.Errorf("kept run: interrupted %v, %+v", run.Interrupted, n)
	}
}

func TestSweepPrintsThePeakAlone(t *testing.T) {
	url := knownServer(t, "det:5ms")
	status, stdout, stderr := execute(t, context.Background(), "sweep", "-url", url, "-clients", "1,4", "-seconds", "1")
	if status != statusDone || !regexp.MustCompile(`^\d+\n$`).MatchString(stdout) {
		t.Fatalf("status %d, standard output %q, stderr %q", status, stdout, stderr)
	}
	if n := strings.Count(stderr, " answered/s over "); n != 2 {
		t.Errorf("%d summary lines on standard error, want 2: %q", n, stderr)
	}
}

func TestSecretsStayOut(t *testing.T) {
	for _, c := range []struct{ argument, want string }{
		{"postgres://u:hush@h/db", "postgres://u:REDACTED@h/db"},
		{"postgres://u:hu@sh@h/db", "postgres://u:REDACTED@h/db"},
		{"postgres://u:hu:sh@h/db?to=b@c", "postgres://u:REDACTED@h/db?to=b@c"},
		{"-dsn=postgres://u@corp:hush@h:5432/db", "-dsn=postgres://u@corp:REDACTED@h:5432/db"},
		{"postgres://h/db?user=u&password=hush&sslmode=disable", "postgres://h/db?user=u&password=REDACTED&sslmode=disable"},
		{"http://u:hush@h/", "http://u:REDACTED@h/"},
		{"host=h password=hush", "host=h password=REDACTED"},
		{"host=h password='hu sh' x=1", "host=h password=REDACTED x=1"},
		{`host=h password='hu\'s h' x=1`, "host=h password=REDACTED x=1"},
		{`host=h password = hu\ sh x=1`, "host=h password = REDACTED x=1"},
		{"http://h/?token=hush&x=1", "http://h/?token=REDACTED&x=1"},
		{"http://h/?x=1&api_key=hush#there", "http://h/?x=1&api_key=REDACTED#there"},
		{"-url=http://h/?access_token=hush", "-url=http://h/?access_token=REDACTED"},
		{"x=1&client_secret=hush", "x=1&client_secret=REDACTED"},
		{"Authorization: Bearer hush", "Authorization: REDACTED"},
		{`Authorization: Digest username="u", response="hush"`, "Authorization: REDACTED"},
		{"-header=Authorization: Basic hush", "-header=Authorization: REDACTED"},
		{"Proxy-Authorization:hush", "Proxy-Authorization:REDACTED"},
		{"X-Api-Key: hush", "X-Api-Key: REDACTED"},
		{"cookie: a=hush; b=hush", "cookie: REDACTED"},
		{"X-CSRF-TOKEN: hush", "X-CSRF-TOKEN: REDACTED"},
		{`{"user":"u","password":"hu\"sh","x":1}`, `{"user":"u","password":"REDACTED","x":1}`},
		{`-body={"api_key": "hush"}`, `-body={"api_key": "REDACTED"}`},
		// What is no secret stays as it is.
		{`{"url":"https://example.com/loadtest"}`, `{"url":"https://example.com/loadtest"}`},
		{"http://h:80/?to=b@c", "http://h:80/?to=b@c"},
		{"postgres://u@h:5432/db", "postgres://u@h:5432/db"},
		{"X-A: b@c", "X-A: b@c"},
		{"SELECT key::text FROM t WHERE key=$1", "SELECT key::text FROM t WHERE key=$1"},
		{"exp:5ms", "exp:5ms"},
	} {
		command := header(t.Context(), "bench", []string{"-first", c.argument, "-last"}).Command
		if want := "queuelab bench -first " + quoted(c.want) + " -last"; command != want {
			t.Errorf("%s is kept as\n%s, want\n%s", c.argument, command, want)
		}
	}
}

// A header's command line can be typed again.
func TestCommandIsQuoted(t *testing.T) {
	for argument, want := range map[string]string{
		"-seconds": "-seconds", "exp:5ms": "exp:5ms", "": "''", "it's": `'it'\''s'`,
		"DELETE FROM links WHERE id > 5": "'DELETE FROM links WHERE id > 5'",
		`{"url":"https://example.com/"}`: `'{"url":"https://example.com/"}'`,
	} {
		if got := quoted(argument); got != want {
			t.Errorf("%s is written %s, want %s", argument, got, want)
		}
	}
}

func TestInterruptedReportKeepsItsData(t *testing.T) {
	dir := t.TempDir()
	ctx, url := cancelling(t, 50)
	study, out := filepath.Join(dir, "study.yaml"), filepath.Join(dir, "report")
	text := `
name: mine
title: A server of mine
question: How long do requests take?
margin: 10%
seed: 1
targets: [{name: server, driver: http, url: "` + url + `"}]
experiments: [{kind: open, loads: [0.5]}]
profiles: {quick: {calibrate: 600s, closed: 1s, open: 1s, reps: 1}}
`
	if err := os.WriteFile(study, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	status, _, stderr := execute(t, ctx, "report", study, "-out", out)
	if status != statusInterrupted || !strings.Contains(stderr, out+"-unfinished-") {
		t.Errorf("status %d, stderr %q; want %d and where the data are", status, stderr, statusInterrupted)
	}
	kept, err := filepath.Glob(filepath.Join(out+"-unfinished-*", "data", "results.json"))
	if err != nil || len(kept) != 1 {
		t.Errorf("the measured data were not kept: %v, %v", kept, err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("an unfinished report has the finished one's name")
	}
}
