package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"queuelab/measure/lab"
	"queuelab/measure/record"
)

// linksAtFirst is how many rows the shortener starts with.
const linksAtFirst = 500_003

// shortener is a running shortener that the program does not know as its lab's, a
// write test against it, and the number of its rows.
func shortener(t *testing.T) (writing []string, rows func() int64) {
	t.Helper()
	server, err := lab.Start(t.Context(), "shortener", lab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	dsn, cleanup := server.Written()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	writing = []string{"bench", "-url", server.Base() + "/shorten", "-method", "POST", "-body", `{"url":"https://example.com/loadtest"}`,
		"-expect", "201", "-closed", "-clients", "4", "-dsn", dsn, "-cleanup-sql", cleanup}
	return writing, func() (n int64) {
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM links").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
}

// A write trial deletes exactly the rows that it made, warm-up included, however it
// ends: by itself, by Ctrl-C, or killed without a warning.
func TestWriteTrialLeavesTheTableAsItWas(t *testing.T) {
	writing, rows := shortener(t)
	if n := rows(); n != linksAtFirst {
		t.Fatalf("the table starts with %d rows", n)
	}
	t.Run("refused", func(t *testing.T) { refusesCleanup(t, writing, rows) })
	t.Run("done", func(t *testing.T) {
		status, stdout, stderr := execute(t, t.Context(), append(writing, "-requests", "200", "-reps", "2", "-warmup", "100ms", "-json")...)
		var run record.Run
		if err := json.Unmarshal([]byte(stdout), &run); status != statusDone || err != nil {
			t.Fatalf("status %d, %v, %s", status, err, stderr)
		}
		r := run.Header.Rows
		if r == nil || r.Table != "links" || r.Before != linksAtFirst || r.After <= r.Before+400 || r.Cleaned != r.Before || rows() != r.Before {
			t.Errorf("rows %+v, and %d now; want 400 and the warm-up's to have come and gone", r, rows())
		}
		if run.Requests.Answered != 400 || !strings.Contains(run.Header.Server["tables"], "links") {
			t.Errorf("%+v, database %v", run.Requests, run.Header.Server)
		}
	})
	for _, end := range []struct {
		name   string
		signal os.Signal
	}{{"Ctrl-C", os.Interrupt}, {"killed", syscall.SIGKILL}} {
		t.Run(end.name, func(t *testing.T) {
			files := shortTempDir(t)
			cmd, out, stderr := program(t, files, append(writing, "-seconds", "600", "-reps", "3")...)
			until(t, "rows are written", func() bool { return rows() > linksAtFirst+100 })
			if err := cmd.Process.Signal(end.signal); err != nil {
				t.Fatal(err)
			}
			cmd.Wait() // its exit status says more
			if end.signal == os.Interrupt {
				kept, _ := filepath.Glob(filepath.Join(files, "queuelab-interrupted-*", "runs", "1", record.RunFile))
				if status := cmd.ProcessState.ExitCode(); status != statusInterrupted || len(kept) != 1 || !strings.Contains(out.String(), "after clean-up") || rows() != linksAtFirst {
					t.Errorf("status %d, kept %v, %d rows, printed %q, %q", status, kept, rows(), out, stderr)
				}
			}
			until(t, "the table is as it was", func() bool { return rows() == linksAtFirst })
		})
	}
}

// refusesCleanup: a clean-up that would reach rows from before the run is refused
// before anything is sent, and so is one that is no DELETE.
func refusesCleanup(t *testing.T, writing []string, rows func() int64) {
	for _, tt := range []struct{ sql, want string }{
		{"DELETE FROM links", "before the run"},
		{"TRUNCATE links", "DELETE FROM"},
		{"DELETE FROM nothing_of_this_name", "nothing_of_this_name"},
	} {
		args := append(writing[:len(writing)-1:len(writing)-1], tt.sql, "-requests", "10")
		status, _, stderr := execute(t, t.Context(), args...)
		if status != statusUsage || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: status %d, %q, want %d and %q", tt.sql, status, stderr, statusUsage, tt.want)
		}
	}
	if n := rows(); n != linksAtFirst {
		t.Errorf("%d rows after nothing was sent, want %d", n, linksAtFirst)
	}
}
