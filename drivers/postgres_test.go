package drivers

import (
	"sync"
	"syscall"
	"testing"
	"time"
)

// pooled makes a PostgreSQL driver that is connected for n clients.
func pooled(t testing.TB, folder string, n int, o Options) *postgresDriver {
	t.Helper()
	o.DSN = dsn(folder)
	driver, err := New("postgres", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { driver.Close() })
	if err := driver.Connect(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	return driver.(*postgresDriver)
}

const working = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'queuelab' AND state = 'active'`

// TestPostgres shares one server, whose start takes most of the time.
func TestPostgres(t *testing.T) {
	folder := postgres(t)
	for name, test := range map[string]func(*testing.T, string){
		"key":               testKeyTravels,
		"service time":      testServiceTimeTravels,
		"connections":       testConnectionsAreOpenedBeforehand,
		"session":           testSessionRunsOnEveryConnection,
		"order":             testPoolServesInOrder,
		"server error":      testServerErrorKeepsTheConnection,
		"timeout":           testTimeoutReopens,
		"abort":             testAbortCancels,
		"refused at start":  testRefusedAtTheStart,
		"terminated":        testTerminatedBackend,
		"close while stuck": testCloseWhileTheServerStandsStill,
	} {
		t.Run(name, func(t *testing.T) { test(t, folder) })
	}
}

// Division by zero tells from outside which value the server saw.
func testKeyTravels(t *testing.T, folder string) {
	for _, sql := range []string{
		"SELECT sum(balance) FROM accounts WHERE id BETWEEN $1 AND $1 + 99 HAVING 1 / ($1 - 7) IS NOT NULL", // int4
		"SELECT 1 / ($1::bigint - 7)",
		"SELECT 1 / ($1::numeric - 7)",      // text
		"SELECT 1 / ($1::float8 - 7)",       // binary float
		"SELECT 1 / (length($1::text) - 1)", // text: the key 7 has one digit
		"SELECT id, balance, 1 / ($1 - 7), now(), 'x'::unknown, int4range(id, 2000) FROM accounts", // many rows and types
	} {
		d := pooled(t, folder, 1, Options{SQL: sql})
		want(t, d.Do(&Request{Key: 999_999}), "")
		want(t, d.Do(&Request{Key: 7}), "sqlstate_22012")
		want(t, d.Do(&Request{Key: 42}), "")
	}
	d := pooled(t, folder, 1, Options{SQL: "SELECT count(*) FROM accounts"})
	want(t, d.Do(&Request{Key: 7}), "")
}

func testServiceTimeTravels(t *testing.T, folder string) {
	d := pooled(t, folder, 1, Options{SQL: "SELECT pg_sleep($1), 1 / ($1 - 0.0125)", ServiceParameter: true})
	want(t, d.Do(&Request{Key: 5, Service: time.Millisecond}), "")
	want(t, d.Do(&Request{Key: 5, Service: 12_500 * time.Microsecond}), "sqlstate_22012")
	text := pooled(t, folder, 1, Options{SQL: "SELECT 1 / ($1::numeric - 0.0125)", ServiceParameter: true})
	want(t, text.Do(&Request{Service: time.Millisecond}), "")
	want(t, text.Do(&Request{Service: 12_500 * time.Microsecond}), "sqlstate_22012")
}

func testConnectionsAreOpenedBeforehand(t *testing.T, folder string) {
	d := pooled(t, folder, 5, Options{SQL: "SELECT $1::int"})
	expected := Connections{Established: 5, Opened: 5}
	if got := d.Connections(); got != expected {
		t.Errorf("connections %+v, want %+v", got, expected)
	}
	if got := ask(t, folder, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'queuelab'"); got < 5 {
		t.Errorf("the server sees %d connections, want 5", got)
	}
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			for range 100 {
				if a := d.Do(&Request{Deadline: time.Now().Add(time.Minute)}); a.Class != "" || a.TimedOut {
					t.Errorf("answer %+v", a)
				}
			}
		})
	}
	all.Wait()
	if got := d.Connections(); got != expected {
		t.Errorf("connections %+v after the run, want %+v", got, expected)
	}
	for _, c := range []struct{ clients, size, want int }{{0, 0, 1}, {0, 3, 3}, {5, 2, 2}} {
		d := pooled(t, folder, c.clients, Options{SQL: "SELECT 1", Connections: c.size})
		opened := int64(c.want)
		if got, want := d.Connections(), (Connections{Established: opened, Opened: opened}); got != want {
			t.Errorf("%d clients, a pool of %d: connections %+v, want %+v", c.clients, c.size, got, want)
		}
	}
}

func testPoolServesInOrder(t *testing.T, folder string) {
	d := pooled(t, folder, 1, Options{SQL: "SELECT pg_sleep($1)"})
	const requests = 6
	var mu sync.Mutex
	var order []int
	var all sync.WaitGroup
	for i := range requests {
		starts := make(chan struct{})
		req := &Request{}
		if i == 0 {
			req.Key = 1 // a second, in which the others queue up
		}
		all.Go(func() {
			close(starts)
			a := d.Do(req)
			mu.Lock()
			defer mu.Unlock()
			order = append(order, i)
			if a.Class != "" || (i > 0 && a.Pool < time.Millisecond) {
				t.Errorf("request %d: answer %+v, want a wait for the connection", i, a)
			}
		})
		<-starts
		time.Sleep(20 * time.Millisecond) // it is in the queue now
	}
	all.Wait()
	for i, served := range order {
		if i != served {
			t.Fatalf("requests were answered in the order %v", order)
		}
	}
}

func testServerErrorKeepsTheConnection(t *testing.T, folder string) {
	d := pooled(t, folder, 1, Options{SQL: "SELECT 1 / $1::int"})
	for range 3 {
		want(t, d.Do(&Request{Key: 0}), "sqlstate_22012")
		want(t, d.Do(&Request{Key: 1}), "")
	}
	if got, want := d.Connections(), (Connections{Established: 1, Opened: 1}); got != want {
		t.Errorf("connections %+v, want %+v", got, want)
	}
}

func testTimeoutReopens(t *testing.T, folder string) {
	d := pooled(t, folder, 1, Options{SQL: "SELECT pg_sleep($1)"})
	got := d.Do(&Request{Key: 60, Deadline: time.Now().Add(30 * time.Millisecond)})
	if !got.TimedOut || got.Class != "" {
		t.Fatalf("answer %+v, want a timeout", got)
	}
	want(t, d.Do(&Request{Key: 0}), "")
	if got, want := d.Connections(), (Connections{Established: 1, Opened: 2, Reopened: 1}); got != want {
		t.Errorf("connections %+v, want %+v", got, want)
	}
	if n := ask(t, folder, working+" AND query LIKE '%pg_sleep%'"); n != 0 {
		t.Errorf("%d timed-out queries go on", n)
	}
	// A request that times out in the queue closes nothing.
	held := make(chan Answer)
	go func() { held <- d.Do(&Request{Key: 60}) }()
	eventually(t, "the connection is busy", func() bool { return ask(t, folder, working+" AND query LIKE '%pg_sleep%'") == 1 })
	if got := d.Do(&Request{Deadline: time.Now().Add(20 * time.Millisecond)}); !got.TimedOut || got.Pool < 10*time.Millisecond {
		t.Errorf("answer %+v, want a timeout in the queue", got)
	}
	if got, want := d.Connections(), (Connections{Established: 1, Opened: 2, Reopened: 1}); got != want {
		t.Errorf("connections %+v, want %+v", got, want)
	}
	d.Abort()
	want(t, <-held, "aborted")
}

func testAbortCancels(t *testing.T, folder string) {
	d := pooled(t, folder, 2, Options{SQL: "SELECT pg_sleep(60)"})
	answers := make(chan Answer)
	const requests = 4 // two of them wait for a connection
	for range requests {
		go func() { answers <- d.Do(&Request{}) }()
	}
	sleeping := working + " AND query LIKE '%pg_sleep(60)%'"
	eventually(t, "two queries are at work", func() bool { return ask(t, folder, sleeping) == 2 })
	d.Abort()
	for range requests {
		want(t, <-answers, "aborted")
	}
	want(t, d.Do(&Request{}), "aborted")
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if got := d.Connections().Established; got != 0 {
		t.Errorf("%d connections are open after Close", got)
	}
	eventually(t, "the server has cancelled them", func() bool { return ask(t, folder, sleeping) == 0 })
}

func testTerminatedBackend(t *testing.T, folder string) {
	d := pooled(t, folder, 1, Options{SQL: "SELECT pg_sleep($1), 'terminate me'"})
	answer := make(chan Answer)
	go func() { answer <- d.Do(&Request{Key: 60}) }()
	eventually(t, "the backend is terminated", func() bool {
		return ask(t, folder, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE application_name = 'queuelab' AND state = 'active' AND query LIKE '%terminate me%' AND pid <> pg_backend_pid()`) == 1
	})
	want(t, <-answer, "sqlstate_57P01")
	want(t, d.Do(&Request{}), "")
	if got, want := d.Connections(), (Connections{Established: 1, Opened: 2, Lost: 1}); got != want {
		t.Errorf("connections %+v, want %+v", got, want)
	}
}

// A backend that was stopped can neither cancel its query nor say goodbye.
func testCloseWhileTheServerStandsStill(t *testing.T, folder string) {
	d := pooled(t, folder, 1, Options{SQL: "SELECT pg_sleep($1), 'stop me'"})
	go d.Do(&Request{Key: 60})
	var pid int64
	eventually(t, "the query is at work", func() bool {
		pid = ask(t, folder, `SELECT coalesce(max(pid), 0) FROM pg_stat_activity
			WHERE application_name = 'queuelab' AND state = 'active' AND query LIKE '%stop me%' AND pid <> pg_backend_pid()`)
		return pid != 0
	})
	if err := syscall.Kill(int(pid), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(int(pid), syscall.SIGCONT)
	began := time.Now()
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 5*closeGrace { // the library alone would wait for 15 s
		t.Errorf("Close took %v", took)
	}
}

func TestPostgresKilledInTheMiddle(t *testing.T) {
	folder := postgres(t)
	d := pooled(t, folder, 1, Options{SQL: "SELECT pg_sleep($1)"})
	answer := make(chan Answer)
	go func() { answer <- d.Do(&Request{Key: 60}) }()
	eventually(t, "the query is at work", func() bool { return ask(t, folder, working+" AND query LIKE '%pg_sleep%'") == 1 })
	pid := ask(t, folder, "SELECT pid FROM pg_stat_activity WHERE application_name = 'queuelab'")
	// The postmaster first, so that nobody is there to start anything again.
	for _, victim := range []int{postmaster(t, folder), int(pid)} {
		if err := syscall.Kill(victim, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	if got := <-answer; got.TimedOut || (got.Class != "closed" && got.Class != "reset") {
		t.Errorf("answer %+v, want closed or reset", got)
	}
	want(t, d.Do(&Request{}), "refused")
	if got, want := d.Connections(), (Connections{Opened: 1, Lost: 1}); got != want {
		t.Errorf("connections %+v, want %+v", got, want)
	}
}
