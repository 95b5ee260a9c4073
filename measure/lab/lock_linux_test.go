package lab_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"queuelab/measure"
	"queuelab/measure/lab"
	"queuelab/measure/workload"
)

// connect opens a connection apart from those that are measured.
func connect(t *testing.T, s lab.Server) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.DSN())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// locks counts the exclusive locks on the table that are held, or waited for.
func locks(t *testing.T, conn *pgx.Conn, granted bool) (n int) {
	t.Helper()
	const count = `SELECT count(*) FROM pg_locks WHERE relation = 'accounts'::regclass AND mode = 'AccessExclusiveLock' AND granted = $1`
	if err := conn.QueryRow(t.Context(), count, granted).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// free checks that the table is not locked and that nothing waits to lock it.
func free(t *testing.T, conn *pgx.Conn, after string) {
	t.Helper()
	if held, waiting := locks(t, conn, true), locks(t, conn, false); held+waiting != 0 {
		t.Errorf("%s the table is locked %d times and %d locks are waited for", after, held, waiting)
	}
}

// TestStallsOfPostgres starts the server once for all that is asked of it, since a
// start costs seconds.
func TestStallsOfPostgres(t *testing.T) {
	s := started(t, "postgres", lab.Options{})
	conn := connect(t, s)
	t.Run("lock", func(t *testing.T) { lockInARun(t, s, conn) })
	t.Run("lock, interrupted", func(t *testing.T) { lockInterrupted(t, s, conn) })
	t.Run("lock that waits", func(t *testing.T) { lockThatWaits(t, s, conn) })
	t.Run("lock whose connection dies", func(t *testing.T) { lockWhoseConnectionDies(t, s, conn) })
	t.Run("freeze", func(t *testing.T) { freezeOfBackends(t, s) })
	t.Run("copies", func(t *testing.T) { copiesQueueOnOneConnection(t, s, conn) })
}

// In a run with locks everything is answered, and nothing within a lock.
func lockInARun(t *testing.T, s lab.Server, conn *pgx.Conn) {
	still := staller(t, s, workload.AnyStall)
	stall := workload.Stall{Kind: workload.Lock, Length: 500 * ms, Period: 1200 * ms}
	for name, w := range map[string]workload.Workload{
		"open":   {Open: true, Rate: 20, Arrivals: workload.Even, Length: 2 * time.Second},
		"closed": {Clients: 2, Length: 2500 * ms},
	} {
		w.Stall = stall
		var requests kept
		run, err := measure.Take(t.Context(), plan(s, w, still, &requests))
		if err != nil {
			t.Fatal(err)
		}
		if w.Open {
			phased(t, run, stall, requests)
		} else if most := run.Latency.Get("max"); run.Requests.Answered != run.Requests.Scheduled || most < 400 {
			// A stall catches one request of each client, whose work ends first.
			t.Errorf("%s: %+v, the longest took %v ms; want one that waited for a lock", name, run.Requests, most)
		}
		free(t, conn, name+": after a run")
	}
}

func lockInterrupted(t *testing.T, s lab.Server, conn *pgx.Conn) {
	still := staller(t, s, workload.Lock)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	over := make(chan error, 1)
	w := workload.Workload{Open: true, Rate: 20, Length: time.Hour, Stall: workload.Stall{Kind: workload.Lock, Length: time.Hour, Period: time.Hour + 200*ms}}
	go func() {
		_, err := measure.Take(ctx, plan(s, w, still))
		over <- err
	}()
	until(t, "the table is locked", func() bool { return locks(t, conn, true) == 1 })
	cancel()
	if err := <-over; err != nil {
		t.Error(err)
	}
	free(t, conn, "after an interruption")
}

// A lock lets the query in service end and holds later ones; it is given up in time
// although it was never granted.
func lockThatWaits(t *testing.T, s lab.Server, conn *pgx.Conn) {
	still := staller(t, s, workload.Lock)
	slow := connect(t, s)
	if _, err := slow.Exec(t.Context(), `BEGIN; SELECT sum(balance) FROM accounts WHERE id < 10`); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := still.Stall(); err != nil {
			t.Fatal(err)
		}
		until(t, "the lock is waited for", func() bool { return locks(t, conn, false) == 1 })
		later, answered := connect(t, s), make(chan error, 1)
		go func() {
			_, err := later.Exec(context.Background(), `SELECT sum(balance) FROM accounts WHERE id < 10`)
			answered <- err
		}()
		select {
		case err := <-answered:
			t.Fatalf("a query behind the lock was answered: %v", err)
		case <-time.After(200 * ms):
		}
		for range 2 {
			if err := still.Resume(); err != nil {
				t.Fatal(err)
			}
		}
		if err := <-answered; err != nil {
			t.Error(err)
		}
		free(t, conn, "after a lock that was never granted")
	}
	if _, err := slow.Exec(t.Context(), `COMMIT`); err != nil {
		t.Errorf("the query in service did not end well: %v", err)
	}
	// Granted this time.
	if err := still.Stall(); err != nil {
		t.Fatal(err)
	}
	until(t, "the lock is held", func() bool { return locks(t, conn, true) == 1 })
	if err := still.Close(); err != nil {
		t.Error(err)
	}
	free(t, conn, "after Close")
}

// When the lock's connection is cut, the error says so in one sentence, again at the
// next stall, and there is no lock.
func lockWhoseConnectionDies(t *testing.T, s lab.Server, conn *pgx.Conn) {
	still := staller(t, s, workload.Lock)
	if err := still.Stall(); err != nil {
		t.Fatal(err)
	}
	until(t, "the lock is held", func() bool { return locks(t, conn, true) == 1 })
	const kill = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE relation = 'accounts'::regclass AND mode = 'AccessExclusiveLock'`
	if _, err := conn.Exec(t.Context(), kill); err != nil {
		t.Fatal(err)
	}
	until(t, "the lock is gone", func() bool { return locks(t, conn, true) == 0 })
	for _, asked := range []struct {
		what string
		do   func() error
	}{{"resume", still.Resume}, {"stall", still.Stall}} {
		if err := asked.do(); err == nil || !strings.HasPrefix(err.Error(), "lock the table") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one sentence about the lock", asked.what, err)
		}
	}
	if err := still.Close(); err != nil {
		t.Errorf("closing what is closed: %v", err)
	}
	free(t, conn, "after the connection's death")
}

// A freeze stops the backends, those of open connections that do nothing included,
// and a connection that is asked for meanwhile is served after it.
func freezeOfBackends(t *testing.T, s lab.Server) {
	still := staller(t, s, workload.Freeze)
	stall := workload.Stall{Kind: workload.Freeze, Length: 500 * ms, Period: 1200 * ms}
	var requests kept
	w := workload.Workload{Open: true, Rate: 20, Arrivals: workload.Even, Length: 2 * time.Second, Stall: stall}
	run, err := measure.Take(t.Context(), plan(s, w, still, &requests))
	if err != nil {
		t.Fatal(err)
	}
	phased(t, run, stall, requests)
	works(t, s, "after a run")
	w.Length, w.Stall = time.Hour, workload.Stall{Kind: workload.Freeze, Length: time.Hour, Period: time.Hour + 300*ms}
	interruptedStall(t, s, still, w)
	if err := still.Stall(); err != nil {
		t.Fatal(err)
	}
	connected := make(chan error, 1)
	go func() {
		conn, err := pgx.Connect(t.Context(), s.DSN())
		if err == nil {
			err = conn.Close(t.Context())
		}
		connected <- err
	}()
	select {
	case err := <-connected:
		t.Errorf("a connection was opened to a server that stands still: %v", err)
	case <-time.After(300 * ms):
	}
	if err := still.Resume(); err != nil {
		t.Error(err)
	}
	if err := <-connected; err != nil {
		t.Errorf("a connection that was asked for in a stall: %v", err)
	}
}
