package supervise

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
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
	f := p.Freezer(func() ([]int, error) { return Children(p.PID()) })
	for range 2 {
		if err := f.Stall(); err != nil {
			t.Fatal(err)
		}
		for _, pid := range children {
			inState(t, pid, "T")
		}
		if err := f.Resume(); err != nil {
			t.Fatal(err)
		}
		for _, pid := range children {
			inState(t, pid, "S")
		}
	}
	if s := state(t, p.PID()); s != "S" {
		t.Errorf("the server itself is in state %s", s)
	}
	// Whatever comes twice does no harm.
	for _, again := range []func() error{f.Resume, f.Stall, f.Stall, f.Close, f.Close} {
		if err := again(); err != nil {
			t.Error(err)
		}
	}
	inState(t, children[0], "S")
}

// A process that ends in the middle is no error, one that had ended before is none
// of the frozen, and the others are frozen and go on all the same.
func TestFreezeOfProcessesThatEnd(t *testing.T) {
	p, children := family(t)
	f := p.Freezer(func() ([]int, error) { return children, nil })
	if err := f.Stall(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(children[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the killed child is gone", func() bool { return !alive(children[0]) })
	if err := f.Resume(); err != nil {
		t.Errorf("resuming one that has ended: %v", err)
	}
	inState(t, children[1], "S")
	if err := f.Stall(); err != nil {
		t.Errorf("freezing one that has ended: %v", err)
	}
	inState(t, children[1], "T")
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	inState(t, children[1], "S")
}

// A number that belongs to a stranger by now is let alone, and freezing nobody is an
// error.
func TestFreezeLeavesStrangersAlone(t *testing.T) {
	stranger := exec.Command("sleep", "600")
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	defer stranger.Wait()
	defer stranger.Process.Kill()
	p, _ := family(t)
	f := p.Freezer(func() ([]int, error) { return []int{stranger.Process.Pid}, nil })
	if err := f.Stall(); err == nil || !strings.Contains(err.Error(), "no process of the server") {
		t.Errorf("error %v, want one that says that there was nothing to freeze", err)
	}
	if s := state(t, stranger.Process.Pid); s == "T" {
		t.Error("a process that is none of the server's was frozen")
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
