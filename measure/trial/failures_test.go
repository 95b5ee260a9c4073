package trial

import (
	"testing"

	"queuelab/measure/record"
)

// Failures of several runs are counted together, with the mean and the maximum of all;
// quantiles are medians over the runs that had any.
func TestFailedTimesOfATrial(t *testing.T) {
	var runs []*record.Run
	for _, refused := range []record.Quantities{
		{"count": 2, "mean": 9, "max": 10, "p50": 9, "p99": record.Unknown()},
		{"count": 30, "mean": 6, "max": 30, "p50": 5, "p99": 20},
		{"count": 4, "mean": 3, "max": 20, "p50": 3, "p99": record.Unknown()},
		nil,
	} {
		run := record.NewRun(record.Measured)
		if refused != nil {
			run.FailedTimes["refused"] = refused
		}
		runs = append(runs, run)
	}
	got := Combine("", runs).FailedTimes["refused"]
	for key, want := range map[string]record.Value{"count": 36, "mean": 210.0 / 36, "max": 30, "p50": 5} {
		if got.Get(key) != want {
			t.Errorf("%s is %v, want %v", key, got.Get(key), want)
		}
	}
	if got.Get("p99").Known() {
		t.Errorf("p99 is %v, where not every run supports one", got.Get("p99"))
	}
}
