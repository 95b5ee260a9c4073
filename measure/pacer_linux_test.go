package measure

import (
	"testing"
	"time"
)

// broken is a pacer whose timer fails although nobody closed it.
func broken(t *testing.T, start time.Time) *timerPacer {
	t.Helper()
	pacer, ok := NewPacer(start).(*timerPacer)
	if !ok {
		t.Skip("there is no timerfd here")
	}
	if err := pacer.timer.Close(); err != nil {
		t.Fatal(err)
	}
	return pacer
}

// A schedule whose timer fails goes on, no instant early.
func TestFailedTimerKeepsTheSchedule(t *testing.T) {
	start := time.Now()
	pacer := broken(t, start)
	defer pacer.Close()
	for i := range 5 {
		due := time.Duration(i) * 3 * time.Millisecond
		if !pacer.Wait(due) {
			t.Fatalf("instant %d: a failed timer passes for a closed one", i)
		}
		if at := time.Since(start); at < due {
			t.Errorf("the instant %v passed at %v", due, at)
		}
	}
}

// A wait without its timer still ends with Close.
func TestCloseEndsAWaitWithoutItsTimer(t *testing.T) {
	for _, head := range []time.Duration{0, 20 * time.Millisecond} { // before or while it waits
		pacer := broken(t, time.Now())
		passed := waiting(pacer)
		time.Sleep(head)
		pacer.Close()
		select {
		case came := <-passed:
			if came {
				t.Error("an instant a day ahead has come")
			}
		case <-time.After(soon):
			t.Fatal("a closed pacer still waits")
		}
	}
}
