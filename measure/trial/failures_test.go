package trial

import (
	"testing"

	"queuelab/measure/record"
)

// Counts of failures are summed over runs, their times are medians over those that
// had any.
func TestFailedTimesOfATrial(t *testing.T) {
	var runs []*record.Run
	for _, refused := range []record.Quantities{
		{"count": 2, "max": 10, "p50": record.Unknown()},
		{"count": 30, "max": 30, "p50": 5},
		{"count": 4, "max": 20, "p50": 3},
		nil,
	} {
		run := record.NewRun(record.Measured)
		if refused != nil {
			run.FailedTimes["refused"] = refused
		}
		runs = append(runs, run)
	}
	got := Combine("", runs).FailedTimes["refused"]
	if got.Get("count") != 36 || got.Get("max") != 20 || got.Get("p50").Known() {
		t.Errorf("%v, want 36 failures, a median max of 20 ms and no p50", got)
	}
}
