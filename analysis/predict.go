package analysis

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
	"queuelab/sim"
)

// Model stands for a server: a first-come first-served queue, and a fixed delay
// outside of it.
type Model struct {
	Service   law.Law
	Servers   int
	Delay     time.Duration // part of latency, occupies nothing
	MeanError float64       // standard error of the mean service time, relative to it
}

// Capacity is the highest throughput in requests per second.
func (m Model) Capacity() float64 { return float64(m.Servers) / m.Service.Mean() }

// Estimate is a predicted value and the band in which 95 % of runs are expected.
type Estimate struct {
	Value record.Value `json:"value"`
	Lo    record.Value `json:"lo"`
	Hi    record.Value `json:"hi"`
}

// Prediction is what the model says about a workload: a run's figures over
// replications. Times are milliseconds; a figure that no replication could
// support is unknown.
type Prediction struct {
	Mean       Estimate `json:"mean_ms"`
	P99        Estimate `json:"p99_ms"`
	Throughput Estimate `json:"throughput_per_s"`
}

// Replay simulates exactly the workload: the arrivals of its seed, the same
// length, and its service times where they travel with the requests.
func (m Model) Replay(ctx context.Context, w workload.Workload) (Replayed, error) {
	if !w.Open && m.Delay > 0 {
		// For the queue, time outside it is think time.
		w.Think = law.NewDeterministic(m.Delay.Seconds())
	}
	station := sim.Station{Servers: m.Servers}
	if w.Service == nil {
		station.Service = m.Service
	}
	run, err := sim.Run(ctx, &w, station, sim.Options{})
	if err != nil {
		return Replayed{}, fmt.Errorf("the prediction could not be simulated: %w", err)
	}
	if run.Interrupted {
		return Replayed{}, fmt.Errorf("the prediction was cut short: %w", context.Cause(ctx))
	}
	out := Replayed{Latency: run.Latency, Throughput: run.Throughput}
	for key, v := range out.Latency {
		out.Latency[key] = v + record.Milliseconds(m.Delay)
	}
	return out, nil
}

// Replayed is what a simulated run says of the server's client: its latencies,
// the delay included, and its throughput.
type Replayed struct {
	Latency    record.Quantities `json:"latency_ms"`
	Throughput record.Value      `json:"throughput_per_s"`
}

// Predict replicates the workload under seeds of their own. Each replication
// draws its mean service time from the calibration's uncertainty, so that the
// band holds both a run's chance and the calibration's.
func (m Model) Predict(ctx context.Context, w workload.Workload, replications int) (Prediction, error) {
	var mean, p99, throughput []float64
	seed := w.Seed
	for i := range replications {
		draws := workload.Stream(seed, "prediction", i)
		replica := m
		replica.Service = law.Scaled(m.Service, max(1+m.MeanError*draws.NormFloat64(), 0.1))
		w.Seed = draws.Uint64()
		run, err := replica.Replay(ctx, w)
		if err != nil {
			return Prediction{}, err
		}
		mean = appendKnown(mean, run.Latency.Get("mean"))
		p99 = appendKnown(p99, run.Latency.Get("p99"))
		throughput = appendKnown(throughput, run.Throughput)
	}
	return Prediction{estimate(mean, replications), estimate(p99, replications), estimate(throughput, replications)}, nil
}

func appendKnown(values []float64, v record.Value) []float64 {
	if v.Known() {
		values = append(values, float64(v))
	}
	return values
}

// support is the share of replications that a figure needs. Fewer than nearly
// all would be a selection: a short run has a p99 only when many requests came.
const support = 0.95

// estimate is the median with the central 95 %, unknown without support.
func estimate(values []float64, replications int) Estimate {
	if float64(len(values)) < support*float64(replications) {
		return Estimate{record.Unknown(), record.Unknown(), record.Unknown()}
	}
	slices.Sort(values)
	at := func(q float64) record.Value { return record.Value(stat.Quantile(q, stat.Empirical, values, nil)) }
	return Estimate{Value: at(0.5), Lo: at(0.025), Hi: at(0.975)}
}
