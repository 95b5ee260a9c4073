package record_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"queuelab/measure/record"
)

// times draws n times whose sizes spread over many powers of ten.
func times(r *rand.Rand, n int) []time.Duration {
	out := make([]time.Duration, n)
	for i := range out {
		out[i] = time.Duration(math.Exp(r.Float64()*28 - 1)) // 0 to some 530 s
	}
	return out
}

func histogramOf(values []time.Duration) *record.Histogram {
	h := record.NewHistogram()
	for _, v := range values {
		h.Add(v)
	}
	return h
}

// Quantiles are the nearest-rank values of the sorted times, ⌈qn⌉, to 0.1 %.
func TestQuantilesAreNearestRank(t *testing.T) {
	percent := []int{1, 10, 50, 75, 90, 99, 100}
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 10, 99, 100, 101, 1000, 12_345} {
		values := times(r, n)
		var qs []float64
		for _, p := range percent {
			qs = append(qs, float64(p)/100)
		}
		got := histogramOf(values).Quantiles(qs...)
		slices.Sort(values)
		for i, p := range percent {
			rank := (p*n + 99) / 100 // ⌈pn/100⌉ in whole numbers
			want := values[rank-1]
			if math.Abs(float64(got[i]-want)) > 0.001*float64(want) {
				t.Errorf("n = %d: the %d %% quantile is %d ns, want %d, the value of rank %d, within 0.1 %%", n, p, got[i], want, rank)
			}
		}
	}
}

func TestQuantilesAreMonotonic(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	qs := make([]float64, 1000)
	for i := range qs {
		qs[i] = float64(i+1) / 1000
	}
	for range 20 {
		h := histogramOf(times(r, 1+r.IntN(3000)))
		got := h.Quantiles(qs...)
		if !slices.IsSorted(got) {
			t.Fatal("the quantiles of a histogram are not in order")
		}
		if last := got[len(got)-1]; last > h.Max() {
			t.Fatalf("the largest quantile %v is above the maximum %v", last, h.Max())
		}
	}
}

// A few slow requests among many millions are found at their exact rank.
func TestQuantileRanksOfManyTimes(t *testing.T) {
	h := record.NewHistogram()
	const n = 20_000_099 // 0.99·n = 19,800,098.01, so the rank is 19,800,099
	const slow = n - 19_800_098
	for range n - slow {
		h.Add(time.Millisecond)
	}
	for range slow {
		h.Add(time.Second)
	}
	if got := h.Quantiles(0.99)[0]; got < 999*time.Millisecond {
		t.Errorf("with %d of %d times at 1 s the 99 %% quantile is %v", slow, n, got)
	}
}

func TestHistogramIsExactWhereItSays(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	values := times(r, 10_000)
	h := histogramOf(values)
	sum := 0.0
	for _, v := range values {
		sum += float64(v)
	}
	if h.Count() != 10_000 || h.Max() != slices.Max(values) || h.Overflow() != 0 {
		t.Errorf("count %d, max %v, overflow %d; want 10000, %v, 0", h.Count(), h.Max(), h.Overflow(), slices.Max(values))
	}
	if want := time.Duration(math.Round(sum / 10_000)); h.Mean() != want {
		t.Errorf("the mean is %v, want %v", h.Mean(), want)
	}
	if math.Abs(h.Sum()-sum/1e9) > 1e-9 {
		t.Errorf("the sum is %v s, want %v", h.Sum(), sum/1e9)
	}
}

// Times beyond an hour are counted, not lost, and keep the maximum.
func TestOverflow(t *testing.T) {
	h := histogramOf([]time.Duration{time.Second, time.Hour, time.Hour + 1, 1000 * time.Hour, math.MaxInt64})
	if h.Count() != 5 || h.Overflow() != 3 || h.Max() != math.MaxInt64 {
		t.Errorf("count %d, overflow %d, max %d; want 5, 3 and the longest time there is", h.Count(), h.Overflow(), h.Max())
	}
	if q := h.Quantiles(0.2, 0.9); q[0] > 1001*time.Millisecond || q[1] < 3596*time.Second {
		t.Errorf("the quantiles are %v, want 1 s and about an hour", q)
	}
}

func TestHistogramEdges(t *testing.T) {
	h := record.NewHistogram()
	if q := h.Quantiles(0.5, 0.99); h.Count() != 0 || h.Mean() != 0 || h.Max() != 0 || q[0] != 0 || q[1] != 0 {
		t.Errorf("an empty histogram has count %d, mean %v, max %v, quantiles %v", h.Count(), h.Mean(), h.Max(), q)
	}
	h = histogramOf([]time.Duration{0, -5})
	if h.Count() != 2 || h.Mean() != 0 || h.Max() != 0 || h.Quantiles(1)[0] != 0 {
		t.Errorf("zero and a negative time give count %d, mean %v, max %v, want 2 zeros", h.Count(), h.Mean(), h.Max())
	}
}
