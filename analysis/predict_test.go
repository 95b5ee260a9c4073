package analysis

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/workload"
)

// constant is a model with a deterministic service time.
func constant(service float64, delay time.Duration) Model {
	return Model{Service: law.NewDeterministic(service), Servers: 1, Delay: delay}
}

func TestReplayOfAnIdleServerIsServiceAndDelay(t *testing.T) {
	m := constant(0.004, time.Millisecond)
	w := workload.Workload{Open: true, Rate: 100, Arrivals: workload.Even, Length: 10 * time.Second, Drain: time.Minute, Seed: 1}
	run, err := m.Replay(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"mean", "p50", "p99", "max"} {
		if got := float64(run.Latency.Get(key)); math.Abs(got-5) > 0.005 {
			t.Errorf("%s = %g ms, want 5", key, got)
		}
	}
}

func TestReplayClosed(t *testing.T) {
	// One client: 1/(S+Z); many: 1/S, and latency N·S in all.
	m := constant(0.004, time.Millisecond)
	for _, c := range []struct {
		clients          int
		throughput, mean float64
	}{{1, 200, 5}, {8, 250, 32}} {
		w := workload.Workload{Clients: c.clients, Requests: 20000, Drain: time.Minute, Seed: 1}
		run, err := m.Replay(context.Background(), w)
		if err != nil {
			t.Fatal(err)
		}
		if got := float64(run.Throughput); math.Abs(got/c.throughput-1) > 0.002 {
			t.Errorf("N=%d: throughput %g, want %g", c.clients, got, c.throughput)
		}
		if got := float64(run.Latency.Get("mean")); math.Abs(got/c.mean-1) > 0.002 {
			t.Errorf("N=%d: mean %g ms, want %g", c.clients, got, c.mean)
		}
	}
}

// The band must hold the calibration's uncertainty: with a constant service
// time and even arrivals nothing else varies.
func TestPredictResamplesTheCalibration(t *testing.T) {
	m := constant(0.004, 0)
	w := workload.Workload{Open: true, Rate: 100, Arrivals: workload.Even, Length: 10 * time.Second, Drain: time.Minute, Seed: 1}
	exact, err := m.Predict(context.Background(), w, 40)
	if err != nil {
		t.Fatal(err)
	}
	if exact.Mean.Hi-exact.Mean.Lo > 0.001 {
		t.Errorf("a certain model has the band %v", exact.Mean)
	}
	m.MeanError = 0.05
	unsure, err := m.Predict(context.Background(), w, 40)
	if err != nil {
		t.Fatal(err)
	}
	// ±1.96·5 % of 4 ms is a band of 0.78 ms.
	if width := float64(unsure.Mean.Hi - unsure.Mean.Lo); width < 0.4 || width > 1.3 {
		t.Errorf("band of %g ms, want about 0.8", width)
	}
	if !(unsure.Mean.Lo < 4 && 4 < unsure.Mean.Hi) {
		t.Errorf("the band %v leaves out the model's own mean", unsure.Mean)
	}
}

func TestPredictLeavesOutWhatNoRunSupports(t *testing.T) {
	m := constant(0.004, 0)
	w := workload.Workload{Open: true, Rate: 10, Length: time.Second, Drain: time.Minute, Seed: 1}
	p, err := m.Predict(context.Background(), w, 5)
	if err != nil {
		t.Fatal(err)
	}
	if p.P99.Value.Known() || !p.Mean.Value.Known() {
		t.Errorf("from ten requests: p99 %v, mean %v; want an unknown p99 and a known mean", p.P99.Value, p.Mean.Value)
	}
}

func TestPredictStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w := workload.Workload{Open: true, Rate: 100, Requests: 1_000_000_000, Drain: time.Minute, Seed: 1}
	if _, err := constant(0.004, 0).Predict(ctx, w, 1000); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
}
