package self_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"queuelab/measure/host/self"
)

var (
	echo  = &self.Role{Name: "test-echo"}
	other = &self.Role{Name: "test-other"}
)

func TestMain(m *testing.M) {
	if other.Taken() {
		os.Exit(1)
	}
	if echo.Taken() {
		name := []byte("test-echo\n")
		if runtime.GOOS == "linux" {
			name, _ = os.ReadFile("/proc/self/comm")
		}
		fmt.Printf("%s%q", name, os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestProgramTakesTheRoleItIsStartedIn(t *testing.T) {
	path, err := self.Path()
	if err != nil {
		t.Fatal(err)
	}
	child := &exec.Cmd{Path: path, Args: []string{echo.Name, "a", "b c"}}
	out, err := child.Output()
	if want := "test-echo\n" + `["a" "b c"]`; err != nil || string(out) != want {
		t.Errorf("the program in another role says %q, %v, want %q", out, err, want)
	}
	// No role has this name: it is the program itself, which lists its tests.
	child = &exec.Cmd{Path: path, Args: []string{"test-nobody", "-test.list=."}}
	if out, err := child.Output(); err != nil || !strings.HasPrefix(string(out), t.Name()+"\n") {
		t.Errorf("the program in no role says %q, %v, want its tests", out, err)
	}
}

func TestRoleIsArmedByTheQuestion(t *testing.T) {
	r := &self.Role{Name: "test-role"}
	if r.Armed() {
		t.Error("armed before anybody asked whether it is taken")
	}
	if r.Taken() || !r.Armed() {
		t.Errorf("taken by a process of another name, or not armed")
	}
}
