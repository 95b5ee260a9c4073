package cleanup

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"queuelab/drivers"
	"queuelab/measure/host/self"
	"queuelab/measure/lab/postgres/cluster"
	"queuelab/measure/record"
)

// TestCleanup starts the server once for all that is done with it.
func TestCleanup(t *testing.T) {
	c, err := cluster.Start(t.Context(), content)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Stop()
	t.Run("parallel", func(t *testing.T) { // so that all are over before the server stops
		for name, test := range map[string]func(*testing.T, *cluster.Cluster){
			"exactly":         exactly,
			"others write":    othersWrite,
			"others delete":   othersDelete,
			"empty table":     emptyTable,
			"too far":         tooFar,
			"late":            late,
			"disturbed":       disturbedDeletion,
			"refused":         refused,
			"killed guard":    killedGuard,
			"stubborn guard":  stubbornGuard,
			"lost connection": lostConnection,
			"cut connections": cutConnections,
			"secrets":         secrets,
			"kill":            func(t *testing.T, c *cluster.Cluster) { ends(t, c, "kill") },
			"Ctrl-C":          func(t *testing.T, c *cluster.Cluster) { ends(t, c, "interrupt") },
			"exit":            func(t *testing.T, c *cluster.Cluster) { ends(t, c, "exit") },
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				test(t, c)
			})
		}
	})
	t.Run("server gone", func(t *testing.T) { serverGone(t, c) })
}

func exactly(t *testing.T, c *cluster.Cluster) {
	l := newLinks(t, c)
	config := l.config()
	config.SQL += " ;\n"
	g := stand(t, config)
	l.write(25)
	want := record.Rows{Table: l.name, Before: seeds, After: seeds + 25, Cleaned: seeds, Cleanup: l.config().SQL}
	for range 2 {
		if rows, err := g.Finish(); err != nil || rows != want {
			t.Errorf("%+v, %v, want %+v", rows, err, want)
		}
		l.unchanged()
	}
}

// othersWrite: the rows of others stay, and are reported.
func othersWrite(t *testing.T, c *cluster.Cluster) {
	l := newLinks(t, c)
	g := stand(t, l.config())
	l.do("INSERT INTO " + l.name + " (url) VALUES ('https://example.com/else'), ('https://example.com/else')")
	others := l.held()
	l.write(25)
	rows, err := g.Finish()
	mentions(t, err, l.name+" has 2 rows more")
	if rows.Before != seeds || rows.After != seeds+27 || rows.Cleaned != seeds+2 {
		t.Errorf("%+v", rows)
	}
	if now := l.held(); now != others {
		t.Errorf("the table holds %s, want %s with the others'", now, others)
	}
}

// othersDelete: what others delete is missing in the count, so that the clean-up
// seems to reach too far; where it had nothing to delete, it is not blamed.
func othersDelete(t *testing.T, c *cluster.Cluster) {
	for _, tt := range []struct {
		written  int
		mentions string
		after    int64
	}{
		{0, "has 2 rows fewer", seeds - 2},
		{1, "would have deleted 1 row of", seeds - 1},
		{5, "would have deleted 2 rows", seeds + 3},
	} {
		l := newLinks(t, c)
		g := stand(t, l.config())
		l.write(tt.written)
		l.do("DELETE FROM " + l.name + " WHERE id <= 2")
		was := l.held()
		rows, err := g.Finish()
		mentions(t, err, tt.mentions)
		if now := l.held(); now != was || rows.After != tt.after || rows.Cleaned != tt.after {
			t.Errorf("%d written: the table holds %s, want %s; %+v", tt.written, now, was, rows)
		}
	}
}

// emptyTable: of an empty table, a DELETE without WHERE deletes just what came.
func emptyTable(t *testing.T, c *cluster.Cluster) {
	l := newLinks(t, c)
	l.do("TRUNCATE " + l.name)
	g := stand(t, Config{DSN: l.dsn, SQL: "DELETE FROM ONLY public." + l.name})
	l.write(3)
	if rows, err := g.Finish(); err != nil || rows.Before != 0 || rows.After != 3 || rows.Cleaned != 0 || rows.Table != "public."+l.name {
		t.Errorf("%+v, %v", rows, err)
	}
}

// tooFar has a clean-up that comes to match older rows during the run only.
func tooFar(t *testing.T, c *cluster.Cluster) {
	l := newLinks(t, c)
	l.do(`CREATE TABLE wanted AS SELECT 'nothing' AS pattern`)
	g := stand(t, l.where("url LIKE (SELECT pattern FROM wanted)"))
	l.write(5)
	l.do(`UPDATE wanted SET pattern = '%'`)
	was := l.held()
	rows, err := g.Finish()
	mentions(t, err, fmt.Sprintf("would have deleted %d rows of %s from before the run; nothing was deleted: narrow its WHERE", seeds, l.name))
	if now := l.held(); now != was || rows.After != seeds+5 || rows.Cleaned != seeds+5 {
		t.Errorf("the table holds %s, want %s; %+v", now, was, rows)
	}
}

// late writes when the rows have been deleted: a server may still have been at work.
func late(t *testing.T, c *cluster.Cluster) {
	l := newLinks(t, c)
	l.write(5)
	s, err := newSweeper(order{l.config(), seeds})
	if err != nil {
		t.Fatal(err)
	}
	swept := make(chan error)
	var rows record.Rows
	go func() {
		var err error
		rows, err = s.sweep(t.Context(), afterDeath)
		swept <- err
	}()
	for end := time.Now().Add(bound); l.held() != l.was; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the rows are not deleted")
		}
	}
	l.write(2)
	if err := <-swept; err != nil || rows.After != seeds+7 || rows.Cleaned != seeds {
		t.Errorf("%+v, %v", rows, err)
	}
	l.unchanged()
}

// disturbedDeletion has another transaction change a row while it is being deleted.
func disturbedDeletion(t *testing.T, c *cluster.Cluster) {
	l := newLinks(t, c)
	config := l.config()
	config.DSN += " application_name=disturbed"
	g := stand(t, config)
	l.write(5)
	l.do("BEGIN; UPDATE " + l.name + " SET url = url WHERE id IN (SELECT max(id) FROM " + l.name + ")")
	finished := make(chan error)
	go func() {
		_, err := g.Finish()
		finished <- err
	}()
	const waits = `SELECT count(*)::text FROM pg_stat_activity WHERE application_name = 'disturbed' AND wait_event_type = 'Lock'`
	for end := time.Now().Add(bound); l.ask(waits) != "1"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the deletion does not wait for the other transaction")
		}
	}
	l.do("COMMIT")
	if err := <-finished; err != nil {
		t.Error(err)
	}
	l.unchanged()
}

// refused are the clean-ups that the server or the rows of before the run rule out.
func refused(t *testing.T, c *cluster.Cluster) {
	l := newLinks(t, c)
	l.do("CREATE ROLE reader LOGIN; GRANT SELECT ON " + l.name + " TO reader")
	reader := strings.Replace(l.dsn, "user=postgres", "user=reader password=hunter2", 1)
	for _, tt := range []struct {
		config   Config
		mentions string
	}{
		{Config{DSN: l.dsn, SQL: "DELETE FROM " + l.name}, fmt.Sprintf("would delete %d rows that %s holds before the run", seeds, l.name)},
		{l.where("id = 7"), "would delete 1 row that"},
		{l.where("nonsense"), "42703"},
		{l.where("id ="), "42601"},
		{Config{DSN: l.dsn, SQL: "DELETE FROM nowhere"}, "42P01"},
		{Config{DSN: reader, SQL: l.config().SQL}, "permission denied"},
		{Config{DSN: l.dsn, SQL: "TRUNCATE " + l.name}, "DELETE FROM"},
		{Config{DSN: "host=h port=hunter2", SQL: l.config().SQL}, "invalid port"},
	} {
		_, err := Start(t.Context(), tt.config)
		mentions(t, err, tt.mentions)
		if usage := new(drivers.UsageError); !errors.As(err, &usage) {
			t.Errorf("%v is a %T, want a UsageError", err, err)
		}
	}
	err := pgx.BeginFunc(t.Context(), l.conn, func(tx pgx.Tx) error {
		_, err := execute(t.Context(), tx, "DELETE FROM "+l.name+"; COMMIT")
		return err
	})
	mentions(t, err, "42601") // should a second command ever get past the reader
	l.unchanged()

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ctx, l.config()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if _, err := launch(ctx, order{l.config(), seeds}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	_, err = launch(t.Context(), order{Config{DSN: l.dsn, SQL: "nonsense"}, seeds})
	mentions(t, err, "DELETE FROM")
}

// killedGuard: the program cleans up in the place of a guard that is gone.
func killedGuard(t *testing.T, c *cluster.Cluster) {
	l := newLinks(t, c)
	g := stand(t, l.config())
	l.write(5)
	if err := g.process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	rows, err := g.Finish()
	mentions(t, err, "ended early (signal: killed)")
	if rows.After != seeds+5 || rows.Cleaned != seeds {
		t.Errorf("%+v", rows)
	}
	l.unchanged()
}

// stubbornGuard: what ends other programs does not end the guard.
func stubbornGuard(t *testing.T, c *cluster.Cluster) {
	l := newLinks(t, c)
	g := stand(t, l.config())
	l.write(5)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE} {
		if err := g.process.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := g.Finish(); err != nil {
		t.Error(err)
	}
	l.unchanged()
}

func lostConnection(t *testing.T, c *cluster.Cluster) {
	l := newLinks(t, c)
	config := l.config()
	config.DSN += " application_name=lost"
	g := stand(t, config)
	l.write(5)
	if n := l.ask(`SELECT count(pg_terminate_backend(pid))::text FROM pg_stat_activity WHERE application_name = 'lost'`); n == "0" {
		t.Fatal("the guard has no connection that could be lost")
	}
	if rows, err := g.Finish(); err != nil || rows.After != seeds+5 {
		t.Errorf("%+v, %v", rows, err)
	}
	l.unchanged()
}

// serverGone stops the server in the middle of a run.
func serverGone(t *testing.T, c *cluster.Cluster) {
	l := newLinks(t, c)
	config := l.config()
	config.DSN += " password=hunter2"
	config.Private = true
	g := stand(t, config)
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
	rows, err := g.Finish()
	mentions(t, err, "cannot reach", l.name, fmt.Sprint(seeds))
	if rows != (record.Rows{}) {
		t.Errorf("rows %+v were counted by nobody", rows)
	}
	_, err = Start(t.Context(), config)
	mentions(t, err, "cannot reach")
	if unreachable := new(drivers.UnreachableError); !errors.As(err, &unreachable) {
		t.Errorf("%v is a %T, want an UnreachableError", err, err)
	}
}

func TestUnarmed(t *testing.T) {
	defer func(armed *self.Role) { guardRole = armed }(guardRole)
	guardRole = &self.Role{}
	_, err := Start(t.Context(), Config{SQL: "DELETE FROM links"})
	mentions(t, err, "GuardIfAsked")
}

// A program that is gone before it said what to do leaves nothing to do.
func TestNoOrder(t *testing.T) {
	g, err := start(order{})
	if err != nil {
		t.Fatal(err)
	}
	if how := g.release(); how != "exit status 0" {
		t.Errorf("the guard ended with %s", how)
	}
}
