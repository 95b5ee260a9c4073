package record_test

import (
	"strings"
	"testing"
	"time"

	"queuelab/measure/record"
)

// Rates, lengths and the summary line agree on the window behind a warm-up.
func TestRatesCountFromTheOrigin(t *testing.T) {
	c := record.NewCollector(record.Simulated)
	c.From(10 * time.Second)
	for i := range 100 {
		at := 10*time.Second + time.Duration(i+1)*100*time.Millisecond
		c.Add(&record.Request{Scheduled: at - 60*time.Millisecond, Sent: at - 50*time.Millisecond, Ended: at, Copies: 1})
	}
	run := c.Run()
	if run.Throughput != 10 || run.Elapsed != 10 || run.Little.XW != 0.5 {
		t.Errorf("throughput %v/s over %v s, X·W %v; want 10 over 10 and 0.5", run.Throughput, run.Elapsed, run.Little.XW)
	}
	if !strings.HasPrefix(run.Line, "10 answered/s over 10.0 s, ") {
		t.Errorf("summary line %q does not say 10 answered/s over 10.0 s", run.Line)
	}
}

// The number in system counts every request until its end, so X·W does: failed,
// timed-out and unfinished ones too, up to the last end of any; one that was never sent
// was not there. The rates stay those of the answers.
func TestLittleCountsEveryOutcome(t *testing.T) {
	c := record.NewCollector(record.Measured)
	c.From(1 * time.Second)
	for i, q := range []record.Request{ // each in system for 100 ms, one after another
		{Outcome: record.Answered}, {Outcome: record.Failed, Class: "reset"}, {Outcome: record.TimedOut},
		{Outcome: record.Unfinished}, {Outcome: record.Unsent},
	} {
		q.Scheduled = time.Second + time.Duration(i)*100*ms
		q.Sent, q.Ended = q.Scheduled, q.Scheduled+100*ms
		if q.Outcome == record.Unsent {
			q.Scheduled, q.Ended = time.Second, q.Scheduled
		}
		c.Add(&q)
	}
	run := c.Run()
	if run.Little.XW != 1 {
		t.Errorf("X·W = %v of requests of which one is in system at any time, want 1", run.Little.XW)
	}
	if run.Elapsed != 0.1 || run.Throughput != 10 {
		t.Errorf("%v answers/s over %v s, want those of the one answer: 10 over 0.1", run.Throughput, run.Elapsed)
	}
}
