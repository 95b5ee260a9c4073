package sim_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
	"queuelab/sim"
)

// half is a stall of half a second in every five and a half.
var half = workload.Stall{Kind: workload.Freeze, Length: 500 * ms, Period: 5500 * ms}

// TestStalledOpen: M/D/1 at ρ = 0.5 with stalls, against the fluid limit with the
// base queue's wait Wq: a stall hits (L+Wq)/(1-ρ) + W of a period, and the
// latency q of all falls short of S + L + 2Wq + (1-ρ)W by (1-ρ)P(1-q).
func TestStalledOpen(t *testing.T) {
	const service, rate = 0.0044248, 113.0
	w := &workload.Workload{Open: true, Rate: rate, Length: 3000 * time.Second, Seed: 1, Drain: time.Hour, Stall: half}
	got := run(t, w, sim.Station{Servers: 1, Service: law.NewDeterministic(service)}, sim.Options{})
	rho := rate * service
	wait := rho * service / (2 * (1 - rho))
	latency := wait + service
	p99 := service + 0.5 + 2*wait + (1-rho)*latency - (1-rho)*5.5*0.01
	near(t, "p99", got.Latency.Get("p99"), p99*1e3, 0.01)
	if v := got.Latency.Get("p99"); v < 478 || v > 491 {
		t.Errorf("p99 is %v ms, want 478 to 491", v)
	}
	extra := ((0.125+0.5*wait)/(1-rho) + 0.5*latency) / 5.5
	near(t, "mean", got.Latency.Get("mean"), (latency+extra)*1e3, 0.03)
	near(t, "utilisation", got.Utilisation, rho, 0.01)
	if !*got.Stable || got.Interval == nil || !holds(got.Interval["p99"], p99*1e3) {
		t.Errorf("stable %v with intervals %v, p99 should be %v ms", *got.Stable, got.Interval, p99*1e3)
	}
}

// TestStalledClosed: eight clients at the same server are stopped with it. About
// eight of the (P-L)/S requests of each period are hit.
func TestStalledClosed(t *testing.T) {
	w := &workload.Workload{Clients: 8, Length: 3000 * time.Second, Seed: 1, Drain: time.Hour, Stall: half}
	for _, discipline := range []string{"fifo", "ps"} {
		hit := 0
		count := sinkFunc(func(q *record.Request) {
			if q.Latency() > 300*ms {
				hit++
			}
		})
		station := sim.Station{Servers: 1, Service: law.NewDeterministic(0.0044248), Discipline: discipline}
		r := run(t, w, station, sim.Options{Sinks: []record.Sink{count}})
		if v := r.Throughput; v < 204 || v > 207 {
			t.Errorf("%s: throughput %v/s, want 204 to 207", discipline, v)
		}
		if v := r.Latency.Get("p50"); v < 35 || v > 35.8 {
			t.Errorf("%s: p50 %v ms, want 35.0 to 35.8", discipline, v)
		}
		near(t, "utilisation", r.Utilisation, 5/5.5, 1e-3)
		near(t, discipline+": requests hit in a period", record.Value(float64(hit)*5.5/3000), 8, 0.01)
	}
}

// TestCoordinatedOmission is a server that stands still every other five seconds
// and takes a millisecond otherwise, with no queue to speak of: clients that wait
// for nobody see a median of a millisecond and a 75th percentile of half the
// stall, since every request of the schedule is charged with its wait (the
// example of G. Tene, https://github.com/wg/wrk/issues/99). A client that waits
// for its answers sends one request into each stall instead of ten.
func TestCoordinatedOmission(t *testing.T) {
	stall := workload.Stall{Kind: workload.Freeze, Length: 5 * time.Second, Period: 10 * time.Second}
	station := sim.Station{Servers: 20, Service: det(ms)}
	open := &workload.Workload{Open: true, Rate: 2, Arrivals: workload.Even, Length: 600 * time.Second, Seed: 1, Drain: time.Minute, Stall: stall}
	closed := &workload.Workload{Clients: 1, Think: det(499 * ms), Length: 600 * time.Second, Seed: 1, Drain: time.Minute, Stall: stall}
	for _, tt := range []struct {
		what     string
		workload *workload.Workload
		p50, p75 time.Duration
	}{
		{"open", open, ms, 2501 * ms},
		{"closed", closed, ms, ms},
	} {
		got, r := requests(t, tt.workload, station, sim.Options{})
		slices.SortFunc(got, func(a, b record.Request) int { return cmp.Compare(a.Latency(), b.Latency()) })
		n := len(got)
		if p50, p75 := got[(n+1)/2-1].Latency(), got[(3*n+3)/4-1].Latency(); p50 != tt.p50 || p75 != tt.p75 {
			t.Errorf("%s: p50 %v, p75 %v, want %v and %v", tt.what, p50, p75, tt.p50, tt.p75)
		}
		if r.Requests.Answered != r.Requests.Scheduled {
			t.Errorf("%s: counts %+v", tt.what, r.Requests)
		}
		near(t, tt.what+": max", r.Latency["max"], 5001, 0.001)
		if tt.workload.Open && n != 1200 {
			t.Errorf("%d requests, want all 1200 of the schedule", n)
		}
	}
}

// TestStalledIntervals: the 95 % intervals of runs with stalls hold the truth,
// which a very long run tells, about as often as they say; runs of fewer periods
// than batches have none.
func TestStalledIntervals(t *testing.T) {
	stall := workload.Stall{Kind: workload.Freeze, Length: 50 * ms, Period: 500 * ms}
	station := sim.Station{Servers: 1, Service: law.NewExponential(0.005)}
	w := &workload.Workload{Open: true, Rate: 100, Length: 20_000 * time.Second, Seed: 1000, Drain: time.Minute, Stall: stall}
	truth := run(t, w, station, sim.Options{})
	const runs = 60
	hits := map[string]int{}
	for seed := range uint64(runs) {
		// Lengths that do not end with a period, from 32 periods on.
		w.Seed, w.Length = seed, 16*time.Second+time.Duration(seed)*170*ms
		got := run(t, w, station, sim.Options{})
		for _, key := range []string{"mean", "p50", "p90"} {
			v, i := truth.Latency.Get(key), got.Interval[key]
			if i[0] <= v && v <= i[1] {
				hits[key]++
			}
		}
	}
	// Binomial(60, 0.95) has a mean of 57 and a deviation of 1.7. Batches of few
	// periods hold more or fewer stalls by chance of their cut, which makes the
	// interval of the mean rather too wide.
	for key, n := range hits {
		if n < 51 {
			t.Errorf("%s: %d of %d intervals hold %v ms", key, n, runs, truth.Latency.Get(key))
		}
	}
	if len(hits) != 3 {
		t.Errorf("intervals held the truth of %v only", hits)
	}
	w.Length = 31 * 500 * ms
	if got := run(t, w, station, sim.Options{}); got.Interval != nil || !*got.Stable {
		t.Errorf("31 periods give intervals %v", got.Interval)
	}
	w.Length, w.Requests = 0, 100*16+200
	if got := run(t, w, station, sim.Options{Warmup: 6 * time.Second}); got.Interval != nil {
		t.Errorf("less than 32 periods after the warm-up give intervals %v", got.Interval)
	}
}
