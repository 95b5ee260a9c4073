package sim_test

import (
	"context"
	"testing"

	"queuelab/measure/law"
	"queuelab/measure/workload"
	"queuelab/sim"
)

// BenchmarkMM1 is one customer of an M/M/1 queue at ρ = 0.8 in each iteration,
// from its arrival to its place in the histograms.
func BenchmarkMM1(b *testing.B) {
	w := &workload.Workload{Open: true, Rate: 0.8, Requests: int64(b.N), Seed: 1, Drain: 1e18}
	benchmark(b, w, sim.Station{Servers: 1, Service: law.NewExponential(1)})
}

// BenchmarkMMc has four servers.
func BenchmarkMMc(b *testing.B) {
	w := &workload.Workload{Open: true, Rate: 3.2, Requests: int64(b.N), Seed: 1, Drain: 1e18}
	benchmark(b, w, sim.Station{Servers: 4, Service: law.NewExponential(1)})
}

// BenchmarkClosed has 64 clients that think.
func BenchmarkClosed(b *testing.B) {
	w := &workload.Workload{Clients: 64, Think: law.NewExponential(60), Requests: int64(b.N), Seed: 1, Drain: 1e18}
	benchmark(b, w, sim.Station{Servers: 1, Service: law.NewExponential(1)})
}

// BenchmarkTimeouts gives up on some requests.
func BenchmarkTimeouts(b *testing.B) {
	w := &workload.Workload{Open: true, Rate: 0.8, Requests: int64(b.N), Seed: 1, Drain: 1e18, Timeout: 10e9}
	benchmark(b, w, sim.Station{Servers: 1, Service: law.NewExponential(1)})
}

// BenchmarkSharing is M/M/1 with processor sharing.
func BenchmarkSharing(b *testing.B) {
	w := &workload.Workload{Open: true, Rate: 0.8, Requests: int64(b.N), Seed: 1, Drain: 1e18}
	benchmark(b, w, sim.Station{Servers: 1, Service: law.NewExponential(1), Discipline: "ps"})
}

// BenchmarkStalls freezes once for some 50 requests.
func BenchmarkStalls(b *testing.B) {
	w := &workload.Workload{Open: true, Rate: 0.5, Requests: int64(b.N), Seed: 1, Drain: 1e18, Stall: workload.Stall{Length: 10e9, Period: 100e9}}
	benchmark(b, w, sim.Station{Servers: 1, Service: law.NewExponential(1)})
}

// BenchmarkRetries sends some requests again.
func BenchmarkRetries(b *testing.B) {
	w := &workload.Workload{Open: true, Rate: 0.3, Requests: int64(b.N), Seed: 1, Drain: 1e18, Retry: workload.Retry{After: 3e9, Copies: 3}}
	benchmark(b, w, sim.Station{Servers: 1, Service: law.NewExponential(1)})
}

func benchmark(b *testing.B, w *workload.Workload, s sim.Station) {
	b.ReportAllocs()
	if _, err := sim.Run(context.Background(), w, s, sim.Options{}); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "customers/s")
}
