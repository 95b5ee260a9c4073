package sim_test

import (
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
	"queuelab/sim"
	"queuelab/sim/kendall"
	"queuelab/sim/theory"
)

// hyper is a hyperexponential law of SCV 4.
func hyper(t *testing.T, mean float64) law.Law {
	t.Helper()
	l, err := law.NewHyperexponential(mean, 4)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestInsensitive: the mean latency of M/G/1-PS is S/(1-ρ) whatever the law of
// service; that of M/M/c-PS is that of M/M/c.
func TestInsensitive(t *testing.T) {
	m, err := theory.New(kendall.Of(&workload.Workload{Open: true, Rate: 420}, law.NewExponential(0.005), 3), theory.Params{Rate: 420, Mean: 0.005})
	if err != nil {
		t.Fatal(err)
	}
	mmc, err := m.MeanLatency()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		service law.Law
		servers int
		rate    float64
		mean    float64 // ms
	}{
		{law.NewExponential(0.005), 1, 140, 5 / 0.3},
		{det(5 * ms), 1, 140, 5 / 0.3},
		{hyper(t, 0.005), 1, 140, 5 / 0.3},
		{law.NewExponential(0.005), 3, 420, mmc * 1e3},
	} {
		w := &workload.Workload{Open: true, Rate: tt.rate, Requests: 300_000, Seed: 1, Drain: time.Hour}
		got := run(t, w, sim.Station{Servers: tt.servers, Service: tt.service, Discipline: "ps"}, sim.Options{Warmup: 10 * time.Second})
		if i := got.Interval["mean"]; !holds(i, tt.mean) || float64(i[1]-i[0]) > 0.15*tt.mean {
			t.Errorf("%s with %v: mean in %v ms, want %v", got.Model, tt.service, i, tt.mean)
		}
		near(t, "utilisation", got.Utilisation, tt.rate*0.005/float64(tt.servers), 0.02)
		near(t, "Little's law", got.Little.XW, float64(got.Little.Sampled), 0.01)
	}
}

// TestFairness: in M/G/1-PS a request of size x takes x/(1-ρ) on average.
func TestFairness(t *testing.T) {
	sizes, err := law.NewEmpirical("file:sizes", []float64{0.001, 0.002, 0.010, 0.027})
	if err != nil {
		t.Fatal(err)
	}
	w := &workload.Workload{Open: true, Rate: 60, Requests: 300_000, Seed: 1, Drain: time.Hour}
	got, r := requests(t, w, sim.Station{Servers: 1, Service: sizes, Discipline: "ps"}, sim.Options{Warmup: 10 * time.Second})
	sum, n := map[time.Duration]time.Duration{}, map[time.Duration]int{}
	for _, q := range got {
		sum[q.Service] += q.Latency()
		n[q.Service]++
	}
	for size, total := range sum {
		near(t, "mean latency of "+size.String(), record.Value(total.Seconds()/float64(n[size])), size.Seconds()/(1-0.6), 0.03)
	}
	if len(sum) != 4 || r.Model != "M/G/1-PS" {
		t.Errorf("%d sizes at %s", len(sum), r.Model)
	}
}

// TestSaturatedSharing: N clients that never think are all in service all the
// time, so that a request takes N times its service, to the nanoseconds by which
// answers are rounded up, and the spread of the service law stays: with N = 8
// and exponential service, p99 is 36.84 services where FIFO has 16.00.
func TestSaturatedSharing(t *testing.T) {
	w := &workload.Workload{Clients: 8, Requests: 200_000, Seed: 4, Drain: time.Hour}
	got, r := requests(t, w, sim.Station{Servers: 1, Service: law.NewExponential(0.001), Discipline: "ps"}, sim.Options{Warmup: time.Second})
	for _, q := range got {
		if off := 8*q.Service - q.Latency(); q.Ended < 190*time.Second && (off < -8 || off > 8+q.Latency()/(100*time.Microsecond)) {
			t.Fatalf("%v off eight times the service: %+v", off, q)
		}
	}
	if i := r.Interval["p99"]; !holds(i, 36.84) || i[1]-i[0] > 2 {
		t.Errorf("p99 in %v ms, want 36.84", i)
	}
	near(t, "mean", r.Latency["mean"], 8, 0.01)
	near(t, "utilisation", r.Utilisation, 1, 1e-6)
}
