package shortener

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"queuelab/measure/host/affinity"
	"queuelab/measure/host/self"
	"queuelab/measure/lab/supervise"
	"queuelab/measure/workload"
)

// bound is how long anything here may take on a machine that is busy.
const bound = 60 * time.Second

// TestLab starts the server once for all that is asked of it, since a start costs
// seconds. Its port is taken, so that it needs another.
func TestLab(t *testing.T) {
	taken, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", WantedPort))
	if err == nil { // else another took it
		defer taken.Close()
	}
	s, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	dsn, _ := s.Written()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())

	t.Run("table", func(t *testing.T) { table(t, conn) })
	t.Run("settled", func(t *testing.T) { settled(t, conn) })
	t.Run("private", func(t *testing.T) { private(t, s) })
	t.Run("facts", func(t *testing.T) { facts(t, s) })
	t.Run("endpoints", func(t *testing.T) { endpointsAnswer(t, s) })
	t.Run("refusals", func(t *testing.T) { refusals(t, s, conn) })
	t.Run("writes", func(t *testing.T) { writes(t, s, conn) })
	t.Run("codes that are taken", func(t *testing.T) { takenCodes(t, s, conn) })
	t.Run("clients that leave", func(t *testing.T) { clientsThatLeave(t, s, conn) })
	t.Run("stalls", func(t *testing.T) { stalls(t, s) })
	t.Run("database gone", func(t *testing.T) { databaseGone(t, s) })
	t.Run("stop", func(t *testing.T) { stop(t, s) })
}

func ask[T any](t *testing.T, conn *pgx.Conn, sql string, args ...any) T {
	t.Helper()
	var answer T
	if err := conn.QueryRow(t.Context(), sql, args...).Scan(&answer); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return answer
}

// rows counts the table.
func rows(t *testing.T, conn *pgx.Conn) int64 {
	t.Helper()
	return ask[int64](t, conn, `SELECT count(*) FROM links`)
}

func table(t *testing.T, conn *pgx.Conn) {
	got := ask[string](t, conn, `SELECT format('%s %s %s %s', count(*), min(id), max(id), count(*) FILTER (WHERE code = 'seed' || id AND url LIKE 'https://%')) FROM links`)
	if want := "500003 1 500003 500003"; got != want {
		t.Errorf("rows, first id, last id, rows with the id's code and a URL: %s, want %s", got, want)
	}
	if got := ask[string](t, conn, `SELECT current_database()`); got != "shortener" {
		t.Errorf("the database is %q", got)
	}
	plan := ask[string](t, conn, `EXPLAIN SELECT url FROM links WHERE code = 'seed250000'`)
	if !strings.Contains(plan, "Index Scan using links_code_key") {
		t.Errorf("a code is looked up by %q, want an index", plan)
	}
	const keys = `SELECT string_agg(pg_get_constraintdef(oid), '; ' ORDER BY contype) FROM pg_constraint WHERE conrelid = 'links'::regclass AND contype IN ('p', 'u')`
	if got := ask[string](t, conn, keys); got != "PRIMARY KEY (id); UNIQUE (code)" {
		t.Errorf("the keys are %q", got)
	}
}

// settled checks that nothing in the background is due.
func settled(t *testing.T, conn *pgx.Conn) {
	got := ask[string](t, conn, `SELECT format('%s %s %s', n_ins_since_vacuum, n_mod_since_analyze, n_dead_tup) FROM pg_stat_user_tables WHERE relname = 'links'`)
	if got != "0 0 0" {
		t.Errorf("rows since vacuum, since analyse, and dead: %s, want none, or autovacuum runs", got)
	}
}

func private(t *testing.T, s *Server) {
	for _, p := range []*supervise.Process{s.Process, s.database.Process} {
		info, err := os.Stat(p.Dir())
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o700 {
			t.Errorf("the directory %s has mode %v, want 0700", p.Dir(), info.Mode().Perm())
		}
		if runtime.GOOS != "linux" {
			continue
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID()))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(status), "Uid:\t0\t") {
			t.Errorf("process %d runs as root", p.PID())
		}
		if last, _ := affinity.LastCPU(); last >= 0 && !strings.Contains(string(status), fmt.Sprintf("Cpus_allowed_list:\t%d\n", last)) {
			t.Errorf("process %d is not pinned to CPU %d:\n%s", p.PID(), last, status)
		}
	}
	if s.CPU() != s.database.CPU() {
		t.Errorf("the shortener is on CPU %d and its database on %d", s.CPU(), s.database.CPU())
	}
}

func facts(t *testing.T, s *Server) {
	facts := s.Facts()
	for name, want := range map[string]string{
		"version":              runtime.Version() + " net/http, pgx ", // a test is built without its modules' versions
		"endpoints":            "POST /shorten",
		"connections":          fmt.Sprint(Connections),
		"placement":            s.Placement(),
		"account":              s.Account(),
		"listens":              strings.TrimPrefix(s.Base(), "http://"),
		"PostgreSQL version":   "PostgreSQL ",
		"PostgreSQL settings":  "dynamic_shared_memory_type = 'mmap' (command line)",
		"PostgreSQL placement": s.Placement(),
		"tables":               "500003 rows",
	} {
		if !strings.Contains(facts[name], want) {
			t.Errorf("fact %q is %q, want it to hold %q", name, facts[name], want)
		}
	}
	dsn, _ := s.Written()
	for _, want := range []string{s.URL(), dsn, s.Placement(), "port 8080 is taken", s.Base() + "/shorten", s.Base() + "/healthz"} {
		if !strings.Contains(s.Describe(), want) {
			t.Errorf("it describes itself without %q:\n%s", want, s.Describe())
		}
	}
	if s.Driver() != "http" || s.URL() != s.Base()+"/seed250000" || s.DSN()+s.SQL()+s.Session() != "" {
		t.Errorf("it is reached by %s at %s, DSN %q, query %q, session %q", s.Driver(), s.URL(), s.DSN(), s.SQL(), s.Session())
	}
}

func stalls(t *testing.T, s *Server) {
	if _, err := s.Staller(t.Context(), "nap"); err == nil {
		t.Error("a stall of an unknown kind was prepared")
	}
	for _, kind := range []workload.StallKind{workload.Freeze, workload.Lock} {
		still, err := s.Staller(t.Context(), kind)
		if err != nil {
			t.Fatal(err)
		}
		if err := still.Stall(); err != nil {
			t.Fatal(err)
		}
		// A lock is asked for and not waited for.
		for end := time.Now().Add(bound); !hangs(t, s.URL()); {
			if time.Now().After(end) {
				t.Fatalf("%s: redirects are answered in a stall", kind)
			}
		}
		if frozen := hangs(t, s.Base()+"/healthz"); frozen != (kind == workload.Freeze) {
			t.Errorf("%s: /healthz hangs %v", kind, frozen)
		}
		if err := still.Close(); err != nil {
			t.Error(err)
		}
		if status, _, _ := get(t, s.URL()); status != 302 {
			t.Errorf("%s: status %d after a stall", kind, status)
		}
	}
}

// databaseGone ends the database under the shortener.
func databaseGone(t *testing.T, s *Server) {
	if err := s.database.Stop(); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := get(t, s.URL()); status != 500 {
		t.Errorf("a redirect without a database: status %d, want 500", status)
	}
	if status, _ := post(t, s.Base()+"/shorten", `{"url":"https://example.com/"}`); status != 500 {
		t.Errorf("a link without a database: status %d, want 500", status)
	}
	if status, body, _ := get(t, s.Base()+"/healthz"); status != 200 || body != "ok" {
		t.Errorf("/healthz without a database: status %d, %q", status, body)
	}
	log, err := os.ReadFile(filepath.Join(s.Dir(), "log"))
	if err != nil || !strings.Contains(string(log), "GET /seed250000: ") {
		t.Errorf("the log is %q, %v; want what failed", log, err)
	}
}

// stop stops it, here when its database is gone already.
func stop(t *testing.T, s *Server) {
	for range 2 {
		if err := s.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []*supervise.Process{s.Process, s.database.Process} {
		if process, err := os.FindProcess(p.PID()); err == nil && process.Signal(syscall.Signal(0)) == nil {
			t.Errorf("process %d outlived Stop", p.PID())
		}
		if _, err := os.Stat(p.Dir()); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s outlived Stop: %v", p.Dir(), err)
		}
	}
	if c, err := net.Dial("tcp", s.address()); err == nil {
		c.Close()
		t.Errorf("somebody still listens on %s", s.address())
	}
}

func TestUnarmedStartSaysWhatToCall(t *testing.T) {
	defer func(armed *self.Role) { role = armed }(role)
	role = &self.Role{}
	if _, err := Start(t.Context()); err == nil || !strings.Contains(err.Error(), "lab.SuperviseIfAsked") {
		t.Errorf("error %v, want one that says what to call", err)
	}
}

// A start that ends half-way leaves nothing.
func TestCancelledStart(t *testing.T) {
	dir, err := os.MkdirTemp("", "ql-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
