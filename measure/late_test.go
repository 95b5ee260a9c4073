package measure_test

import (
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure/workload"
)

// A schedule beyond what can be sent ends with its drain all the same: the rest of it
// is counted as unsent, each request once, and what is open is given up.
func TestScheduleThatCannotBeSentEnds(t *testing.T) {
	for name, w := range map[string]workload.Workload{
		"by length":   {Length: time.Millisecond},
		"by requests": {Requests: 500_000},
		"in sessions": {Length: time.Millisecond, PerSession: 2},
	} {
		w.Open, w.Rate, w.Arrivals, w.Drain, w.Seed = true, 5e8, workload.Even, 20*ms, 1
		var f *fake
		f = newFake(func(int64, *drivers.Request) drivers.Answer { return f.hang() })
		begun := time.Now()
		run, kept := take(t, t.Context(), w, f)
		scheduled, schedule := int64(0), w.Schedule()
		for _, more := schedule.Next(); more; _, more = schedule.Next() {
			scheduled++
		}
		c := run.Requests
		if c.Scheduled != scheduled || c.Unsent < scheduled/2 || c.Answered != 0 || c.Unfinished != f.sent.Load() {
			t.Errorf("%s: %+v, want all %d and most of them unsent; %d were sent", name, c, scheduled, f.sent.Load())
		}
		if time.Since(begun) > soon {
			t.Errorf("%s: it took %v", name, time.Since(begun))
		}
		if w.InSessions() {
			continue
		}
		once := map[int64]bool{}
		for _, r := range kept {
			once[r.Number] = true
		}
		if int64(len(once)) != scheduled {
			t.Errorf("%s: %d numbers of %d requests", name, len(once), scheduled)
		}
	}
}
