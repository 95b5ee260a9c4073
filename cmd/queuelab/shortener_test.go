package main

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"queuelab/measure/lab"
	"queuelab/measure/record"
)

// loadtest is the URL that the write test stores.
const loadtest = `{"url":"https://example.com/loadtest"}`

// benched is the run of a command line that must succeed.
func benched(t *testing.T, args ...string) *record.Run {
	t.Helper()
	status, stdout, stderr := execute(t, context.Background(), append([]string{"bench", "-json"}, args...)...)
	if status != statusDone {
		t.Fatalf("%v: status %d, %s", args, status, stderr)
	}
	var run record.Run
	if err := json.Unmarshal([]byte(stdout), &run); err != nil {
		t.Fatal(err)
	}
	if n := run.Requests; n.Answered == 0 || n.Answered != n.Scheduled || len(run.Failures) > 0 {
		t.Errorf("%v: %+v, failures %v; want everything answered", args, n, run.Failures)
	}
	return &run
}

// Each endpoint of the shortener is measured, reading writes nothing, and each request
// that writes makes one row, which the lab's own statement deletes.
func TestBenchOnTheShortenersEndpoints(t *testing.T) {
	server, err := lab.Start(context.Background(), "shortener", lab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	dsn, cleanup := server.Written()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	rows := func() (n int64) {
		t.Helper()
		if err := conn.QueryRow(t.Context(), `SELECT count(*) FROM links`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := rows()
	short := []string{"-closed", "-clients", "8", "-seconds", "0.5"}
	benched(t, append(short, "-url", server.Base()+"/healthz", "-expect", "200")...)
	benched(t, append(short, "-url", server.URL(), "-expect", "302")...)
	if n := rows(); n != before {
		t.Errorf("reading made %d rows", n-before)
	}
	run := benched(t, append(short, "-url", server.Base()+"/shorten", "-method", "POST", "-body", loadtest, "-expect", "201")...)
	if n := rows(); n != before+run.Requests.Answered {
		t.Errorf("%d requests made %d rows, want one each", run.Requests.Answered, n-before)
	}
	done, err := conn.Exec(t.Context(), cleanup)
	if err != nil || done.RowsAffected() != run.Requests.Answered || rows() != before {
		t.Errorf("%s: %d rows, %v; want the %d that were made", cleanup, done.RowsAffected(), err, run.Requests.Answered)
	}
}

// The lab's server is reached by a path of its own, also with a stall.
func TestShortenerLabByPath(t *testing.T) {
	t.Setenv("TMPDIR", shortTempDir(t))
	run := benched(t, "-lab", "shortener", "-open", "-rate", "40", "-seconds", "2", "-stall", "400ms/1s", "-url", "/shorten", "-body", loadtest, "-expect", "201")
	if run.Workload.Stall != "freeze:400ms/1s" || len(run.Stalls) < 2 || !strings.Contains(run.Header.Server["tables"], "500003 rows") {
		t.Errorf("stall %q, %v, tables %q; want two freezes or more and the table's size", run.Workload.Stall, run.Stalls, run.Header.Server["tables"])
	}
	status, stdout, stderr := execute(t, context.Background(), strings.Fields("sweep -lab shortener -url /healthz -expect 200 -clients 1,2 -seconds 0.3")...)
	if status != statusDone || !regexp.MustCompile(`^[1-9]\d*\n$`).MatchString(stdout) {
		t.Errorf("sweep: status %d, printed %q, %q; want a capacity", status, stdout, stderr)
	}
	if left := leftovers(t); len(left) > 0 {
		t.Errorf("the lab left %v", left)
	}
}
