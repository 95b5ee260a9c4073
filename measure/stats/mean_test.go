package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"queuelab/measure/stats"
)

// Half widths with Student's t from published tables: t(0.975; 1) = 12.706,
// t(0.975; 4) = 2.7764, t(0.95; 4) = 2.1318.
func TestMeanInterval(t *testing.T) {
	fives := []float64{1, 2, 3, 4, 5} // standard deviation √2.5
	tests := []struct {
		values     []float64
		level      float64
		mean, half float64
	}{
		{[]float64{1, 3}, 0.95, 2, 12.706205},
		{fives, 0.95, 3, 2.776445 * math.Sqrt(2.5) / math.Sqrt(5)},
		{fives, 0.90, 3, 2.131847 * math.Sqrt(2.5) / math.Sqrt(5)},
		{[]float64{7, 7, 7}, 0.95, 7, 0},
		{[]float64{4}, 0.95, 4, math.Inf(1)},
	}
	for _, tt := range tests {
		mean, half := stats.MeanInterval(tt.values, tt.level)
		if mean != tt.mean || half != tt.half && math.Abs(half-tt.half) > 1e-5*tt.half {
			t.Errorf("MeanInterval(%v, %v) = %v ± %v, want %v ± %v", tt.values, tt.level, mean, half, tt.mean, tt.half)
		}
	}
	if mean, half := stats.MeanInterval(nil, 0.95); !math.IsNaN(mean) || !math.IsInf(half, 1) {
		t.Errorf("without values the interval is %v ± %v, want it unknown", mean, half)
	}
}

// The interval covers the true mean as often as its level says.
func TestMeanIntervalCovers(t *testing.T) {
	const trials = 20_000
	r := rand.New(rand.NewPCG(1, 2))
	hits := 0
	values := make([]float64, 6)
	for range trials {
		for i := range values {
			values[i] = 10 + r.NormFloat64()
		}
		if mean, half := stats.MeanInterval(values, 0.9); math.Abs(mean-10) <= half {
			hits++
		}
	}
	if got := float64(hits) / trials; math.Abs(got-0.9) > 5*math.Sqrt(0.9*0.1/trials) {
		t.Errorf("the 90 %% interval covers the mean in %.4f of the trials", got)
	}
}
