package record

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// sojourns are the times in system of an M/M/1 queue with a mean service time of 1 ms
// by Lindley's recursion, begun in its steady state, with the instants of arrival.
func sojourns(r *rand.Rand, rho float64, n int, visit func(at, latency time.Duration)) {
	service := func() float64 { return r.ExpFloat64() * 1e6 }
	wait, at := 0.0, 0.0
	if r.Float64() < rho {
		wait = r.ExpFloat64() * 1e6 / (1 - rho)
	}
	for range n {
		sojourn := wait + service()
		visit(time.Duration(at), time.Duration(sojourn))
		gap := r.ExpFloat64() * 1e6 / rho
		at += gap
		wait = max(sojourn-gap, 0)
	}
}

// collected is the summary of a run of such a queue.
func collected(seed uint64, rho float64, n int) *Run {
	c := NewCollector(Measured)
	sojourns(rand.New(rand.NewPCG(seed, 1)), rho, n, func(at, latency time.Duration) {
		c.Add(&Request{Scheduled: at, Sent: at, Ended: at + latency, Copies: 1})
	})
	return c.Run()
}

// Independent latencies are as good as their number, in nearly every sample.
func TestIndependentLatenciesKeepTheirNumber(t *testing.T) {
	fewer := 0
	for seed := range uint64(200) {
		r, c := rand.New(rand.NewPCG(seed, 2)), NewCollector(Measured)
		for i := range 2000 {
			at := time.Duration(i) * time.Millisecond
			c.Add(&Request{Scheduled: at, Sent: at, Ended: at + time.Duration(r.ExpFloat64()*1e6)})
		}
		if run := c.Run(); run.Effective["p90"] < 2000 {
			fewer++
		}
	}
	if fewer > 10 { // 1 % are expected
		t.Errorf("%d of 200 samples of independent latencies count as fewer than they are", fewer)
	}
}

// A queue remembers: at a utilisation of 0.8 some 1/(1-√ρ)² = 90 services (Reynolds,
// The covariance structure of queues, 1975), so that as many requests tell about as
// much as one.
func TestQueueLatenciesCountForLess(t *testing.T) {
	const n = 100_000
	for _, tt := range []struct{ rho, memory float64 }{{0.8, 90}, {0.5, 12}} {
		sum := 0.0
		for seed := range uint64(10) {
			sum += n / float64(collected(seed, tt.rho, n).Effective["p50"])
		}
		if each := sum / 10; each < tt.memory/4 || each > tt.memory*4 {
			t.Errorf("at a utilisation of %v an independent value takes %.0f requests, want about %v", tt.rho, each, tt.memory)
		}
	}
}

// What the effective sample cannot support is unknown in latency_ms, and still there
// for those who pool runs, who see when the runs together support it.
func TestQuantilesNeedIndependentValues(t *testing.T) {
	runs := []*Run{}
	for seed := range uint64(40) {
		run := collected(seed, 0.8, 4000)
		if supported := Resolvable(0.99, run.Effective["p99"]); supported != run.Latency.Get("p99").Known() {
			t.Fatalf("with %d independent values p99 is %v", run.Effective["p99"], run.Latency.Get("p99"))
		}
		if !run.Observed("p99").Known() || run.Observed("mean") != run.Latency.Get("mean") {
			t.Fatalf("a run of 4000 shows p99 %v and the mean %v of %v", run.Observed("p99"), run.Observed("mean"), run.Latency.Get("mean"))
		}
		runs = append(runs, run)
	}
	if Supported("p99.9", runs[:2]) || !Supported("p99", runs) || !Supported("mean", runs[:1]) {
		t.Error("40 runs should support p99, two not p99.9, and each a mean")
	}
}

// What a stall does again and again in each of its periods is no chance: batches are
// whole periods, however long the run.
func TestPeriodsAreNoChance(t *testing.T) {
	alone, told := NewCollector(Measured), NewCollector(Measured)
	told.Period(2 * time.Second)
	for i := range 20_000 {
		at := time.Duration(i) * time.Millisecond
		latency := time.Millisecond
		if phase := at % (2 * time.Second); phase < 400*time.Millisecond {
			latency = 500*time.Millisecond - phase // behind a stall
		}
		r := Request{Scheduled: at, Sent: at, Ended: at + latency}
		alone.Add(&r)
		told.Add(&r)
	}
	if n := alone.Run().Effective["p90"]; n > 2000 {
		t.Errorf("20,000 requests of which those behind ten stalls wait count as %d independent ones", n)
	}
	if n := told.Run().Effective["p90"]; n < 10_000 {
		t.Errorf("with the stalls' period told they count as %d", n)
	}
}

// The cells stay few and lose nothing, whatever the length of the run.
func TestCourseIsBounded(t *testing.T) {
	c := newCourse(0)
	const n = 5000
	for i := range n {
		c.add(time.Duration(i)*7*time.Second, time.Duration(i))
	}
	total := uint32(0)
	for i := range c.cells {
		for _, n := range c.cells[i] {
			total += n
		}
	}
	if len(c.cells) > mostCells || len(c.cells) <= mostCells/4 || total != n {
		t.Errorf("%d requests are counted as %d in %d cells", n, total, len(c.cells))
	}
}

// Buckets are in order, without gaps, and never beyond the last.
func TestCoarseBuckets(t *testing.T) {
	before := 0
	for v := time.Duration(0); v < 1<<15; v++ {
		b := coarseBucket(v)
		if b != before && b != before+1 {
			t.Fatalf("%d ns are in bucket %d after %d", v, b, before)
		}
		before = b
	}
	if b := coarseBucket(math.MaxInt64); b != coarseBuckets-1 {
		t.Errorf("the longest time is in bucket %d of %d", b, coarseBuckets)
	}
	if b := coarseBucket(-5); b != 0 {
		t.Errorf("a time below zero is in bucket %d", b)
	}
}

// A summary costs little beside the run of a few hundred requests that it is of: a
// prediction makes hundreds of them.
func BenchmarkSummaryOfAShortRun(b *testing.B) {
	for b.Loop() {
		collected(1, 0.8, 300)
	}
}
