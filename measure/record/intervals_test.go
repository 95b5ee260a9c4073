package record_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"queuelab/measure/record"
)

// intervalLog writes requests into a run folder and reads its latency.hlog with
// the reader of the HdrHistogram library.
func intervalLog(t *testing.T, start time.Time, requests []record.Request) []*hdrhistogram.Histogram {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	folder, err := record.CreateFolder(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	c := record.NewCollector(record.Measured, folder)
	for _, r := range requests {
		c.Add(&r)
	}
	if err := folder.Commit(c.Run(), start); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join(dir, record.HistogramFile))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var out []*hdrhistogram.Histogram
	for reader := hdrhistogram.NewHistogramLogReader(file); ; {
		h, err := reader.NextIntervalHistogram()
		if err != nil {
			t.Fatal(err)
		}
		if h == nil {
			return out
		}
		out = append(out, h)
	}
}

// endedWithin are requests with any outcome that end evenly over a run of the
// given length.
func endedWithin(r *rand.Rand, length time.Duration, n int) []record.Request {
	var out []record.Request
	for range n {
		q := anything(r)
		q.Ended = time.Duration(r.Int64N(int64(length)))
		q.Scheduled = q.Ended - time.Duration(r.Int64N(int64(2*time.Second)))
		out = append(out, q)
	}
	return out
}

// Every answered request is in the interval in which it was answered, also
// when a long run has doubled the intervals' length again and again.
func TestIntervalLog(t *testing.T) {
	start := time.Date(2026, 7, 30, 12, 0, 0, 250_000_000, time.UTC)
	r := rand.New(rand.NewPCG(17, 18))
	tests := []struct {
		run, interval time.Duration
		requests      int
	}{
		{500 * ms, time.Second, 100},
		{30 * time.Second, time.Second, 1000},
		{1800 * time.Second, time.Second, 300},
		{1801 * time.Second, 2 * time.Second, 500},
		{7 * time.Hour, 16 * time.Second, 1000},
	}
	for _, tt := range tests {
		requests := endedWithin(r, tt.run, tt.requests)
		// The last instant of the run decides the intervals' length.
		requests = append(requests, record.Request{Scheduled: tt.run - 2, Ended: tt.run - 1})
		want := map[int64]int64{}
		for _, q := range requests {
			if q.Outcome == record.Answered {
				want[int64(q.Ended/tt.interval)]++
			}
		}
		log := intervalLog(t, start, requests)
		if len(log) != len(want) || len(log) > 3600 {
			t.Errorf("a run of %v has %d intervals, want the %d in which something was answered", tt.run, len(log), len(want))
		}
		for _, h := range log {
			if got := time.Duration(h.EndTimeMs()-h.StartTimeMs()) * ms; got < tt.interval-2*ms || got > tt.interval+2*ms {
				t.Fatalf("an interval of a run of %v lasts %v, want %v", tt.run, got, tt.interval)
			}
			since := time.Duration(h.StartTimeMs()-start.UnixMilli()) * ms
			i := int64((since + 10*ms) / tt.interval) // the log's seconds are printed to the millisecond
			if h.TotalCount() != want[i] {
				t.Fatalf("interval %d of a run of %v holds %d requests, want %d", i, tt.run, h.TotalCount(), want[i])
			}
		}
	}
}

// The log holds the latencies themselves, in nanoseconds, within 0.1 %; what is
// longer than an hour is kept as an hour.
func TestIntervalLogValues(t *testing.T) {
	log := intervalLog(t, time.Now(), []record.Request{
		{Scheduled: 0, Ended: 3 * ms},
		{Scheduled: 0, Ended: 1500 * ms},
		{Scheduled: -5 * time.Hour, Ended: 2500 * ms},
		{Scheduled: 4 * time.Second, Ended: 3500 * ms}, // a clock that ran backwards
		{Scheduled: 0, Ended: 4500 * ms, Outcome: record.TimedOut},
	})
	want := []float64{3e6, 1.5e9, 3600e9, 0}
	if len(log) != len(want) {
		t.Fatalf("%d intervals, want %d", len(log), len(want))
	}
	for i, h := range log {
		if got := float64(h.Max()); h.TotalCount() != 1 || math.Abs(got-want[i]) > 0.001*want[i] {
			t.Errorf("interval %d holds %d requests of at most %v ns, want 1 of %v", i, h.TotalCount(), got, want[i])
		}
	}
}

func TestIntervalLogOfNothing(t *testing.T) {
	if log := intervalLog(t, time.Now(), nil); len(log) != 0 {
		t.Errorf("a run without answers has %d intervals", len(log))
	}
}

// A long run whose latencies are all different stays small: its intervals get longer,
// and every latency is in one.
func TestIntervalsTakeBoundedMemory(t *testing.T) {
	const intervals, each = 300, 10_000
	live := func() uint64 {
		var now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&now)
		return now.HeapAlloc
	}
	dir := filepath.Join(t.TempDir(), "run")
	folder, err := record.CreateFolder(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	before := live()
	for i := range intervals {
		latency := 10 * time.Microsecond
		for range each {
			latency += latency / 1000 // another bucket; from 10 µs to 220 ms
			folder.Add(&record.Request{Outcome: record.Answered, Scheduled: time.Duration(i+1)*time.Second - latency, Ended: time.Duration(i+1)*time.Second - 1})
		}
	}
	if grown := int64(live()) - int64(before); grown > 16<<20 {
		t.Errorf("%d intervals of %d latencies each take %d bytes", intervals, each, grown)
	}
	if err := folder.Commit(record.NewCollector(record.Measured).Run(), time.Now()); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join(dir, record.HistogramFile))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var latencies, longest int64
	for reader := hdrhistogram.NewHistogramLogReader(file); ; {
		h, err := reader.NextIntervalHistogram()
		if err != nil {
			t.Fatal(err)
		}
		if h == nil {
			break
		}
		latencies += h.TotalCount()
		longest = max(longest, h.EndTimeMs()-h.StartTimeMs())
	}
	if latencies != intervals*each || longest < 2000 || longest > 16_000 {
		t.Errorf("%d latencies in intervals of %d ms, want %d in some seconds each", latencies, longest, intervals*each)
	}
}
