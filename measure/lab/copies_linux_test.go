package lab_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"queuelab/measure"
	"queuelab/measure/lab"
	"queuelab/measure/workload"
)

// received is how many requests nginx has received so far, that for this number
// included.
func received(t *testing.T, status string) (n int64) {
	t.Helper()
	answer, err := http.Get(status)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	// "server accepts handled requests\n 16 16 31 \n"
	_, numbers, _ := strings.Cut(string(text), "requests\n")
	var accepts, handled int64
	if _, err := fmt.Sscan(numbers, &accepts, &handled, &n); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return n
}

// nginx has received as many requests as there were copies, those that lost
// included.
func TestCopiesAreThoseThatNginxReceived(t *testing.T) {
	s := started(t, "nginx", lab.Options{Snippet: "location = /status { stub_status; }"})
	status := strings.Replace(s.URL(), "/page.txt", "/status", 1)
	for name, w := range map[string]workload.Workload{
		"open":   {Open: true, Rate: 50, Requests: 40},
		"closed": {Clients: 3, Requests: 40},
	} {
		w.Retry = workload.Retry{After: ms, Copies: 3} // a page takes some milliseconds
		before := received(t, status)
		run, err := measure.Take(t.Context(), plan(s, w, nil))
		if err != nil {
			t.Fatal(err)
		}
		n := run.Requests
		if n.Answered != 40 || n.Copies <= 40 || n.Copies > 120 {
			t.Errorf("%s: %+v, want 40 answered with more copies than that", name, n)
		}
		// A copy whose connection was opened and aborted is none; nothing was.
		if got := received(t, status) - before - 1; got != n.Copies {
			t.Errorf("%s: nginx received %d requests, and %d copies were sent", name, got, n.Copies)
		}
	}
}

// On a pool of one connection a copy waits behind those before it, and one that lost
// is in the way of the next request.
func copiesQueueOnOneConnection(t *testing.T, s lab.Server, conn *pgx.Conn) {
	if _, err := conn.Exec(t.Context(), `CREATE SEQUENCE copies`); err != nil {
		t.Fatal(err)
	}
	w := workload.Workload{Clients: 1, Requests: 3, Retry: workload.Retry{After: 50 * ms, Copies: 2}}
	var requests kept
	p := plan(s, w, nil, &requests)
	p.Options.SQL, p.Options.Connections = `SELECT nextval('copies'), pg_sleep(0.3)`, 1
	run, err := measure.Take(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	var executed int64
	if err := conn.QueryRow(t.Context(), `SELECT last_value FROM copies`).Scan(&executed); err != nil {
		t.Fatal(err)
	}
	if run.Requests.Answered != 3 || run.Requests.Copies != 6 || executed != 6 {
		t.Errorf("%+v, and %d copies were executed; want 3 answered by 6 copies", run.Requests, executed)
	}
	// Before request i lie the losing copies of those before it.
	for i, r := range requests {
		if ahead := 300 * ms * 9 / 10; i > 0 && r.Pool < ahead || r.ClientSeen() < 300*ms {
			t.Errorf("request %d waited %v for the connection and took %v; want a copy of 300 ms ahead of it", i, r.Pool, r.ClientSeen())
		}
	}
}
