package affinity

import (
	"errors"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

func twoCPUs(t *testing.T) []int {
	t.Helper()
	cpus, err := CPUs()
	if err != nil {
		t.Fatal(err)
	}
	if len(cpus) < 2 {
		t.Skip("needs two CPUs")
	}
	return cpus
}

// everyThread returns the CPU sets in use by the threads of this process.
func everyThread(t *testing.T) map[string]int {
	t.Helper()
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	sets := map[string]int{}
	for _, task := range tasks {
		tid, _ := strconv.Atoi(task.Name())
		var set unix.CPUSet
		if unix.SchedGetaffinity(tid, &set) == nil {
			sets[List(members(&set))]++
		}
	}
	return sets
}

// busyThreads holds n threads of its own until the returned function is called.
func busyThreads(n int) (stop func()) {
	var started, ended sync.WaitGroup
	quit := make(chan struct{})
	for range n {
		started.Add(1)
		ended.Go(func() {
			runtime.LockOSThread()
			started.Done()
			<-quit
		})
	}
	started.Wait()
	return func() { close(quit); ended.Wait() }
}

func TestKeepOffMovesEveryThread(t *testing.T) {
	cpus := twoCPUs(t)
	stop := busyThreads(8)
	defer stop()
	procs, last := runtime.GOMAXPROCS(0), cpus[len(cpus)-1]
	rest := List(cpus[:len(cpus)-1])

	restore, err := KeepOff(last)
	if err != nil {
		t.Fatal(err)
	}
	defer restore()
	later := busyThreads(4)
	defer later()
	if got := everyThread(t); len(got) != 1 || got[rest] < 12 {
		t.Errorf("CPU sets of the threads: %v, want %q for all of at least 12", got, rest)
	}
	if got := runtime.GOMAXPROCS(0); got > len(cpus)-1 {
		t.Errorf("GOMAXPROCS %d with %d CPUs left", got, len(cpus)-1)
	}
	child, err := exec.Command("grep", "Cpus_allowed_list", "/proc/self/status").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(string(child)); len(got) != 2 || got[1] != rest {
		t.Errorf("a process started meanwhile: %q, want CPUs %s", child, rest)
	}

	restore()
	restore()
	if got := everyThread(t); len(got) != 1 || got[List(cpus)] == 0 {
		t.Errorf("after restoring: %v, want %q for all", got, List(cpus))
	}
	if got := runtime.GOMAXPROCS(0); got != procs {
		t.Errorf("GOMAXPROCS %d after restoring, was %d", got, procs)
	}
}

func TestKeepOffLeavesAlone(t *testing.T) {
	cpus := twoCPUs(t)
	for _, cpu := range []int{-1, slices.Max(cpus) + 1, 5000} {
		restore, err := KeepOff(cpu)
		if err != nil {
			t.Fatalf("KeepOff(%d): %v", cpu, err)
		}
		if got, _ := CPUs(); !reflect.DeepEqual(got, cpus) {
			t.Errorf("KeepOff(%d) left CPUs %v of %v", cpu, got, cpus)
		}
		restore()
	}
	// Down to the only CPU left, which then is kept.
	for _, cpu := range cpus {
		restore, err := KeepOff(cpu)
		if err != nil {
			t.Fatal(err)
		}
		defer restore()
	}
	if got, _ := CPUs(); len(got) != 1 {
		t.Errorf("CPUs %v are left, want the last one", got)
	}
}

func TestOnPinsForTheTime(t *testing.T) {
	cpus := twoCPUs(t)
	for _, cpu := range cpus {
		err := On(cpu, func() error {
			var set unix.CPUSet
			if err := unix.SchedGetaffinity(0, &set); err != nil {
				return err
			}
			if got := members(&set); !reflect.DeepEqual(got, []int{cpu}) {
				t.Errorf("inside On(%d): CPUs %v", cpu, got)
			}
			return nil
		})
		if err != nil {
			t.Errorf("On(%d): %v", cpu, err)
		}
	}
	if got := everyThread(t); len(got) != 1 {
		t.Errorf("threads keep different CPU sets afterwards: %v", got)
	}
	failure := errors.New("as it says")
	if err := On(cpus[0], func() error { return failure }); !errors.Is(err, failure) {
		t.Errorf("the error of the work is lost: %v", err)
	}
	if err := On(5000, func() error { return nil }); err == nil {
		t.Error("On a CPU that is not there succeeded")
	}
}
