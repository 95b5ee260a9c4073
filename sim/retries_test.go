package sim

import (
	"slices"
	"testing"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// TestRetries plays written-down requests whose clients send a further copy
// after 10 ms without an answer, three in all.
func TestRetries(t *testing.T) {
	tests := []struct {
		what     string
		station  Station
		requests []request
		ended    []time.Duration
		copies   []uint8
	}{
		{"an answer before the copy", Station{}, []request{at(0, 10*ms-1)}, []time.Duration{10*ms - 1}, []uint8{1}},
		{"an answer at the copy's instant", Station{}, []request{at(0, 10*ms)}, []time.Duration{10 * ms}, []uint8{1}},
		// The copy is served all the same; the next request waits for that, and
		// at 21 ms, 2 ns before its answer, sends a copy too.
		{"a copy too many", Station{}, []request{at(0, 10*ms+1), at(11*ms, ms)}, []time.Duration{10*ms + 1, 21*ms + 2}, []uint8{2, 2}},
		{"three copies", Station{}, []request{at(0, 35*ms)}, []time.Duration{35 * ms}, []uint8{3}},
		// Copies that come at one instant come in the order in which they were
		// caused, before new requests.
		{"copies and requests at once", Station{}, []request{at(0, 12*ms), at(10*ms, ms)}, []time.Duration{12 * ms, 25 * ms}, []uint8{2, 2}},
		{"a server each", Station{Servers: 3}, []request{at(0, 25*ms), at(24*ms, ms)}, []time.Duration{25 * ms, 26 * ms}, []uint8{3, 1}},
		// Alone for 10 ms, then two jobs: 5 more ms of service take 10 ms, in
		// which the third copy does not leave, since the answer is first.
		{"shared", Station{Discipline: "ps"}, []request{at(0, 15*ms)}, []time.Duration{20 * ms}, []uint8{2}},
		{"shared by three", Station{Discipline: "ps"}, []request{at(0, 16*ms)}, []time.Duration{23 * ms}, []uint8{3}},
	}
	for _, tt := range tests {
		w := workload.Workload{Retry: workload.Retry{After: 10 * ms, Copies: 3}}
		got, _ := play(t, w, tt.station, tt.requests...)
		ended(t, tt.what, got, tt.ended...)
		sent(t, tt.what, got, tt.copies...)
	}
	// One copy in all is no retry.
	w := workload.Workload{Retry: workload.Retry{After: 10 * ms, Copies: 1}}
	got, _ := play(t, w, Station{}, at(0, 35*ms))
	sent(t, "one copy in all", got, 1)
}

// TestRetriesTimeOut: the first copy's timeout ends the request, and no further
// copy leaves at that instant.
func TestRetriesTimeOut(t *testing.T) {
	for _, tt := range []struct {
		timeout time.Duration
		ended   time.Duration
		outcome record.Outcome
		copies  uint8
	}{
		{10 * ms, 10 * ms, record.TimedOut, 1},
		{10*ms + 1, 10*ms + 1, record.TimedOut, 2},
		{20 * ms, 20 * ms, record.TimedOut, 2},
		{29 * ms, 29 * ms, record.TimedOut, 3},
		{35 * ms, 35 * ms, record.Answered, 3},
	} {
		w := workload.Workload{Timeout: tt.timeout, Retry: workload.Retry{After: 10 * ms, Copies: 3}}
		got, _ := play(t, w, Station{}, at(0, 35*ms), at(time.Second, ms))
		if r := got[0]; r.Ended != tt.ended || r.Outcome != tt.outcome || r.Copies != tt.copies {
			t.Errorf("timeout %v: %v at %v with %d copies, want %v at %v with %d", tt.timeout, r.Outcome, r.Ended, r.Copies, tt.outcome, tt.ended, tt.copies)
		}
	}
}

// fickle is a station that serves the last one to come first, so that a later
// copy can be the first to be answered, and writes down who was given up. Jobs
// that have not begun can leave it.
type fickle struct {
	*fifo
	stack []waiter
	gone  []time.Duration
	kept  []time.Duration
}

func newFickle() *fickle { return &fickle{fifo: &fifo{servers: 1}} }

func (f *fickle) arrive(now int64, place int32, service int64) {
	if len(f.serving.heap) == 0 {
		f.fifo.arrive(now, place, service)
		return
	}
	f.stack = append(f.stack, waiter{service, place})
}

func (f *fickle) step() (int32, bool) {
	now := f.next()
	place, departs := f.fifo.step()
	if last := len(f.stack) - 1; last >= 0 {
		f.fifo.arrive(now, f.stack[last].place, f.stack[last].service)
		f.stack = f.stack[:last]
	}
	return place, departs
}

func (f *fickle) abandon(now int64, place int32) bool {
	i := slices.IndexFunc(f.stack, func(w waiter) bool { return w.place == place })
	if i < 0 {
		f.kept = append(f.kept, time.Duration(now))
		return false
	}
	f.stack = slices.Delete(f.stack, i, i+1)
	f.gone = append(f.gone, time.Duration(now))
	return true
}

// TestLaterCopyAnswers: a request ends with the answer to any copy, once. The
// others are given up at their own timeouts while they are in the station, even
// after the end of the request, and leave it if they can.
func TestLaterCopyAnswers(t *testing.T) {
	w := workload.Workload{Timeout: 60 * ms, Retry: workload.Retry{After: 10 * ms, Copies: 3}}
	station := newFickle()
	// The first request is in service until 15 ms. Then comes the copy of 11 ms
	// of the second one, until 20, and that of 10 ms of the first, until 35. The
	// third request, of 34 ms, is served next, until 105, before the second's
	// first copy, which is given up at 61. At 94 the third times out. Its copy
	// of 44 ms has not begun by 104; that of 54 has by 114.
	got, e := playAt(t, w, Station{}, station, at(0, 15*ms), at(1*ms, 5*ms), at(34*ms, 70*ms), at(200*ms, ms))
	ended(t, "last come, first served", got, 15*ms, 20*ms, 94*ms, 201*ms)
	sent(t, "last come, first served", got, 2, 2, 3, 1)
	if got[1].Outcome != record.Answered || got[2].Outcome != record.TimedOut {
		t.Errorf("outcomes %v and %v", got[1].Outcome, got[2].Outcome)
	}
	if want := []time.Duration{61 * ms, 104 * ms}; !slices.Equal(station.gone, want) {
		t.Errorf("gone at %v, want %v", station.gone, want)
	}
	if want := []time.Duration{94 * ms, 114 * ms}; !slices.Equal(station.kept, want) {
		t.Errorf("given up in service at %v, want %v", station.kept, want)
	}
	if n := len(e.jobs.places) - len(e.jobs.free); n != 0 {
		t.Errorf("%d places are still taken", n)
	}
}
