package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"queuelab/measure/lab/supervise"
	"queuelab/measure/record"
)

// program starts this test program as queuelab, with files in a folder of its own.
func program(t *testing.T, files string, args ...string) (cmd *exec.Cmd, out, stderr *bytes.Buffer) {
	t.Helper()
	cmd, out, stderr = exec.Command(os.Args[0], args...), &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Env = append(os.Environ(), asProgram+"=1", "TMPDIR="+files)
	cmd.Dir, cmd.Stdout, cmd.Stderr = files, out, stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, out, stderr
}

// until waits for what must come about.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	const bound = 3 * time.Minute // for a machine that is busy
	for end := time.Now().Add(bound); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", bound, what)
		}
	}
}

// frozen are the processes of the private nginx in a folder, once its worker stands
// still; nil before.
func frozen(files string) (pids []int) {
	found, _ := filepath.Glob(filepath.Join(files, "queuelab-nginx-*", "nginx.pid"))
	if len(found) != 1 {
		return nil
	}
	var server int
	if text, err := os.ReadFile(found[0]); err != nil || len(text) == 0 {
		return nil
	} else if _, err := fmt.Sscan(string(text), &server); err != nil {
		return nil
	}
	workers, err := supervise.Children(server)
	if err != nil {
		return nil
	}
	for _, pid := range workers {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err == nil && strings.Contains(string(stat), ") T ") {
			return append(workers, server)
		}
	}
	return nil
}

// locked says whether the table of the private PostgreSQL in a folder is locked.
func locked(files string) (yes bool) {
	time.Sleep(300 * time.Millisecond) // each look costs the server a process on its one CPU
	dirs, _ := filepath.Glob(filepath.Join(files, "queuelab-postgres-*"))
	if len(dirs) != 1 {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, "host="+dirs[0]+" user=postgres dbname=postgres")
	if err != nil {
		return false // it is being started
	}
	defer conn.Close(ctx)
	// The lock is held by a transaction that does nothing else; while the table is
	// filled, others hold it that work.
	const count = `SELECT count(*) > 0 FROM pg_locks JOIN pg_stat_activity USING (pid)
		WHERE relation = to_regclass('accounts') AND mode = 'AccessExclusiveLock' AND granted AND state = 'idle in transaction'`
	err = conn.QueryRow(ctx, count).Scan(&yes)
	return err == nil && yes
}

// Ctrl-C in the middle of a stall ends with status 130 and what was measured, and
// leaves no process, stopped or not, no lock and no folder of the lab's.
func TestInterruptInTheMiddleOfAStall(t *testing.T) {
	var pids []int
	for _, tt := range []struct {
		line   string
		stands func(files string) bool
	}{
		{"bench -lab nginx -open -rate 40 -seconds 600 -timeout 5s -retry 200ms -stall 300s/302s", func(files string) bool {
			pids = frozen(files)
			return pids != nil
		}},
		{"bench -lab postgres -closed -clients 2 -seconds 600 -stall 300s/302s", locked},
	} {
		files := shortTempDir(t)
		cmd, out, stderr := program(t, files, strings.Fields(tt.line)...)
		until(t, tt.line+": the server stands still", func() bool { return tt.stands(files) })
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		cmd.Wait() // its exit status says more
		if status := cmd.ProcessState.ExitCode(); status != statusInterrupted || !strings.Contains(out.String(), "\nstalls 1, ") || !summaryLine.MatchString(lastLine(out.String())) {
			t.Errorf("%s: exit status %d, printed %q, %q; want %d and the stall", tt.line, status, out, stderr, statusInterrupted)
		}
		for _, pid := range pids {
			if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err == nil {
				t.Errorf("%s: process %d is left", tt.line, pid)
			}
		}
		labs, _ := filepath.Glob(filepath.Join(files, "queuelab-[np]*"))
		kept, _ := filepath.Glob(filepath.Join(files, "queuelab-interrupted-*", record.RunFile))
		if len(labs) != 0 || len(kept) != 1 {
			t.Errorf("%s: left %v and kept %v, want the run alone", tt.line, labs, kept)
		}
	}
}

// The article's command lines for its stalls and its storm, shortened, with the kind
// of stall that suits each server, and both kinds where there are both.
func TestBenchWithStalls(t *testing.T) {
	for _, tt := range []struct{ line, stall string }{
		{"-open -rate 40 -seconds 2 -timeout 5s -retry 200ms -lab nginx -stall 400ms/1s", "freeze:400ms/1s"},
		{"-lab postgres -open -rate 20 -seconds 2 -stall 400ms/1s", "lock:400ms/1s"},
		{"-lab postgres -closed -clients 2 -seconds 2 -stall freeze:400ms/1s", "freeze:400ms/1s"},
	} {
		args := append([]string{"bench", "-json"}, strings.Fields(tt.line)...)
		status, stdout, stderr := execute(t, context.Background(), args...)
		if status != statusDone {
			t.Errorf("%s: status %d, %s", tt.line, status, stderr)
			continue
		}
		var run record.Run
		if err := json.Unmarshal([]byte(stdout), &run); err != nil {
			t.Fatal(err)
		}
		if n := run.Requests; run.Workload.Stall != tt.stall || len(run.Stalls) < 2 || !n.Balanced() || n.Answered != n.Scheduled {
			t.Errorf("%s: stall %q, %v, %+v; want two or more of %s and everything answered", tt.line, run.Workload.Stall, run.Stalls, n, tt.stall)
		}
	}
}
