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
		c.Add(&record.Request{Scheduled: at - 50*time.Millisecond, Sent: at, Ended: at, Copies: 1})
	}
	run := c.Run()
	if run.Throughput != 10 || run.Elapsed != 10 || run.Little.XW != 0.5 {
		t.Errorf("throughput %v/s over %v s, X·W %v; want 10 over 10 and 0.5", run.Throughput, run.Elapsed, run.Little.XW)
	}
	if !strings.HasPrefix(run.Line, "10 answered/s over 10.0 s, ") {
		t.Errorf("summary line %q does not say 10 answered/s over 10.0 s", run.Line)
	}
}
