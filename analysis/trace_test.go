package analysis

import (
	"math"
	"testing"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

const ms = time.Millisecond

func TestTraceCountsWhereThingsHappen(t *testing.T) {
	w := workload.Workload{Retry: workload.Retry{After: 200 * ms, Copies: 3}}
	trace := NewTrace(&w, 100*ms)
	trace.Add(&record.Request{Scheduled: 50 * ms, Sent: 50 * ms, Ended: 480 * ms, Outcome: record.Answered, Copies: 3})
	trace.Add(&record.Request{Scheduled: 60 * ms, Sent: 60 * ms, Ended: 70 * ms, Outcome: record.Answered, Copies: 1})
	trace.Add(&record.Request{Scheduled: 110 * ms, Sent: 110 * ms, Ended: 210 * ms, Outcome: record.TimedOut, Copies: 1})
	trace.Add(&record.Request{Scheduled: 120 * ms, Ended: 500 * ms, Outcome: record.Unsent})
	cells := trace.Cells(7)
	for i, want := range []Cell{
		{Scheduled: 2, Kept: 2, Copies: 2, Answered: 1, latency: 440 * ms},
		{Scheduled: 2, Copies: 1},
		{Copies: 1, Lost: 1},
		{},
		{Copies: 1, Answered: 1},
		{Lost: 1},
		{},
	} {
		if cells[i] != want {
			t.Errorf("cell %d is %+v, want %+v", i, cells[i], want)
		}
	}
	if got := cells[0].Latency(); got != 220 {
		t.Errorf("the mean latency of the first cell is %g ms, want 220", got)
	}
	if !math.IsNaN(cells[1].Latency()) {
		t.Error("a cell without answers has a latency")
	}
}

// An accounting identity: every request is due, copied and ended once.
func TestTraceLosesNothing(t *testing.T) {
	w := workload.Workload{Open: true, Rate: 500, Length: 5 * time.Second, Drain: time.Second, Timeout: 50 * ms, Seed: 3,
		Retry: workload.Retry{After: 10 * ms, Copies: 4}}
	trace := NewTrace(&w, 7*ms)
	run, err := constant(0.0025, ms).Replay(t.Context(), w, trace)
	if err != nil {
		t.Fatal(err)
	}
	var sum Cell
	for _, c := range trace.cells {
		sum.Scheduled += c.Scheduled
		sum.Copies += c.Copies
		sum.Answered += c.Answered
		sum.Kept += c.Kept
		sum.Lost += c.Lost
	}
	n := run.Requests
	if sum.Scheduled != n.Scheduled || sum.Copies != n.Copies || sum.Answered != n.Answered || sum.Kept != n.Answered || sum.Lost != n.Scheduled-n.Answered {
		t.Errorf("the cells hold %+v, the run %+v", sum, n)
	}
	qs := []float64{0.1, 0.5, 0.9, 0.99}
	last := 0.0
	for i, v := range trace.Quantiles(qs) {
		if v < last {
			t.Errorf("the quantile %g is %g ms, below the one before", qs[i], v)
		}
		last = v
	}
}

func TestTraceQuantilesStopWhereTheSampleDoes(t *testing.T) {
	trace := NewTrace(&workload.Workload{}, time.Second)
	for i := range 100 {
		trace.Add(&record.Request{Ended: time.Duration(i+1) * ms, Outcome: record.Answered, Copies: 1})
	}
	got := trace.Quantiles([]float64{0.5, 0.99, 0.995})
	if math.Abs(got[0]-50) > 0.1 || math.Abs(got[1]-99) > 0.1 || !math.IsNaN(got[2]) {
		t.Errorf("quantiles %v of 1 to 100 ms, want 50, 99 and none", got)
	}
}
