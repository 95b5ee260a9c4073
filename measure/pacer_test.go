package measure

import (
	"math/rand/v2"
	"testing"
	"time"
)

// pacers are the kinds there are; on systems without a timerfd all are the
// coarse one.
var pacers = map[string]func(time.Time) Pacer{
	"best":   NewPacer,
	"awake":  awake,
	"coarse": func(start time.Time) Pacer { return newCoarsePacer(start) },
}

// awake is a pacer with a spinner of its own.
func awake(start time.Time) Pacer { return newPacer(start, newSpinner(start)) }

// soon bounds what must end; it is far longer than anything here takes.
const soon = 20 * time.Second

// A pacer never wakes before its instant.
func TestPacerIsNeverEarly(t *testing.T) {
	for name, open := range pacers {
		start := time.Now().Add(-time.Hour) // long since begun
		pacer := open(start)
		defer pacer.Close()
		due := time.Since(start)
		for i := range 200 {
			due += time.Duration(rand.Int64N(int64(2 * time.Millisecond)))
			if !pacer.Wait(due) {
				t.Fatalf("%s: an open pacer says that it was closed", name)
			}
			if at := time.Since(start); at < due {
				t.Fatalf("%s: instant %d passed %v too early", name, i, due-at)
			}
		}
	}
}

// Instants that have passed are not waited for, in whatever order they come.
func TestPacerDoesNotWaitForThePast(t *testing.T) {
	for name, open := range pacers {
		pacer := open(time.Now().Add(-time.Hour))
		defer pacer.Close()
		began := time.Now()
		for i := range 1000 {
			if !pacer.Wait(time.Duration(1000-i) * time.Second) {
				t.Fatalf("%s: an open pacer says that it was closed", name)
			}
		}
		if took := time.Since(began); took > soon {
			t.Errorf("%s: 1000 instants of the past took %v", name, took)
		}
	}
}

// An earlier instant after a later one is not held up by it.
func TestPacerWaitsForEachInstantAnew(t *testing.T) {
	for name, open := range pacers {
		start := time.Now()
		pacer := open(start)
		defer pacer.Close()
		for _, due := range []time.Duration{3, 1, 2, 9, 5} {
			due *= time.Millisecond
			if !pacer.Wait(due) || time.Since(start) < due {
				t.Errorf("%s: the instant %v passed at %v", name, due, time.Since(start))
			}
		}
	}
}

// waiting begins to wait for an instant a day ahead.
func waiting(pacer Pacer) <-chan bool {
	passed := make(chan bool, 1)
	go func() { passed <- pacer.Wait(24 * time.Hour) }()
	return passed
}

func TestCloseEndsAWait(t *testing.T) {
	for name, open := range pacers {
		for _, head := range []time.Duration{0, 20 * time.Millisecond} { // before or while it waits
			pacer := open(time.Now())
			passed := waiting(pacer)
			time.Sleep(head)
			pacer.Close()
			select {
			case came := <-passed:
				if came {
					t.Errorf("%s: an instant a day ahead has come", name)
				}
			case <-time.After(soon):
				t.Fatalf("%s: a closed pacer still waits", name)
			}
			pacer.Close() // a second time does no harm
		}
	}
}

// A closed pacer lets no instant pass, not even one that has come: a loop that
// is behind its schedule must end all the same.
func TestClosedPacerLetsNothingPass(t *testing.T) {
	for name, open := range pacers {
		pacer := open(time.Now().Add(-time.Hour))
		pacer.Close()
		for i := range 100 {
			if pacer.Wait(time.Duration(i) * time.Minute) {
				t.Fatalf("%s: a closed pacer let instant %d pass", name, i)
			}
		}
	}
}

// Closing one pacer while it is about to wait never disturbs another one, which
// may get its file descriptor.
func TestClosingDisturbsNoOther(t *testing.T) {
	for name, open := range pacers {
		for range 500 {
			old := open(time.Now())
			ended := waiting(old)
			old.Close()
			fresh := open(time.Now())
			passed := make(chan bool, 1)
			go func() { passed <- fresh.Wait(100 * time.Microsecond) }()
			select {
			case came := <-passed:
				if !came {
					t.Fatalf("%s: an open pacer says that it was closed", name)
				}
			case <-time.After(soon):
				t.Fatalf("%s: a pacer waits for the instant of another one", name)
			}
			<-ended
			fresh.Close()
		}
	}
}

// Waiting allocates nothing: it happens once a request.
func TestWaitDoesNotAllocate(t *testing.T) {
	for name, open := range pacers {
		start := time.Now()
		pacer := open(start)
		defer pacer.Close()
		if _, coarse := pacer.(*coarsePacer); coarse {
			continue // makes a timer for each wait
		}
		for _, ahead := range []time.Duration{50 * time.Microsecond, 500 * time.Microsecond} {
			if n := testing.AllocsPerRun(100, func() { pacer.Wait(time.Since(start) + ahead) }); n > 0 {
				t.Errorf("%s: a wait of %v allocates %v times", name, ahead, n)
			}
		}
	}
}
