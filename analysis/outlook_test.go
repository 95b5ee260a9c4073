package analysis

import (
	"math"
	"testing"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

func TestQuantileGrid(t *testing.T) {
	got := QuantileGrid(1000, 2)
	for i, want := range []float64{0, 0.683772, 0.9, 0.968377, 0.99, 0.996838, 0.999} {
		if math.Abs(got[i]-want) > 1e-6 {
			t.Errorf("quantile %d is %g, want %g", i, got[i], want)
		}
	}
	if len(got) != 7 {
		t.Errorf("%d quantiles, want 7: none beyond 1 − 1/n", len(got))
	}
}

// A value must come back under the name it was seen under.
func TestOutlookKeepsEveryValueInItsPlace(t *testing.T) {
	w := workload.Workload{Open: true, Rate: 100, Arrivals: workload.Even, Length: 2 * time.Second, Drain: time.Second, Seed: 1}
	v := View{Quantiles: []float64{0, 0.5, 0.9}, Cell: 500 * ms, Cells: 5}
	o, err := constant(0.004, ms).Outlook(t.Context(), w, v, 3)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]float64{"throughput": 100, "mean": 5, "p50": 5, "max": 5, "failed": 0, "copies": 200} {
		if got := float64(o.Figures[key].Value); math.Abs(got-want) > 0.01*want {
			t.Errorf("%s is %g, want %g", key, got, want)
		}
	}
	if len(o.Percentiles) != 3 || len(o.Course) != 5 {
		t.Fatalf("%d percentiles and %d cells, want 3 and 5", len(o.Percentiles), len(o.Course))
	}
	for i, p := range o.Percentiles {
		if math.Abs(float64(p.Value)-5) > 0.01 {
			t.Errorf("percentile %d is %v ms, want 5", i, p.Value)
		}
	}
	for i, want := range []Moment[record.Value]{
		{0.25, 100, 100, 0, 5}, {0.75, 100, 100, 0, 5}, {1.25, 100, 100, 0, 5}, {1.75, 100, 100, 0, 5},
		{2.25, 0, 0, 0, record.Unknown()},
	} {
		got := o.Course[i]
		if got.T != want.T || got.Goodput.Value != want.Goodput || got.Attempts.Value != want.Attempts || got.Failures.Value != want.Failures {
			t.Errorf("cell %d is %+v, want %+v", i, got, want)
		}
		if got.Latency.Value.Known() != want.Latency.Known() || want.Latency.Known() && math.Abs(float64(got.Latency.Value-want.Latency)) > 0.01 {
			t.Errorf("cell %d has a latency of %v ms, want %v", i, got.Latency.Value, want.Latency)
		}
	}
	if o.Collapse != nil {
		t.Error("a server that never stalls has a probability of collapse")
	}
}
