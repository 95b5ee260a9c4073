package supervise

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// state returns the letter by which the kernel names a process's state.
func state(t *testing.T, pid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))[0]
}

func inState(t *testing.T, pid int, letter string) {
	t.Helper()
	eventually(t, fmt.Sprintf("process %d is in state %s", pid, letter), func() bool { return state(t, pid) == letter })
}

// family starts a server with two children that sleep.
func family(t *testing.T) (p *Process, children []int) {
	t.Helper()
	p = start(t, privateSpec(t, shell("sleep 600 & sleep 600 & wait")))
	eventually(t, "the server has two children", func() bool {
		var err error
		children, err = Children(p.PID())
		return err == nil && len(children) == 2
	})
	return p, children
}

func TestFreezeAndResume(t *testing.T) {
	p, children := family(t)
	f := p.Freezer()
	all := append(children, p.PID())
	for range 2 {
		if err := f.Stall(); err != nil {
			t.Fatal(err)
		}
		for _, pid := range all {
			inState(t, pid, "T")
		}
		if err := f.Resume(); err != nil {
			t.Fatal(err)
		}
		for _, pid := range all {
			inState(t, pid, "S")
		}
	}
	// Whatever comes twice does no harm.
	for _, again := range []func() error{f.Resume, f.Stall, f.Stall, f.Close, f.Close} {
		if err := again(); err != nil {
			t.Error(err)
		}
	}
	for _, pid := range all {
		inState(t, pid, "S")
	}
}

// Whatever the server starts, now and then, nothing escapes a freeze and nothing is
// born in it.
func TestFreezeOfAServerThatForks(t *testing.T) {
	p := start(t, privateSpec(t, shell("while :; do sleep 0.01 & sleep 600 & kill $!; wait; done")))
	eventually(t, "the server has children", func() bool {
		children, err := Children(p.PID())
		return err == nil && len(children) > 0
	})
	f := p.Freezer()
	for range 20 {
		if err := f.Stall(); err != nil {
			t.Fatal(err)
		}
		before, err := Children(p.PID())
		if err != nil {
			t.Fatal(err)
		}
		for _, pid := range before {
			// One that had ended stays until its parent, which stands still, asks.
			eventually(t, "a child is frozen or has ended", func() bool { s := state(t, pid); return s == "T" || s == "Z" })
		}
		time.Sleep(5 * time.Millisecond)
		after, err := Children(p.PID())
		if err != nil || !slices.Equal(before, after) {
			t.Errorf("children %v became %v during a freeze: %v", before, after, err)
		}
		if err := f.Resume(); err != nil {
			t.Fatal(err)
		}
	}
}

// A process that ends in the middle or had ended before is no error, and the others
// are frozen and go on all the same.
func TestFreezeOfProcessesThatEnd(t *testing.T) {
	p, children := family(t)
	f := p.Freezer()
	if err := f.Stall(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(children[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	inState(t, children[0], "Z")
	if err := f.Resume(); err != nil {
		t.Errorf("resuming one that has ended: %v", err)
	}
	eventually(t, "the killed child is gone", func() bool { return !alive(children[0]) })
	inState(t, children[1], "S")
	if err := f.Stall(); err != nil {
		t.Errorf("freezing without one that has ended: %v", err)
	}
	if err := f.stopChild(children[0]); err != nil {
		t.Errorf("freezing one that has ended: %v", err)
	}
	inState(t, children[1], "T")
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	inState(t, children[1], "S")
}

// A number that belongs to a stranger by now is let alone, and a server that has
// ended cannot be frozen.
func TestFreezeLeavesStrangersAlone(t *testing.T) {
	stranger := exec.Command("sleep", "600")
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	defer stranger.Wait()
	defer stranger.Process.Kill()
	p, _ := family(t)
	f := p.Freezer()
	if err := f.stopChild(stranger.Process.Pid); err != nil {
		t.Error(err)
	}
	if s := state(t, stranger.Process.Pid); s == "T" || len(f.held) != 0 {
		t.Errorf("a process that is none of the server's is in state %s, and %d are held", s, len(f.held))
	}
	if err := p.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := f.Stall(); err == nil || !strings.Contains(err.Error(), "it has ended") {
		t.Errorf("error %v, want one that says that the server has ended", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
