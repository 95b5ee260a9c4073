package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"queuelab/measure/stats"
)

// TestBatchesCoverage draws independent exponential times, whose mean and
// quantiles are known, and asks how often the 95 % intervals hold them.
func TestBatchesCoverage(t *testing.T) {
	const runs, scale = 200, 1e6
	truths := map[float64]float64{0.5: scale * math.Ln2, 0.9: scale * math.Log(10), 0.99: scale * math.Log(100)}
	hits := map[float64]int{}
	meanHits := 0
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 1))
		b := stats.NewBatches()
		for range 3000 + int(seed) {
			b.Add(int64(r.ExpFloat64() * scale))
		}
		if mean, half := b.Mean(0.95); math.Abs(mean-scale) <= half {
			meanHits++
		}
		for q, truth := range truths {
			lo, hi, ok := b.Quantile(q, 0.95)
			if !ok || !(lo <= hi) {
				t.Fatalf("seed %d: p%v is [%v, %v], %v", seed, 100*q, lo, hi, ok)
			}
			if lo <= truth && truth <= hi {
				hits[q]++
			}
		}
	}
	// Binomial(200, 0.95) has a standard error of 1.5 %.
	check := func(what string, n int) {
		if share := float64(n) / runs; share < 0.9 || share > 0.995 {
			t.Errorf("%s: the interval holds the truth in %.1f %% of runs, want about 95", what, 100*share)
		}
	}
	check("mean", meanHits)
	for q, n := range hits {
		check(fmt.Sprintf("p%v", 100*q), n)
	}
}

// TestBatchesCorrelated asserts that values that depend on those before them
// widen the interval: each one here is repeated ten times, which leaves a tenth
// of the information.
func TestBatchesCorrelated(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	free, repeated := stats.NewBatches(), stats.NewBatches()
	for range 20000 {
		free.Add(int64(r.ExpFloat64() * 1e6))
	}
	for range 2000 {
		v := int64(r.ExpFloat64() * 1e6)
		for range 10 {
			repeated.Add(v)
		}
	}
	_, narrow := free.Mean(0.95)
	_, wide := repeated.Mean(0.95)
	if ratio := wide / narrow; ratio < 2 || ratio > 5 {
		t.Errorf("half widths %v and %v have a ratio of %v, want about √10", narrow, wide, ratio)
	}
}

// TestBatchesExact compares mean and quantiles with the sorted values, across
// the sizes at which batches merge.
func TestBatchesExact(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{512, 1023, 1024, 1025, 2048, 5000, 70_000} {
		b := stats.NewBatches()
		values := make([]float64, n)
		sum := 0.0
		for i := range values {
			v := int64(math.Exp(r.Float64() * 30))
			values[i] = float64(v)
			sum += float64(v)
			b.Add(v)
		}
		slices.Sort(values)
		if mean, half := b.Mean(0.95); math.Abs(mean/(sum/float64(n))-1) > 1e-12 || !(half > 0) || math.IsInf(half, 1) {
			t.Errorf("n = %d: mean %v ± %v, want %v", n, mean, half, sum/float64(n))
		}
		for _, q := range []float64{0.1, 0.5, 0.9} {
			lo, hi, ok := b.Quantile(q, 0.95)
			exact := values[int(math.Ceil(q*float64(n)))-1]
			if !ok || lo > exact*1.005 || hi < exact*0.995 {
				t.Errorf("n = %d: p%v in [%v, %v], %v, but it is %v", n, 100*q, lo, hi, ok, exact)
			}
		}
	}
}

func TestBatchesEdges(t *testing.T) {
	b := stats.NewBatches()
	if mean, half := b.Mean(0.95); mean != 0 || !math.IsInf(half, 1) {
		t.Errorf("empty: mean %v ± %v", mean, half)
	}
	for range 511 {
		b.Add(5_000_000)
	}
	if _, _, ok := b.Quantile(0.5, 0.95); ok || b.Resolved() {
		t.Error("511 values gave an interval")
	}
	b.Add(5_000_000)
	if lo, hi, ok := b.Quantile(0.5, 0.95); !ok || lo != 5e6 || hi != 5e6 {
		t.Errorf("a constant has the interval [%v, %v], %v", lo, hi, ok)
	}
	if mean, half := b.Mean(0.95); mean != 5e6 || half != 0 {
		t.Errorf("a constant has the mean %v ± %v", mean, half)
	}
	b.Add(-1)
	b.Add(math.MaxInt64)
	if lo, hi, ok := b.Quantile(0.5, 0.95); !ok || lo > 5e6 || hi < 5e6 {
		t.Errorf("extremes moved the median to [%v, %v], %v", lo, hi, ok)
	}
	b = stats.NewBatches()
	for range 512 {
		b.Add(math.MaxInt64)
	}
	if lo, hi, ok := b.Quantile(0.5, 0.95); !ok || lo != math.MaxInt64 || hi != math.MaxInt64 {
		t.Errorf("the largest values have the interval [%v, %v], %v", lo, hi, ok)
	}
	// p99.99 of a thousand values lies beyond what they can say.
	r := rand.New(rand.NewPCG(3, 3))
	b = stats.NewBatches()
	for range 1024 {
		b.Add(int64(r.ExpFloat64() * 1e6))
	}
	if lo, hi, ok := b.Quantile(0.9999, 0.95); ok {
		t.Errorf("p99.99 of 1024 values has the interval [%v, %v]", lo, hi)
	}
}

func BenchmarkBatchesAdd(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var values [4096]int64
	for i := range values {
		values[i] = int64(r.ExpFloat64() * 5e9)
	}
	batches := stats.NewBatches()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		batches.Add(values[i&4095])
	}
}
