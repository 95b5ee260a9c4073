package affinity

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// Supported says whether work can be pinned to a CPU here.
const Supported = true

// maxPasses bounds the search for threads that still have the old CPU set. Two
// passes are usual: one that changes them, one that finds nothing to change.
const maxPasses = 100

// CPUs returns the CPUs this process may use, ascending (sched_getaffinity of its
// main thread).
func CPUs() ([]int, error) {
	set, err := processSet()
	if err != nil {
		return nil, err
	}
	return members(set), nil
}

// On runs do on the given CPU and nowhere else: on a thread of its own that is
// pinned for the time. A process that do starts inherits the pinning. With cpu -1
// do runs unpinned.
func On(cpu int, do func() error) error {
	if cpu < 0 {
		return do()
	}
	runtime.LockOSThread()
	var before, only unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		runtime.UnlockOSThread()
		return fmt.Errorf("read the CPUs of a thread: %w", err)
	}
	only.Set(cpu)
	if !only.IsSet(cpu) {
		runtime.UnlockOSThread()
		return fmt.Errorf("pin a thread to CPU %d: no such CPU", cpu)
	}
	if err := unix.SchedSetaffinity(0, &only); err != nil {
		runtime.UnlockOSThread()
		return fmt.Errorf("pin a thread to CPU %d: %w", cpu, err)
	}
	defer func() {
		// A thread that cannot be given its CPUs back stays locked, so that the
		// runtime ends it with its goroutine instead of using it again.
		if unix.SchedSetaffinity(0, &before) == nil {
			runtime.UnlockOSThread()
		}
	}()
	return do()
}

// KeepOff moves every thread of this process off the CPU (threads started later
// inherit that) and sets GOMAXPROCS to at most the number of CPUs left. The
// function it returns undoes both and may be called more than once. Nothing
// changes for cpu -1, for a CPU the process does not use, and for the only CPU it
// has.
func KeepOff(cpu int) (restore func(), err error) {
	before, err := processSet()
	if err != nil {
		return nil, err
	}
	rest := *before
	if cpu >= 0 {
		rest.Clear(cpu)
	}
	if cpu < 0 || !before.IsSet(cpu) || rest.Count() == 0 {
		return func() {}, nil
	}
	procs := runtime.GOMAXPROCS(0)
	restore = sync.OnceFunc(func() {
		runtime.GOMAXPROCS(procs)
		// The CPUs being given back were this process's own a moment ago; a set
		// that was narrowed from outside meanwhile stays as it is.
		_ = setEveryThread(before)
	})
	if err := setEveryThread(&rest); err != nil {
		restore()
		return nil, fmt.Errorf("keep this process off CPU %d: %w", cpu, err)
	}
	runtime.GOMAXPROCS(min(procs, rest.Count()))
	return restore, nil
}

// setEveryThread gives the CPU set to all threads of this process. A thread
// inherits its creator's set, so one that is started meanwhile by a thread not
// yet reached has the old one: passes repeat until one finds nothing to change.
func setEveryThread(set *unix.CPUSet) error {
	for range maxPasses {
		changed, err := setThreads(set)
		if err != nil {
			return err
		}
		if !changed {
			return nil
		}
	}
	return fmt.Errorf("threads are still being started after %d passes", maxPasses)
}

func setThreads(set *unix.CPUSet) (changed bool, err error) {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return false, err
	}
	for _, task := range tasks {
		tid, err := strconv.Atoi(task.Name())
		if err != nil {
			return false, fmt.Errorf("/proc/self/task has an entry %q that is no thread", task.Name())
		}
		var now unix.CPUSet
		if err := unix.SchedGetaffinity(tid, &now); errors.Is(err, unix.ESRCH) {
			continue // ended since the listing
		} else if err != nil {
			return false, err
		}
		if now == *set {
			continue
		}
		changed = true
		if err := unix.SchedSetaffinity(tid, set); err != nil && !errors.Is(err, unix.ESRCH) {
			return false, err
		}
	}
	return changed, nil
}

func processSet() (*unix.CPUSet, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(os.Getpid(), &set); err != nil {
		return nil, fmt.Errorf("read the CPUs of this process: %w", err)
	}
	return &set, nil
}

func members(set *unix.CPUSet) []int {
	var cpus []int
	for cpu := 0; len(cpus) < set.Count(); cpu++ {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}
