package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"queuelab/measure/lab/supervise"
)

func ask[T any](t *testing.T, conn *pgx.Conn, sql string, args ...any) T {
	t.Helper()
	var answer T
	if err := conn.QueryRow(t.Context(), sql, args...).Scan(&answer); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return answer
}

// TestLab starts the server once for all that is asked of it, since a start costs
// seconds.
func TestLab(t *testing.T) {
	s, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	conn, err := pgx.Connect(t.Context(), s.DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())

	t.Run("table", func(t *testing.T) { table(t, conn) })
	t.Run("settled", func(t *testing.T) { settled(t, conn) })
	t.Run("private", func(t *testing.T) { private(t, s, conn) })
	t.Run("facts", func(t *testing.T) { facts(t, s) })
	t.Run("backends", func(t *testing.T) { backends(t, s, conn) })
	t.Run("stop", func(t *testing.T) { stop(t, s, conn) })
}

func table(t *testing.T, conn *pgx.Conn) {
	if got, want := ask[string](t, conn, `SELECT format('%s %s %s %s', count(*), min(id), max(id), sum(abs(balance))) FROM accounts`), "1050000 0 1049999 0"; got != want {
		t.Errorf("rows, first id, last id, balances: %s, want %s", got, want)
	}
	if got := ask[string](t, conn, `SELECT string_agg(pg_get_indexdef(indexrelid), ';') FROM pg_index WHERE indrelid = 'accounts'::regclass AND indisprimary`); !strings.Contains(got, "(id)") {
		t.Errorf("primary key %q, want one on id", got)
	}
	for _, first := range []int{0, 500_000, 999_999} {
		counted := strings.Replace(Query, "sum(balance)", "count(*)", 1)
		if n := ask[int64](t, conn, counted, first); n != Summed {
			t.Errorf("the query reads %d rows from id %d on, want %d", n, first, Summed)
		}
		if sum := ask[int64](t, conn, Query, first); sum != 0 {
			t.Errorf("the query's sum from id %d on is %d, want 0", first, sum)
		}
	}
}

// settled checks that nothing in the background is due.
func settled(t *testing.T, conn *pgx.Conn) {
	got := ask[string](t, conn, `SELECT format('%s %s %s', n_ins_since_vacuum, n_mod_since_analyze, n_dead_tup) FROM pg_stat_user_tables WHERE relname = 'accounts'`)
	if got != "0 0 0" {
		t.Errorf("rows since vacuum, since analyse, and dead: %s, want none, or autovacuum runs", got)
	}
	if at := ask[*time.Time](t, conn, `SELECT last_vacuum FROM pg_stat_user_tables WHERE relname = 'accounts'`); at == nil {
		t.Error("the table has not been vacuumed")
	}
}

func private(t *testing.T, s *Server, conn *pgx.Conn) {
	info, err := os.Stat(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o700 {
		t.Errorf("the socket's directory has mode %v, want 0700", info.Mode().Perm())
	}
	if got := ask[string](t, conn, `SHOW listen_addresses`); got != "" {
		t.Errorf("it listens on TCP at %q", got)
	}
	if got := ask[string](t, conn, `SHOW unix_socket_directories`); got != s.Dir() {
		t.Errorf("its socket is in %q, want %q", got, s.Dir())
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.PID()))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(status), "Uid:\t0\t") {
		t.Error("it runs as root")
	}
	if s.CPU() >= 0 && !strings.Contains(string(status), fmt.Sprintf("Cpus_allowed_list:\t%d\n", s.CPU())) {
		t.Errorf("it is not pinned to CPU %d", s.CPU())
	}
}

func facts(t *testing.T, s *Server) {
	facts := s.Facts()
	for name, want := range map[string]string{
		"PostgreSQL version":  "PostgreSQL ",
		"tables":              "1050000 rows",
		"PostgreSQL settings": "dynamic_shared_memory_type = 'mmap' (command line)",
		"plan":                "Index Scan using accounts_pkey",
		"query":               Query,
		"account":             s.Account(),
	} {
		if !strings.Contains(facts[name], want) {
			t.Errorf("fact %q is %q, want it to hold %q", name, facts[name], want)
		}
	}
	if strings.Contains(facts["plan"], "Gather") || strings.Contains(facts["plan"], "JIT") {
		t.Errorf("the query is parallel or compiled:\n%s", facts["plan"])
	}
	for _, want := range []string{s.DSN(), Query, s.Placement()} {
		if !strings.Contains(s.Describe(), want) {
			t.Errorf("it describes itself without %q:\n%s", want, s.Describe())
		}
	}
}

func backends(t *testing.T, s *Server, conn *pgx.Conn) {
	pids, err := s.PIDs()
	if err != nil {
		t.Fatal(err)
	}
	if mine := ask[int](t, conn, `SELECT pg_backend_pid()`); !slices.Contains(pids, mine) {
		t.Errorf("backends %v lack %d, which serves this connection", pids, mine)
	}
	// Connections of the start may be ending still; the background processes,
	// four or more, must not be among them.
	all, err := supervise.Children(s.PID())
	if err != nil || len(all)-len(pids) < 4 {
		t.Errorf("%d of %d processes are backends, %v; want at least 4 that are not", len(pids), len(all), err)
	}
	second, err := pgx.Connect(t.Context(), s.DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close(t.Context())
	pids, err = s.PIDs()
	if other := ask[int](t, second, `SELECT pg_backend_pid()`); err != nil || !slices.Contains(pids, other) {
		t.Errorf("backends %v, %v lack the second connection's %d", pids, err, other)
	}
}

// stop stops the server in the middle of a query.
func stop(t *testing.T, s *Server, conn *pgx.Conn) {
	asked := make(chan error, 1)
	go func() {
		_, err := conn.Exec(context.Background(), `SELECT pg_sleep(600)`)
		asked <- err
	}()
	all, err := supervise.Children(s.PID())
	if err != nil {
		t.Fatal(err)
	}
	all = append(all, s.PID())
	for _, pid := range all {
		maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
		if err == nil && strings.Contains(string(maps), "/dev/shm/") {
			t.Errorf("process %d uses shared memory that outlives it:\n%s", pid, maps)
		}
	}
	if segments(t, s.PID()) != 1 {
		t.Errorf("%d System V segments, want the one that PostgreSQL locks its files with", segments(t, s.PID()))
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := <-asked; err == nil {
		t.Error("the query was answered")
	}
	for _, pid := range all {
		if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err == nil {
			t.Errorf("process %d outlived Stop", pid)
		}
	}
	if _, err := os.Stat(s.Dir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s outlived Stop: %v", s.Dir(), err)
	}
	if n := segments(t, s.PID()); n != 0 {
		t.Errorf("%d System V segments are left", n)
	}
}

// segments counts the System V shared memory that a process made.
func segments(t *testing.T, pid int) (n int) {
	t.Helper()
	table, err := os.ReadFile("/proc/sysvipc/shm")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); fields[4] == fmt.Sprint(pid) { // cpid
			n++
		}
	}
	return n
}

func TestLongTemporaryDirectoryIsRefused(t *testing.T) {
	t.Setenv("TMPDIR", "/tmp/"+strings.Repeat("long", 25))
	if _, err := Start(t.Context()); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("error %v, want one that names TMPDIR", err)
	}
}

func TestCancelledStart(t *testing.T) {
	dir := shortTempDir(t)
	ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond) // within initdb
	defer cancel()
	if _, err := Start(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want context.DeadlineExceeded", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// shortTempDir makes a directory for temporary files that everybody may enter.
func shortTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ql-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	return dir
}
