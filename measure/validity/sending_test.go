package validity_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/validity"
	"queuelab/measure/workload"
)

// What was due and sent by the end of a schedule, or by an interruption, whoever ends
// it. The 2,048th part of the run in which the end lies counts as before it.
func TestSending(t *testing.T) {
	const rate = 1000
	slow := func(share float64) func(int64, time.Duration) (time.Duration, time.Duration) {
		return func(_ int64, due time.Duration) (lag, seen time.Duration) {
			return time.Duration(float64(due) * share), ms
		}
	}
	for _, c := range []struct {
		name      string
		w         workload.Workload
		lag       func(int64, time.Duration) (time.Duration, time.Duration)
		end       time.Duration
		due, sent int64
	}{
		{"on time", workload.Workload{Length: 2 * time.Second}, slow(0), time.Hour, 2000, 2000},
		{"on time, so many requests", workload.Workload{Requests: 300}, slow(0), time.Hour, 300, 300},
		{"20 ms late", workload.Workload{Length: 2 * time.Second}, func(int64, time.Duration) (time.Duration, time.Duration) { return 20 * ms, 0 }, time.Hour, 2000, 1981},
		{"a quarter too slow", workload.Workload{Length: 2 * time.Second}, slow(0.25), time.Hour, 2000, 1600},
		{"interrupted on time", workload.Workload{Length: 2 * time.Second}, slow(0), 500 * ms, 501, 501},
		{"interrupted, too slow", workload.Workload{Length: 2 * time.Second}, slow(0.25), 500 * ms, 501, 401},
		{"interrupted at once", workload.Workload{Length: 2 * time.Second}, slow(0), 0, 1, 1},
	} {
		w := c.w
		w.Open, w.Rate, w.Arrivals = true, rate, workload.Even
		watch := validity.NewWatch(&w)
		for _, r := range perform(&w, c.lag) {
			if r.Scheduled <= c.end {
				watch.Add(&r)
			}
		}
		s := watch.Sending(c.end)
		if s.Due != c.due || math.Abs(float64(s.Sent-c.sent)) > float64(c.sent)/1000+1 || s.Sent > s.Due {
			t.Errorf("%s: %d due and %d sent, want %d and %d", c.name, s.Due, s.Sent, c.due, c.sent)
		}
		if c.end == 0 {
			if s.Scheduled.Known() || s.Achieved.Known() {
				t.Errorf("%s: rates of %v and %v", c.name, s.Scheduled, s.Achieved)
			}
			continue
		}
		if ratio := float64(s.Achieved / s.Scheduled); math.Abs(ratio-float64(s.Sent)/float64(s.Due)) > 1e-9 || math.Abs(float64(s.Scheduled)/rate-1) > 0.01 {
			t.Errorf("%s: %v/s due and %v/s sent", c.name, s.Scheduled, s.Achieved)
		}
	}
	closed := validity.NewWatch(&workload.Workload{Clients: 2, Requests: 10})
	closed.Add(&record.Request{})
	if s := closed.Sending(time.Hour); s != nil {
		t.Errorf("a closed workload has a schedule: %+v", s)
	}
}

// The peak is that of the fullest tenth of a second, and what was never sent counts
// nowhere.
func TestPeak(t *testing.T) {
	w := workload.Workload{Open: true, Rate: 1000, Arrivals: workload.Even, Length: 3 * time.Second}
	watch := validity.NewWatch(&w)
	// A generator that stands still from 1.00 to 1.25 s sends 250 requests at once.
	for _, r := range perform(&w, func(_ int64, due time.Duration) (lag, seen time.Duration) {
		if due >= time.Second && due < 1250*ms {
			return 1250*ms - due, ms
		}
		return 0, ms
	}) {
		watch.Add(&r)
	}
	for range 1000 {
		watch.Add(&record.Request{Outcome: record.Unsent, Scheduled: 2 * time.Second})
	}
	if peak := float64(watch.Sending(time.Hour).Peak); peak != 3000 {
		t.Errorf("300 requests in a tenth of a second are a peak of %v/s", peak)
	}
}

// An hour's and a day's run end with the same peak: it is remembered when cells merge.
func TestPeakOfALongRun(t *testing.T) {
	w := workload.Workload{Open: true, Rate: 1, Arrivals: workload.Even, Length: 24 * time.Hour}
	watch := validity.NewWatch(&w)
	for i := range 50 {
		watch.Add(&record.Request{Number: int64(i), Sent: time.Second + time.Duration(i)*ms})
	}
	for _, r := range perform(&w, func(int64, time.Duration) (lag, seen time.Duration) { return 0, ms }) {
		watch.Add(&r)
	}
	if peak := float64(watch.Sending(24 * time.Hour).Peak); peak != 510 {
		t.Errorf("51 requests in a tenth of a second, and one a second for a day, are a peak of %v/s", peak)
	}
}

// An absurdly low rate has a mean gap that the clock does not hold; its one request is
// in time all the same.
func TestSendingAtAnAbsurdlyLowRate(t *testing.T) {
	for _, rate := range []float64{1e-11, 1e-300} {
		w := &workload.Workload{Open: true, Rate: rate, Requests: 1, Seed: 1}
		watch := validity.NewWatch(w)
		watch.Add(&record.Request{Ended: 5 * ms, Copies: 1})
		if s := watch.Sending(time.Hour); s.Due != 1 || s.Sent != 1 || !s.Achieved.Known() {
			t.Errorf("at a rate of %v: %+v", rate, s)
		}
	}
}

// Sessions that have not filled up offer less than was asked for, and say so.
func TestSessionsBelowTheirRate(t *testing.T) {
	for _, tt := range []struct {
		perSession float64
		seconds    int
		want       string
	}{{1000, 1, "sessions offered"}, {2, 200, ""}} {
		w := &workload.Workload{Open: true, Rate: 100, PerSession: tt.perSession, Length: time.Duration(tt.seconds) * time.Second, Seed: 3}
		watch, run := validity.NewWatch(w), record.NewRun(record.Measured)
		n := int64(tt.seconds * 100)
		if tt.want != "" {
			n /= 4
		}
		for i := range n {
			at := time.Duration(i) * w.Length / time.Duration(n)
			watch.Add(&record.Request{Scheduled: at, Sent: at, Ended: at + ms, Copies: 1})
		}
		run.Requests = record.Counts{Scheduled: n, Answered: n, Copies: n}
		run.Sending = watch.Sending(w.Length)
		reasons := strings.Join(validity.Judge(run, watch).Reasons, "\n")
		if strings.Contains(reasons, "sessions offered") != (tt.want != "") {
			t.Errorf("sessions of %v in %d s: %q", tt.perSession, tt.seconds, reasons)
		}
	}
}
