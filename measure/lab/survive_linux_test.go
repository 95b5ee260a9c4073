package lab

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"queuelab/measure/lab/supervise"
)

// bound is how long anything here may take on a machine that is busy.
const bound = 60 * time.Second

// TestNothingSurvives ends a program that has a lab in every way there is, in the
// middle of a stall: with a worker or backends frozen, or a lock held. How a panic or
// an exit closes the pipe does not depend on the lab, and the slower one is spared
// them.
func TestNothingSurvives(t *testing.T) {
	for _, tt := range []struct{ lab, stall, ending string }{
		{"nginx", "freeze", "kill"},
		{"nginx", "freeze", "interrupt"},
		{"nginx", "freeze", "panic"},
		{"nginx", "freeze", "exit"},
		{"postgres", "freeze", "kill"},
		{"postgres", "lock", "kill"},
		{"postgres", "freeze", "interrupt"},
		{"shortener", "freeze", "kill"},
		{"shortener", "lock", "interrupt"},
	} {
		t.Run(tt.lab+"/"+tt.stall+"/"+tt.ending, func(t *testing.T) { ends(t, tt.lab, tt.stall, tt.ending) })
	}
}

func ends(t *testing.T, name, stall, ending string) {
	dir := openTempDir(t)
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "TMPDIR="+dir, childLab+"="+name, childStall+"="+stall, childEnding+"="+ending)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var complaint strings.Builder
	child.Stderr = &complaint
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Process.Kill()
	var lab told
	if err := json.NewDecoder(out).Decode(&lab); err != nil {
		child.Wait()
		t.Fatalf("the child's lab did not start: %s", &complaint)
	}
	family := familyOf(t, child.Process.Pid, lab)
	if stall == "freeze" && len(lab.Work) == 0 {
		t.Fatal("no process serves requests that could be frozen")
	}
	for _, pid := range append(lab.Work, lab.Server) {
		frozen := func() bool {
			state, _ := stateOf(pid)
			return state == "T" || state == "Z" || state == "" // a backend of the lab's own start may have ended since
		}
		// A busy CPU may take its time to let a process see that it is stopped.
		for end := time.Now().Add(bound); stall == "freeze" && !frozen(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("process %d is not frozen", pid)
			}
		}
	}

	switch ending {
	case "kill":
		err = child.Process.Kill()
	case "interrupt":
		err = child.Process.Signal(os.Interrupt)
	default:
		_, err = in.Write([]byte("\n"))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Wait(); err == nil {
		t.Errorf("the child ended well; it was to end by %s", ending)
	}
	gone := func() bool {
		left, err := os.ReadDir(dir)
		return err == nil && len(left)+len(living(family))+len(workingIn(t, dir)) == 0
	}
	for end := time.Now().Add(bound); !gone(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%v later: processes %v live, %v work in %s", bound, living(family), workingIn(t, dir), dir)
		}
	}
}

// openTempDir is a directory for temporary files in which other users' servers may
// live, and whose path leaves room for a socket's name.
func openTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ql-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

// familyOf returns all processes below the program that has the lab, supervisors and
// servers, each with its start time, so that a process that later gets the same number
// is not taken for it.
func familyOf(t *testing.T, program int, lab told) map[int]string {
	t.Helper()
	family := map[int]string{}
	for _, pid := range supervise.Descendants(program) {
		if _, since := stateOf(pid); since != "" {
			family[pid] = since
		}
	}
	if family[lab.Server] == "" || len(family) < 3 {
		t.Fatalf("the program %d has family %v, without the server %d or what belongs to it", program, family, lab.Server)
	}
	return family
}

// afterName returns the fields of /proc/PID/stat from the third, the state, on.
func afterName(stat string) []string {
	return strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
}

func stateOf(pid int) (state, since string) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", ""
	}
	fields := afterName(string(stat))
	return fields[0], fields[19]
}

// living returns the processes of the family that run or are stopped. One that is
// dead but that its parent has not yet collected does not count.
func living(family map[int]string) (pids []int) {
	for pid, since := range family {
		if state, now := stateOf(pid); now == since && state != "Z" && state != "X" {
			pids = append(pids, pid)
		}
	}
	return pids
}

// workingIn returns the processes whose working directory is in dir: PostgreSQL's
// backends started since, say.
func workingIn(t *testing.T, dir string) (links []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range all {
		if where, err := os.Readlink(link); err == nil && strings.HasPrefix(where, dir) {
			links = append(links, link)
		}
	}
	return links
}

// TestKeepOffTheServersCPU checks that server and generator have no CPU in common.
func TestKeepOffTheServersCPU(t *testing.T) {
	s, err := Start(t.Context(), "nginx", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	if s.CPU() < 0 {
		t.Skipf("needs two CPUs: %s", s.Facts()["placement"])
	}
	restore, err := KeepOff(s.CPU())
	if err != nil {
		t.Fatal(err)
	}
	defer restore()
	workers, err := s.PIDs()
	if err != nil {
		t.Fatal(err)
	}
	if server, mine := allowed(t, workers[0]), allowed(t, os.Getpid()); server != fmt.Sprint(s.CPU()) || strings.Contains(","+mine+",", ","+server+",") {
		t.Errorf("the worker may use CPUs %s and this process CPUs %s", server, mine)
	}
}

func allowed(t *testing.T, pid int) string {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "Cpus_allowed_list:\t")
	list, _, _ := strings.Cut(rest, "\n")
	return list
}
