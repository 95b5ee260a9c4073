package record

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// Each failure class has times of its own, and so have timeouts and what was given up
// at the end of the drain, none of which is an answer's. All count from the sending.
func TestFailuresAreTimedByClass(t *testing.T) {
	c := NewCollector(Measured)
	at := func(outcome Outcome, class string, lasted time.Duration) {
		c.Add(&Request{Scheduled: time.Second, Sent: 2 * time.Second, Ended: 2*time.Second + lasted, Outcome: outcome, Class: class, Copies: 1})
	}
	for i := range 10 {
		at(Failed, "refused", time.Duration(i+1)*time.Millisecond)
		at(Failed, "status_503", 40*time.Millisecond)
		at(Answered, "", time.Hour)
	}
	for range 3 {
		at(TimedOut, "", 5*time.Second)
		at(Unfinished, "", 12300*time.Millisecond)
	}
	c.Add(&Request{Scheduled: time.Second, Ended: time.Minute, Outcome: Unsent})
	run := c.Run()
	for class, want := range map[string][3]Value{ // count, mean, max
		"refused":     {10, 5.5, 10},
		"status_503":  {10, 40, 40},
		TimedOutKey:   {3, 5000, 5000},
		UnfinishedKey: {3, 12300, 12300},
	} {
		got := run.FailedTimes[class]
		if has := [3]Value{got.Get("count"), got.Get("mean"), got.Get("max")}; has != want {
			t.Errorf("%s: count, mean and max are %v, want %v", class, has, want)
		}
		if few := want[0] < 6; got.Get("p50").Known() == few || got.Get("p99").Known() {
			t.Errorf("%s: p50 %v, p99 %v of %v times", class, got.Get("p50"), got.Get("p99"), want[0])
		}
	}
	if len(run.FailedTimes) != 4 {
		t.Errorf("times of %d classes, want 4: %v", len(run.FailedTimes), run.FailedTimes)
	}
	run.Workload.Timeout = 5
	want := "of 37 scheduled, not answered: refused 10 (p50 5.00 ms, max 10.00 ms), status_503 10 (p50 39.99 ms, max 40.00 ms), " +
		"timed out 3 (given up 5s after their sending), unfinished 3 (the oldest 12.3 s), unsent 1"
	if got := failureLine(run); got != want {
		t.Errorf("the text says\n%s, want\n%s", got, want)
	}
}

// A server that sends a class of its own with every failure costs bounded memory, and
// no failure goes uncounted.
func TestFailureClassesAreBounded(t *testing.T) {
	const n = 10_000
	c := NewCollector(Measured)
	for i := range n {
		c.Add(&Request{Ended: time.Duration(i), Outcome: Failed, Class: fmt.Sprintf("sqlstate_%05d", i), Copies: 1})
	}
	run := c.Run()
	var all int64
	for _, count := range run.Failures {
		all += count
	}
	if all != n || len(run.Failures) != mostClasses+1 || run.Failures[otherClass] != n-mostClasses {
		t.Errorf("%d failures in %d classes, %d of them in %q; want %d in %d", all, len(run.Failures), run.Failures[otherClass], otherClass, n, mostClasses+1)
	}
}

// A packed histogram says the same as the other kind.
func TestPackedHistogramAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	packed, plain := newPacked(), NewHistogram()
	for range 5000 {
		d := time.Duration(r.Int64N(1 << r.IntN(43))) // some are longer than an hour
		packed.Add(d)
		plain.Add(d)
	}
	qs := []float64{0.001, 0.5, 0.9, 0.99, 0.999, 1}
	if got, want := packed.Quantiles(qs...), plain.Quantiles(qs...); !slices.Equal(got, want) {
		t.Errorf("quantiles %v, want %v", got, want)
	}
	if packed.Count() != plain.Count() || packed.Mean() != plain.Mean() || packed.Max() != plain.Max() || packed.Overflow() != plain.Overflow() || plain.Overflow() == 0 {
		t.Errorf("packed %d, %v, %v, %d; plain %d, %v, %v, %d", packed.Count(), packed.Mean(), packed.Max(), packed.Overflow(),
			plain.Count(), plain.Mean(), plain.Max(), plain.Overflow())
	}
}

// Latency, client-seen time, pool and lag stand below each other; what a sample cannot
// support is a dash.
func TestTableOfTimes(t *testing.T) {
	c := NewCollector(Measured)
	for range 40 {
		c.Add(&Request{Sent: time.Millisecond, Ended: 4 * time.Millisecond, Pool: 500 * time.Microsecond, Copies: 1})
	}
	var text strings.Builder
	c.Run().WriteText(&text)
	for _, row := range []string{
		"latency           4.000      4.000",
		"client-seen       3.000      2.999",
		"pool              0.500      0.500",
		"lag               1.000      1.000      1.000          -          -      1.000",
		"-: not resolvable",
	} {
		if !strings.Contains(text.String(), "\n"+row) {
			t.Errorf("there is no row %q in\n%s", row, text.String())
		}
	}
}
