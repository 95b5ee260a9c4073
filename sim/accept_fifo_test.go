package sim_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
	"queuelab/sim"
)

// endings are the instants at which requests ended, in order.
func endings(all []record.Request) (at []time.Duration) {
	for i := range all {
		at = append(at, all[i].Ended)
	}
	slices.Sort(at)
	return at
}

// TestAcceptAgainstFIFO: the worker never rests while there is work, so that with
// equal services the answers fall on the very instants of FIFO, whatever stalls
// there are; only whose they are differs. With them agree the number in system
// at each instant, and the mean latency.
func TestAcceptAgainstFIFO(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	overtaking := 0
	for i := range 60 {
		w := &workload.Workload{Open: true, Rate: 50 + 180*r.Float64(), Requests: 1000, Drain: time.Hour, Seed: r.Uint64()}
		if kind := i % 3; kind > 0 {
			w.Stall.Kind = []workload.StallKind{workload.Freeze, workload.Lock}[kind-1]
			w.Stall.Length = 1 + time.Duration(r.Int64N(1e9))
			w.Stall.Period = w.Stall.Length + 1 + time.Duration(r.Int64N(3e9))
		}
		fifo, _ := requests(t, w, sim.Station{Servers: 1, Service: det(4 * ms)}, sim.Options{})
		accept, _ := requests(t, w, sim.Station{Servers: 1, Service: det(4 * ms), Discipline: "accept:1000"}, sim.Options{})
		if !slices.Equal(endings(fifo), endings(accept)) {
			t.Fatalf("run %d of seed %d at %v/s with stalls %v: the answers do not fall on FIFO's instants", i, w.Seed, w.Rate, w.Stall)
		}
		if !slices.Equal(fifo, accept) {
			overtaking++
		}
	}
	if overtaking < 20 {
		t.Errorf("only %d of 60 runs have another order than FIFO: the test tests nothing", overtaking)
	}
}

// TestAcceptClosed: closed clients have a connection each from the start, so
// that nothing is to be accepted, and the loop takes them as they come.
func TestAcceptClosed(t *testing.T) {
	for _, think := range []law.Law{nil, law.NewExponential(0.01)} {
		// Fewer than the 1,000 requests after which a connection is closed.
		w := &workload.Workload{Clients: 8, Think: think, Requests: 900, Drain: time.Hour, Seed: 3,
			Stall: workload.Stall{Length: 50 * ms, Period: time.Second}}
		fifo, _ := requests(t, w, sim.Station{Servers: 1, Service: law.NewExponential(0.004)}, sim.Options{})
		accept, _ := requests(t, w, sim.Station{Servers: 1, Service: law.NewExponential(0.004), Discipline: "accept:511"}, sim.Options{})
		if !slices.Equal(fifo, accept) {
			t.Errorf("think time %v: not the same run as FIFO's", think)
		}
	}
}

// TestAcceptLongRun: M/M/1 through an accept queue has FIFO's mean, utilisation
// and number in system, since the order does not depend on the services, though
// not its percentiles.
func TestAcceptLongRun(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 100, Requests: 300_000, Drain: time.Hour, Seed: 5}
	r := run(t, w, sim.Station{Servers: 1, Service: law.NewExponential(0.005), Discipline: "accept:511"}, sim.Options{})
	near(t, "mean", r.Latency.Get("mean"), 10, 0.03) // S/(1-ρ)
	near(t, "utilisation", r.Utilisation, 0.5, 0.01)
	near(t, "number in system", r.Little.Sampled, 1, 0.03) // ρ/(1-ρ)
	near(t, "L/(XW)", r.Little.Sampled/r.Little.XW, 1, 0.01)
	if got := r.Model; got != "M/M/1-ACCEPT:511" {
		t.Errorf("the model is called %q", got)
	}
}

// TestAcceptDrain: after a freeze of L the λL requests that came in it are let in
// at μ - λ. The last of them came at its end and waits λL/(μ - λ), the first one
// at its beginning and waits L.
func TestAcceptDrain(t *testing.T) {
	for _, rate := range []float64{100, 150, 175, 200} {
		w := &workload.Workload{Open: true, Rate: rate, Arrivals: workload.Even, Length: 20 * time.Second, Drain: time.Hour, Seed: 1,
			Stall: workload.Stall{Kind: workload.Freeze, Length: 2 * time.Second, Period: 12 * time.Second}}
		_, r := requests(t, w, sim.Station{Servers: 1, Service: det(4 * ms), Discipline: "accept:511"}, sim.Options{})
		near(t, "max", r.Latency.Get("max"), max(rate*2/(250-rate), 2)*1e3, 0.05)
	}
}

// TestAcceptTwice: the same seed gives the same storm.
func TestAcceptTwice(t *testing.T) {
	station := sim.Station{Servers: 1, Service: law.NewExponential(0.004), Discipline: "accept:511"}
	first := run(t, storm(7), station, sim.Options{})
	second := run(t, storm(7), station, sim.Options{})
	if a, b := asJSON(t, first), asJSON(t, second); !bytes.Equal(a, b) {
		t.Errorf("the same seed gave\n%s\nand\n%s", a, b)
	}
}

// TestAcceptRefuses what is no backlog, and more than one worker.
func TestAcceptRefuses(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 1, Requests: 1}
	for _, bad := range []string{"accept", "accept:", "accept:0", "accept:-1", "accept:x", "accept:1.5", "accept:1000001", "accept: 5", "accept:5,", "fifo:511"} {
		if _, err := sim.Run(t.Context(), w, sim.Station{Servers: 1, Service: det(ms), Discipline: bad}, sim.Options{}); err == nil {
			t.Errorf("%s is taken for a discipline", bad)
		}
	}
	for _, good := range []string{"accept:1", "accept:1000000"} {
		run(t, w, sim.Station{Servers: 1, Service: det(ms), Discipline: good}, sim.Options{})
	}
	if _, err := sim.Run(t.Context(), w, sim.Station{Servers: 2, Service: det(ms), Discipline: "accept:511"}, sim.Options{}); err == nil {
		t.Error("an accept queue in front of two servers is taken")
	}
}

// BenchmarkAccept freezes once for some 50 requests, like BenchmarkStalls.
func BenchmarkAccept(b *testing.B) {
	w := &workload.Workload{Open: true, Rate: 0.5, Requests: int64(b.N), Seed: 1, Drain: 1e18, Stall: workload.Stall{Length: 10e9, Period: 100e9}}
	benchmark(b, w, sim.Station{Servers: 1, Service: law.NewExponential(1), Discipline: "accept:511"})
}
