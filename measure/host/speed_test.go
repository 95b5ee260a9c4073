package host

import (
	"reflect"
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
		before := CPUBusy()
		took := Speed(cpu)
		spent := CPUBusy().Since(before)
		if took <= 0 || took > spent.Wall {
			t.Errorf("CPU %d: %v, within %v", cpu, took, spent.Wall)
		}
		// It really works: all tries together use CPU time, on a busy machine less
		// than they take.
		if spent.Process < took/4 {
			t.Errorf("CPU %d: one try took %v, all used %v of CPU time", cpu, took, spent.Process)
		}
	}
	if after, _ := affinity.CPUs(); !reflect.DeepEqual(after, cpus) {
		t.Errorf("this process may use CPUs %v afterwards, before %v", after, cpus)
	}
}

func TestSpent(t *testing.T) {
	at := time.Now()
	before := Busy{At: at, Process: time.Second, Steal: 2 * time.Second, HasSteal: true}
	after := Busy{At: at.Add(4 * time.Second), Process: 3 * time.Second, Steal: 2500 * time.Millisecond, HasSteal: true}
	spent := after.Since(before)
	if want := (Spent{Wall: 4 * time.Second, Process: 2 * time.Second, Steal: 500 * time.Millisecond, HasSteal: true}); spent != want {
		t.Errorf("spent %+v, want %+v", spent, want)
	}
	if got := spent.Share(2); got != 0.25 {
		t.Errorf("share of two CPUs %v, want 0.25", got)
	}
	if got := (Spent{Process: time.Second}).Share(2) + spent.Share(0); got != 0 {
		t.Errorf("share of no time or no CPU: %v", got)
	}
	before.HasSteal = false
	if spent := after.Since(before); spent.HasSteal || spent.Steal != 0 {
		t.Errorf("steal %v although one snapshot does not know it", spent.Steal)
	}
}

func TestCPUBusyGrows(t *testing.T) {
	before := CPUBusy()
	for CPUBusy().Since(before).Process < 30*time.Millisecond {
		work()
		if time.Since(before.At) > time.Minute {
			t.Fatal("a minute of work used no CPU time")
		}
	}
	spent := CPUBusy().Since(before)
	if spent.Share(1) <= 0 || spent.Wall <= 0 {
		t.Errorf("spent %+v", spent)
	}
}
