package database_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"queuelab/drivers"
	"queuelab/measure/database"
	"queuelab/measure/lab/postgres/cluster"
)

// fresh makes a database that nobody has used yet.
func fresh(t *testing.T, c *cluster.Cluster, name string) (dsn string) {
	t.Helper()
	execute(t, c.DSN(), "CREATE DATABASE "+name)
	return strings.Replace(c.DSN(), "dbname=shop", "dbname="+name, 1)
}

// execute executes each statement on a connection of its own.
func execute(t *testing.T, dsn string, statements ...string) {
	t.Helper()
	for _, sql := range statements {
		conn, err := drivers.ConnectPostgres(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// counted lets a driver for so many clients do something, and returns the server's
// count.
func counted(t *testing.T, o drivers.Options, clients int, do func(drivers.Driver)) (int64, error) {
	t.Helper()
	counter, ok := database.NewCounter(o, clients)
	if !ok {
		t.Fatalf("there is no counter for %q", o.SQL)
	}
	return countedBy(t, counter, o, clients, do)
}

func countedBy(t *testing.T, counter *database.Counter, o drivers.Options, clients int, do func(drivers.Driver)) (int64, error) {
	t.Helper()
	if err := counter.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	driver, err := drivers.New("postgres", o)
	if err != nil {
		t.Fatal(err)
	}
	defer driver.Close()
	if err := driver.Connect(t.Context(), clients); err != nil {
		t.Fatal(err)
	}
	do(driver)
	opened := driver.Connections().Opened
	driver.Close()
	return counter.End(t.Context(), opened)
}

// send sends requests one after the other and checks how each ends.
func send(t *testing.T, d drivers.Driver, n int, timeout time.Duration, class string) {
	t.Helper()
	for i := range n {
		req := &drivers.Request{Key: int64(i)}
		if timeout > 0 {
			req.Deadline = time.Now().Add(timeout)
		}
		if a := d.Do(req); a.Class != class || a.TimedOut != (timeout > 0) {
			t.Errorf("request %d: %+v, want class %q", i, a, class)
		}
	}
}

// counts runs a counter against the requests of a driver that are known, while
// autovacuum comes by every second.
func counts(t *testing.T, c *cluster.Cluster) {
	execute(t, c.DSN(), "ALTER SYSTEM SET autovacuum_naptime = '1s'", "SELECT pg_reload_conf()")
	defer execute(t, c.DSN(), "ALTER SYSTEM RESET autovacuum_naptime", "SELECT pg_reload_conf()")
	dsn := fresh(t, c, "counted")
	execute(t, dsn, "CREATE TABLE taken (n integer)")
	for _, test := range []struct {
		name    string
		options drivers.Options
		clients int
		sent    int
		class   string
	}{
		{"queries", drivers.Options{SQL: "SELECT $1::int"}, 3, 200, ""},
		{"a pool that writes, whose sessions run SQL", drivers.Options{
			SQL: "/* one */ INSERT INTO taken VALUES ($1)", Connections: 5, Session: "DO $$ BEGIN PERFORM 1; END $$; SELECT 2",
		}, 0, 30, ""},
		{"failures", drivers.Options{SQL: "SELECT 1 / ($1::int - $1::int)"}, 2, 25, "sqlstate_22012"},
		{"sessions that write only if asked", drivers.Options{SQL: "SELECT 1", DSN: " target_session_attrs=read-write"}, 3, 10, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.options.DSN = dsn + test.options.DSN
			got, err := counted(t, test.options, test.clients, func(d drivers.Driver) { send(t, d, test.sent, 0, test.class) })
			if err != nil || got != int64(test.sent) {
				t.Errorf("the server counts %d requests, %v; want %d", got, err, test.sent)
			}
		})
	}
	t.Run("timeouts", func(t *testing.T) { countsTimeouts(t, dsn) })
	t.Run("somebody else", func(t *testing.T) { countsOthers(t, dsn) })
	t.Run("a connection that stays", func(t *testing.T) { staysConnected(t, dsn) })
	t.Run("autovacuum", func(t *testing.T) { countsDespiteAutovacuum(t, dsn) })
	t.Run("no counts of tables", func(t *testing.T) { countsWithoutTables(t, c, dsn) })
	t.Run("in use all the time", func(t *testing.T) { busyDatabase(t, dsn) })
	t.Run("nobody there", nobodyCounts)
}

// countsTimeouts: each timeout closes a connection, and the next request opens one.
func countsTimeouts(t *testing.T, dsn string) {
	got, err := counted(t, drivers.Options{DSN: dsn, SQL: "SELECT pg_sleep(10)", Session: "SELECT 1"}, 2, func(d drivers.Driver) {
		send(t, d, 4, 100*time.Millisecond, "")
	})
	if err != nil || got < 0 || got > 4 {
		t.Errorf("the server counts %d requests, %v; want at most the 4 that timed out", got, err)
	}
}

// countsWithoutTables: track_counts is about tables, and transactions count without it.
func countsWithoutTables(t *testing.T, c *cluster.Cluster, dsn string) {
	execute(t, c.DSN(), "ALTER SYSTEM SET track_counts = off", "SELECT pg_reload_conf()")
	defer execute(t, c.DSN(), "ALTER SYSTEM RESET track_counts", "SELECT pg_reload_conf()")
	var setting string
	for end := time.Now().Add(10 * time.Second); setting != "off" && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		conn, err := drivers.ConnectPostgres(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		err = conn.QueryRow(t.Context(), "SHOW track_counts").Scan(&setting)
		conn.Close(t.Context())
		if err != nil {
			t.Fatal(err)
		}
	}
	const sent = 20
	got, err := counted(t, drivers.Options{DSN: dsn, SQL: "SELECT 1"}, 2, func(d drivers.Driver) { send(t, d, sent, 0, "") })
	if setting != "off" || err != nil || got != sent {
		t.Errorf("with track_counts = %s the server counts %d requests, %v; want %d", setting, got, err, sent)
	}
}

// countsOthers: five requests of another session are told from the run's by the number.
func countsOthers(t *testing.T, dsn string) {
	got, err := counted(t, drivers.Options{DSN: dsn, SQL: "SELECT 1"}, 2, func(d drivers.Driver) {
		send(t, d, 20, 0, "")
		execute(t, dsn, "SELECT 1", "SELECT 1", "SELECT 1", "SELECT 1", "SELECT 1")
	})
	if want := int64(20 + 2*5); err != nil || got != want { // each came with a connection
		t.Errorf("the server counts %d requests, %v; want %d", got, err, want)
	}
}

// staysConnected: a session of this program that was there before is not waited for,
// one that came during the run leaves the count unknown.
func staysConnected(t *testing.T, dsn string) {
	stay := func() *pgx.Conn {
		conn, err := drivers.ConnectPostgres(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	earlier := stay()
	defer earlier.Close(context.Background())
	var later *pgx.Conn
	for _, comes := range []bool{false, true} {
		o := drivers.Options{DSN: dsn, SQL: "SELECT 1"}
		counter, _ := database.NewCounter(o, 1)
		if comes {
			counter.Impatient()
		}
		got, err := countedBy(t, counter, o, 1, func(d drivers.Driver) {
			send(t, d, 7, 0, "")
			if comes {
				later = stay()
			}
		})
		switch {
		case !comes && (err != nil || got != 7):
			t.Errorf("beside one that was there already: %d requests, %v; want 7", got, err)
		case comes && (err == nil || !strings.Contains(err.Error(), "still open")):
			t.Errorf("beside one that came: %d requests, %v; want an error", got, err)
		}
	}
	later.Close(context.Background())
}

// countsDespiteAutovacuum waits for autovacuum in the middle of a run.
func countsDespiteAutovacuum(t *testing.T, dsn string) {
	asked := int64(0)
	visited := func() (n int64) {
		asked++
		conn, err := drivers.ConnectPostgres(t.Context(), dsn)
		if err == nil {
			err = conn.QueryRow(t.Context(), "SELECT pg_stat_get_numscans('pg_class'::regclass)").Scan(&n)
			conn.Close(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	got, err := counted(t, drivers.Options{DSN: dsn, SQL: "SELECT 1"}, 2, func(d drivers.Driver) {
		before := visited()
		send(t, d, 50, 0, "")
		for until := time.Now().Add(10 * time.Second); visited() == before; time.Sleep(100 * time.Millisecond) {
			if time.Now().After(until) {
				t.Fatal("autovacuum does not come")
			}
		}
	})
	if want := 50 + 2*asked; err != nil || got != want { // who asks comes with a connection
		t.Errorf("the server counts %d requests, %v; want %d", got, err, want)
	}
}

// busyDatabase: while others come and go, in ever larger numbers, nothing is known.
func busyDatabase(t *testing.T, dsn string) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := 1; ctx.Err() == nil; n++ {
			conn, err := drivers.ConnectPostgres(ctx, dsn+" application_name=other")
			for i := 0; i < n && err == nil; i++ {
				_, err = conn.Exec(ctx, "SELECT 1")
			}
			if conn != nil {
				conn.Close(context.Background())
			}
		}
	}()
	counter, _ := database.NewCounter(drivers.Options{DSN: dsn, SQL: "SELECT 1"}, 1)
	err := counter.Begin(t.Context())
	cancel()
	<-done
	if err == nil || !strings.Contains(err.Error(), "in use by others") {
		t.Errorf("%v, want an error", err)
	}
}

func nobodyCounts(t *testing.T) {
	counter, _ := database.NewCounter(drivers.Options{DSN: "host=127.0.0.1 port=1 user=u password=hunter2", SQL: "SELECT 1"}, 1)
	if err := counter.Begin(t.Context()); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v, want an error without the password", err)
	}
}
