package host

import (
	"reflect"
	"syscall"
	"testing"
	"time"

	"queuelab/measure/host/affinity"
)

func TestWorkIsTheSameEachTime(t *testing.T) {
	digest, cell := work()
	again, sameCell := work()
	if digest != again || cell != sameCell || digest == [32]byte{} {
		t.Errorf("digest %x, cell %d; then %x, %d", digest, cell, again, sameCell)
	}
}

func TestWalkIsOneRing(t *testing.T) {
	ring := walk()
	steps, cell := 1, ring[0]
	for ; cell != 0 && steps <= len(ring); cell = ring[cell] {
		steps++
	}
	if steps != len(ring) {
		t.Errorf("the walk is back after %d steps, want all %d cells", steps, len(ring))
	}
}

func TestSpeedOnEachCPU(t *testing.T) {
	cpus, err := affinity.CPUs()
	if err != nil {
		t.Fatal(err)
	}
	for _, cpu := range append(cpus, -1, 100_000) {
		began, before := time.Now(), cpuTime(t)
		took := Speed(cpu)
		wall, used := time.Since(began), cpuTime(t)-before
		if took <= 0 || took > wall {
			t.Errorf("CPU %d: %v, within %v", cpu, took, wall)
		}
		// It really works: all tries together use CPU time, on a busy machine less
		// than they take.
		if used < took/4 {
			t.Errorf("CPU %d: one try took %v, all used %v of CPU time", cpu, took, used)
		}
	}
	if after, _ := affinity.CPUs(); !reflect.DeepEqual(after, cpus) {
		t.Errorf("this process may use CPUs %v afterwards, before %v", after, cpus)
	}
}

// cpuTime is what this process has used so far, in user and kernel mode.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
