package analysis

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
	"queuelab/sim"
)

// Model stands for a server: a queue, and a fixed delay outside of it.
type Model struct {
	Service    law.Law
	Servers    int
	Discipline string        // of the queue, as sim.Station has it
	Delay      time.Duration // part of latency, occupies nothing
	MeanError  float64       // standard error of the mean service time, relative to it
}

// Capacity is the highest throughput in requests per second.
func (m Model) Capacity() float64 { return float64(m.Servers) / m.Service.Mean() }

// Estimate is a predicted value and the band in which 95 % of runs are expected.
type Estimate struct {
	Value record.Value `json:"value"`
	Lo    record.Value `json:"lo"`
	Hi    record.Value `json:"hi"`
}

// Replayed is what a simulated run says of the server's client: its latencies,
// the delay included, its throughput, and what became of its requests.
type Replayed struct {
	Latency    record.Quantities `json:"latency_ms"`
	Throughput record.Value      `json:"throughput_per_s"`
	Requests   record.Counts     `json:"requests"`
}

// Replay simulates exactly the workload: the arrivals of its seed, the same
// length, and its service times where they travel with the requests. The sinks
// receive every request as the client sees it, the delay included. Timeouts and
// retries run at the queue, where answers are the delay too early: that is a
// fraction of a millisecond where a server is on the same machine.
func (m Model) Replay(ctx context.Context, w workload.Workload, sinks ...record.Sink) (Replayed, error) {
	if !w.Open && m.Delay > 0 {
		// For the queue, time outside it is think time.
		w.Think = law.NewDeterministic(m.Delay.Seconds())
	}
	station := sim.Station{Servers: m.Servers, Discipline: m.Discipline}
	if w.Service == nil {
		station.Service = m.Service
	}
	var clients []record.Sink
	for _, s := range sinks {
		clients = append(clients, delayed{s, m.Delay})
	}
	run, err := sim.Run(ctx, &w, station, sim.Options{Sinks: clients})
	if err != nil {
		return Replayed{}, fmt.Errorf("the prediction could not be simulated: %w", err)
	}
	if run.Interrupted {
		return Replayed{}, fmt.Errorf("the prediction was cut short: %w", context.Cause(ctx))
	}
	// Replications are pooled, whatever each of them supports.
	out := Replayed{Latency: run.NearestRank, Throughput: run.Throughput, Requests: run.Requests}
	for key, v := range out.Latency {
		out.Latency[key] = v + record.Milliseconds(m.Delay)
	}
	return out, nil
}

// delayed passes answers on as they reach a client behind a fixed delay. The end
// of a request that was not answered is the client's own doing.
type delayed struct {
	to    record.Sink
	delay time.Duration
}

func (d delayed) Add(r *record.Request) {
	seen := *r
	if seen.Outcome == record.Answered {
		seen.Ended += d.delay
	}
	d.to.Add(&seen)
}

// Ensemble simulates the workload under seeds of their own and estimates every
// value that read takes from a replication; all replications give equally many,
// NaN for what one does not know. Each draws its mean service time from the
// calibration's uncertainty, so that a band holds both a run's chance and the
// calibration's.
func (m Model) Ensemble(ctx context.Context, w workload.Workload, replications int, read func(Model, workload.Workload) ([]float64, error)) ([]Estimate, error) {
	var values [][]float64 // by value, of all replications
	seed := w.Seed
	for i := range replications {
		draws := workload.Stream(seed, "prediction", i)
		replica := m
		replica.Service = law.Scaled(m.Service, max(1+m.MeanError*draws.NormFloat64(), 0.1))
		w.Seed = draws.Uint64()
		vector, err := read(replica, w)
		if err != nil {
			return nil, err
		}
		if values == nil {
			values = make([][]float64, len(vector))
		}
		for j, v := range vector {
			if !math.IsNaN(v) {
				values[j] = append(values[j], v)
			}
		}
	}
	out := make([]Estimate, len(values))
	for j := range values {
		out[j] = estimate(values[j], replications)
	}
	return out, nil
}

// Prediction is what the model says about a workload: a run's figures over
// replications. Times are milliseconds; a figure that no replication could
// support is unknown.
type Prediction struct {
	Mean       Estimate `json:"mean_ms"`
	P99        Estimate `json:"p99_ms"`
	Throughput Estimate `json:"throughput_per_s"`
}

// Predict is an ensemble of mean and p99 of latency and of throughput.
func (m Model) Predict(ctx context.Context, w workload.Workload, replications int) (Prediction, error) {
	e, err := m.Ensemble(ctx, w, replications, func(replica Model, w workload.Workload) ([]float64, error) {
		run, err := replica.Replay(ctx, w)
		return []float64{float64(run.Latency.Get("mean")), float64(run.Latency.Get("p99")), float64(run.Throughput)}, err
	})
	if err != nil {
		return Prediction{}, err
	}
	return Prediction{Mean: e[0], P99: e[1], Throughput: e[2]}, nil
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
