package peer

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// from is an instant in nanoseconds since 1970 that no float64 holds.
const from = 1790000000123456789

// even are n instants of an even schedule at 1,000/s.
func even(n int) []int64 {
	stamps := make([]int64, n)
	for k := range stamps {
		stamps[k] = from + int64(k)*1_000_000
	}
	return stamps
}

func judged(t *testing.T, stamps []int64, rate float64) Lateness {
	t.Helper()
	l, err := judge(stamps, rate)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(1, math.Abs(b)) }

func TestPunctualRunIsNeverLate(t *testing.T) {
	l := judged(t, even(2000), 1000)
	if l.Requests != 2000 || !near(l.Offered, 1000) || !near(l.SCV, 0) || !near(l.Max, 0) || !near(l.P50, 0) {
		t.Errorf("a punctual run is judged %+v", l)
	}
}

// One request in four leaves 80 µs late, one in a hundred 700 µs.
func TestLatenessOfSomeRequests(t *testing.T) {
	stamps := even(1000)
	for k := range stamps {
		switch {
		case k%100 == 50:
			stamps[k] += 700_000
		case k%4 == 1:
			stamps[k] += 80_000
		}
	}
	l := judged(t, stamps, 1000)
	if !near(l.P50, 0) || !near(l.P90, 80) || !near(l.P99, 80) || !near(l.Max, 700) {
		t.Errorf("p50 %v p90 %v p99 %v max %v, want 0, 80, 80, 700", l.P50, l.P90, l.P99, l.Max)
	}
	if len(l.Sorted) != points || l.Sorted[points-1] != l.Max || l.Sorted[points/2-1] != l.P50 {
		t.Errorf("%d quantiles up to %v with the median %v", len(l.Sorted), l.Sorted[points-1], l.Sorted[points/2-1])
	}
}

// A tool that sends at half the rate is ever later: by k gaps at its k-th request.
func TestMissedRateIsLateness(t *testing.T) {
	l := judged(t, even(1001), 2000)
	if !near(l.Offered, 1000) || !near(l.Max, 1000*500) || !near(l.P50, 500*500) {
		t.Errorf("offered %v, p50 %v, max %v, want 1000, 250000, 500000", l.Offered, l.P50, l.Max)
	}
}

// Gaps of 1 and 3 ms in turn: mean 2, variance 1 (with n-1: 1·n/(n-1)), so SCV 1/4.
func TestSCVOfTwoGaps(t *testing.T) {
	stamps := []int64{from}
	for k := range 10_000 {
		stamps = append(stamps, stamps[k]+int64(1+2*(k%2))*1_000_000)
	}
	if l := judged(t, stamps, 500); math.Abs(l.SCV-0.25) > 1e-3 || !near(l.Offered, 500) {
		t.Errorf("SCV %v at %v/s, want 0.25 at 500/s", l.SCV, l.Offered)
	}
}

func TestJudgementDoesNotDependOnOrderOrStart(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		stamps := even(3 + r.IntN(1500))
		for k := range stamps {
			stamps[k] += int64(r.ExpFloat64() * 500_000)
		}
		want := judged(t, stamps, 1000)
		moved := slices.Clone(stamps)
		r.Shuffle(len(moved), func(i, j int) { moved[i], moved[j] = moved[j], moved[i] })
		for k := range moved {
			moved[k] += 987654321
		}
		got := judged(t, moved, 1000)
		if !slices.Equal(got.Sorted, want.Sorted) || got.P99 != want.P99 || got.SCV != want.SCV {
			t.Fatalf("%+v became %+v", want, got)
		}
		if len(want.Sorted) != min(points, len(stamps)) || !slices.IsSorted(want.Sorted) || want.Sorted[0] < 0 {
			t.Fatalf("%d quantiles of %d requests from %v", len(want.Sorted), len(stamps), want.Sorted[0])
		}
		if want.P50 > want.P90 || want.P90 > want.P99 || want.P99 > want.Max || want.Sorted[len(want.Sorted)-1] != want.Max {
			t.Fatalf("p50 %v p90 %v p99 %v max %v", want.P50, want.P90, want.P99, want.Max)
		}
	}
}

func TestNearestRank(t *testing.T) {
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(i + 1)
	}
	for q, want := range map[float64]float64{0.001: 1, 0.01: 1, 0.07: 7, 0.071: 8, 0.5: 50, 0.99: 99, 0.995: 100, 1: 100} {
		if got := nearest(values, q); got != want {
			t.Errorf("the %v quantile of 1..100 is %v, want %v", q, got, want)
		}
	}
}

func TestTooFewToJudge(t *testing.T) {
	for _, stamps := range [][]int64{nil, even(2), {from, from, from}} {
		if l, err := judge(stamps, 1000); err == nil {
			t.Errorf("%v is judged %+v", stamps, l)
		}
	}
}
