package validity

import (
	"testing"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// What a watch holds is bounded, whatever the run: a million requests in a second, and
// in eleven days, within the sizes that the constants promise.
func TestMemoryIsBounded(t *testing.T) {
	for _, gap := range []time.Duration{time.Microsecond, time.Second} {
		w := NewWatch(&workload.Workload{Open: true, Rate: 1, Requests: 1})
		for i := range int64(1_000_000) {
			at := time.Duration(i) * gap
			w.Add(&record.Request{Number: i, Scheduled: at, Sent: at, Ended: at + time.Second})
		}
		for name, c := range map[string]cells{"course": w.course, "sends": w.sends, "ends": w.ends, "peak": w.peak.sends} {
			if cap(c.cells) > 2*c.most {
				t.Errorf("requests %v apart: the %s take %d cells of %d", gap, name, cap(c.cells), c.most)
			}
		}
		if cap(w.gaps.pairs) > 2*mostGaps {
			t.Errorf("requests %v apart: %d gaps of %d", gap, cap(w.gaps.pairs), mostGaps)
		}
		// Bounded does not mean lost: at least half of the places are in use.
		if n := len(w.sends.cells); n < sendCells/2 {
			t.Errorf("requests %v apart: sends are resolved to %d cells only", gap, n)
		}
		if sent, _ := w.gaps.sample(); len(sent) < mostGaps/2-1 {
			t.Errorf("requests %v apart: only %d gaps", gap, len(sent))
		}
		if n := w.sends.until(1 << 62); n != 1_000_000 {
			t.Errorf("requests %v apart: the cells hold %d of 1,000,000", gap, n)
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 9412: "9,412", 1234567: "1,234,567", -5: "-5", -999: "-999", -1000: "-1,000"} {
		if got := grouped(n); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.01234: "0.0123", 5: "5", 99.95: "100", 999.4: "999", 7342.6: "7,343", -1234: "-1,234", 1e20: "1e+20"} {
		if got := number(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
	for p, want := range map[float64]string{0.0046: "p = 0.005", 0.00099: "p < 0.001", 0.2: "p = 0.2"} {
		if got := chance(p); got != want {
			t.Errorf("%v is written %s, want %s", p, got, want)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	w := NewWatch(&workload.Workload{Open: true, Rate: 1, Requests: 1})
	b.ReportAllocs()
	for i := range int64(b.N) {
		at := time.Duration(i) * 10 * time.Microsecond
		w.Add(&record.Request{Number: i, Scheduled: at, Sent: at, Ended: at + time.Millisecond})
	}
}
