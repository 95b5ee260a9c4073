package supervise

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"queuelab/measure/host/self"
)

// bound is how long anything here may take on a machine that is busy.
const bound = 20 * time.Second

func shell(script string) Command { return Command{Path: "/bin/sh", Args: []string{"-c", script}} }

func newDir(t *testing.T) string {
	t.Helper()
	dir, err := NewDir("test")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func privateSpec(t *testing.T, server Command, before ...Command) Spec {
	t.Helper()
	account, err := Unprivileged()
	if err != nil {
		t.Fatal(err)
	}
	return Spec{Dir: newDir(t), Server: server, Before: before, User: account}
}

func start(t *testing.T, spec Spec) *Process {
	t.Helper()
	p, err := Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Stop() })
	return p
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(bound); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", bound, what)
		}
	}
}

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

func exists(path string) bool { _, err := os.Lstat(path); return err == nil }

func TestStopKillsEveryDescendant(t *testing.T) {
	// A child, one in a session of its own, and a daemon whose parent has ended.
	p := start(t, privateSpec(t, shell(`sleep 600 & setsid sleep 600 & (setsid sleep 600 &); exec sleep 600`)))
	supervisor := parentOf(t, p.PID())
	var family []int
	eventually(t, "the server and its three children run", func() bool {
		family = Descendants(supervisor)
		sleeping := 0
		for _, pid := range family {
			if title, _ := Title(pid); title == "sleep 600" {
				sleeping++
			}
		}
		return len(family) == 4 && sleeping == 4
	})
	for _, pid := range family {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Stop(); err != nil {
		t.Fatal(err)
	}
	for _, pid := range append(family, supervisor) {
		if alive(pid) {
			t.Errorf("process %d outlived Stop", pid)
		}
	}
	if exists(p.Dir()) {
		t.Errorf("%s outlived Stop", p.Dir())
	}
	if err := p.Stop(); err != nil {
		t.Errorf("the second Stop: %v", err)
	}
}

func parentOf(t *testing.T, pid int) int {
	t.Helper()
	parent, err := parentID(pid)
	if err != nil {
		t.Fatal(err)
	}
	return parent
}

func TestServerIsPinnedAndPrivate(t *testing.T) {
	spec := privateSpec(t, shell(`cat folder/greeting; env; grep Cpus_allowed_list /proc/self/status; exec sleep 600`))
	spec.Files = []File{{Name: "folder/greeting", Data: []byte("good morning\n")}}
	t.Setenv("PGPASSWORD", "secret")
	p := start(t, spec)
	info, err := os.Stat(p.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o700 {
		t.Errorf("the directory has mode %v, want 0700", info.Mode().Perm())
	}
	if owner := info.Sys().(*syscall.Stat_t).Uid; spec.User != nil && int(owner) != spec.User.UID {
		t.Errorf("the directory belongs to uid %d, want %s (%d)", owner, spec.User.Name, spec.User.UID)
	}
	var log string
	eventually(t, "the server wrote its log", func() bool {
		log, _ = tailOf(filepath.Join(p.Dir(), logName))
		return strings.Contains(log, "Cpus_allowed_list")
	})
	if !strings.HasPrefix(log, "good morning\n") || !strings.Contains(log, "LC_ALL=C") || strings.Contains(log, "secret") {
		t.Errorf("the server saw\n%s\nwant the greeting and the fixed environment", log)
	}
	allowed := strings.Fields(log[strings.Index(log, "Cpus_allowed_list"):])[1]
	if pinned := strings.TrimPrefix(p.Placement(), "pinned to CPU "); p.CPU() >= 0 && (pinned != allowed) {
		t.Errorf("the server may use CPUs %s; it is said to be %s", allowed, p.Placement())
	}
}

func TestStartFailures(t *testing.T) {
	for _, c := range []struct {
		name string
		spec func(*Spec)
		want []string
	}{
		{"a command before it fails", func(s *Spec) {
			s.Before = []Command{shell("true"), shell("echo no room >&2; exit 3")}
		}, []string{"sh failed: exit status 3", "no room"}},
		{"a command before it is killed", func(s *Spec) { s.Before = []Command{shell("kill -9 $$")} },
			[]string{"sh failed: signal: killed"}},
		{"no such program", func(s *Spec) { s.Server.Path = "/nonexistent/server" },
			[]string{"start /nonexistent/server: no such file"}},
		{"a file that cannot be written", func(s *Spec) { s.Files = []File{{Name: "a/b/c"}} },
			[]string{"make the private directory"}},
	} {
		spec := privateSpec(t, shell("exec sleep 600"))
		c.spec(&spec)
		p, err := Start(t.Context(), spec)
		if err == nil {
			p.Stop()
			t.Errorf("%s: it started", c.name)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: error %q lacks %q", c.name, err, part)
			}
		}
		if exists(spec.Dir) {
			t.Errorf("%s: %s is left", c.name, spec.Dir)
		}
	}
}

func TestStartNeedsTheCallInMain(t *testing.T) {
	defer func(armed *self.Role) { role = armed }(role)
	role = &self.Role{}
	if _, err := Start(t.Context(), privateSpec(t, shell("true"))); err == nil || !strings.Contains(err.Error(), "SuperviseIfAsked") {
		t.Errorf("error %v, want one that names SuperviseIfAsked", err)
	}
}

func TestCancelledStartLeavesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	spec := privateSpec(t, shell("exec sleep 600"), shell("exec sleep 600"))
	time.AfterFunc(300*time.Millisecond, cancel)
	if _, err := Start(ctx, spec); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if exists(spec.Dir) {
		t.Errorf("%s is left", spec.Dir)
	}
}

func TestReadyGivesUp(t *testing.T) {
	closed := errors.New("the door is closed")
	never := func(context.Context) error { return closed }

	p := start(t, privateSpec(t, shell("echo out of beer; exit 7")))
	err := p.Ready(t.Context(), bound, never)
	if err == nil || !strings.Contains(err.Error(), "exit status 7") || !strings.Contains(err.Error(), "out of beer") {
		t.Errorf("a server that ended: error %v, want its exit status and its log", err)
	}

	p = start(t, privateSpec(t, shell("exec sleep 600")))
	err = p.Ready(t.Context(), 100*time.Millisecond, never)
	if !errors.Is(err, closed) || !strings.Contains(err.Error(), "no answer within 100ms") {
		t.Errorf("a server that is silent: error %v, want the bound and the last answer", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Ready(ctx, bound, never); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	asked := 0
	if err := p.Ready(t.Context(), bound, func(context.Context) error {
		if asked++; asked < 3 {
			return closed
		}
		return nil
	}); err != nil || asked != 3 {
		t.Errorf("a server that answers at the third question: error %v after %d", err, asked)
	}
}

func TestSupervisorThatIsAskedToEnd(t *testing.T) {
	p := start(t, privateSpec(t, shell("exec sleep 600")))
	if err := syscall.Kill(parentOf(t, p.PID()), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.gone:
	case <-time.After(bound):
		t.Fatal("the supervisor did not end")
	}
	if alive(p.PID()) || exists(p.Dir()) {
		t.Error("the server or its directory outlived its supervisor")
	}
}

func TestSupervisorIsNotFoundByTheProgramsName(t *testing.T) {
	p := start(t, privateSpec(t, shell("exec sleep 600")))
	supervisor := parentOf(t, p.PID())
	out, err := exec.Command("ps", "-o", "sid=,comm=,args=", "-p", itoa(supervisor)).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Fields(string(out)), []string{itoa(supervisor), role.Name, role.Name}; strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("session, name and arguments %q, want %q: a session and a name of its own", got, want)
	}
}
