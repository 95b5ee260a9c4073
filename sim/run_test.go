package sim_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
	"queuelab/sim"
)

// anyRun draws a small workload and station of any kind.
func anyRun(r *rand.Rand) (*workload.Workload, sim.Station, sim.Options) {
	w := &workload.Workload{Seed: r.Uint64N(1000), Drain: time.Duration(r.Int64N(1e8))}
	if r.IntN(2) == 0 {
		w.Open, w.Rate = true, 1+1000*r.Float64()
		if r.IntN(2) == 0 {
			w.Arrivals = workload.Even
		}
		if r.IntN(3) == 0 {
			w.PerSession = 1 + 5*r.Float64()
			w.Think = []law.Law{nil, law.NewExponential(0.01), det(5 * ms)}[r.IntN(3)]
		}
	} else {
		w.Clients = 1 + r.IntN(20)
		w.Think = []law.Law{nil, law.NewExponential(0.01), det(5 * ms)}[r.IntN(3)]
	}
	w.Requests = int64(r.IntN(500))
	if w.Requests == 0 || r.IntN(2) == 0 {
		w.Length = 1 + time.Duration(r.Int64N(1e9))
	}
	if r.IntN(2) == 0 {
		w.Timeout = 1 + time.Duration(r.Int64N(5e7))
	}
	service := []law.Law{law.NewExponential(0.005), det(5 * ms), law.NewGamma(0.005, 3)}[r.IntN(3)]
	if r.IntN(2) == 0 {
		w.Retry = workload.Retry{After: 1 + time.Duration(r.Int64N(2e7)), Copies: 1 + r.IntN(4)}
	}
	if r.IntN(2) == 0 {
		w.Stall.Kind = []workload.StallKind{workload.Freeze, workload.Lock}[r.IntN(2)]
		w.Stall.Length = 1 + time.Duration(r.Int64N(1e8))
		w.Stall.Period = w.Stall.Length + 1e6 + time.Duration(r.Int64N(2e8))
		if w.Length > 0 {
			w.Length += w.Stall.Begin(0) // else there would be none
		}
	}
	s := sim.Station{Servers: 1 + r.IntN(4), Discipline: []string{"", "fifo", "ps", "accept:3"}[r.IntN(4)]}
	if s.Discipline == "accept:3" {
		s.Servers = 1
	}
	if r.IntN(2) == 0 {
		s.Service = service
	} else {
		w.Service = service
	}
	var o sim.Options
	if w.Length > 0 && r.IntN(4) == 0 {
		o.Warmup = w.Length / 3
	}
	return w, s, o
}

// TestIdentities holds what must be true of every run: each request has one
// outcome, instants are in order, times add up, limits are kept, and the same
// seed gives the same bytes.
func TestIdentities(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		w, s, o := anyRun(r)
		got, summary := requests(t, w, s, o)
		for i := range got {
			checkRequest(t, &got[i], w, o)
		}
		if w.Requests > 0 && o.Warmup == 0 && int64(len(got)) > w.Requests {
			t.Errorf("%d requests, %d allowed", len(got), w.Requests)
		}
		if u := summary.Utilisation; u.Known() && !(u >= 0 && u <= 1+1e-9) {
			t.Errorf("utilisation %v", u)
		}
		again, _ := sim.Run(context.Background(), w, s, o)
		if first, second := asJSON(t, summary), asJSON(t, again); !bytes.Equal(first, second) {
			t.Errorf("the same seed gave\n%s\nand\n%s", first, second)
		}
		if t.Failed() {
			t.Fatalf("the workload was %+v at %+v with %+v", w, s, o)
		}
	}
}

func checkRequest(t *testing.T, q *record.Request, w *workload.Workload, o sim.Options) {
	t.Helper()
	switch {
	case q.Sent != q.Scheduled || q.Ended < q.Sent || q.Class != "":
		t.Errorf("impossible request %+v", q)
	case !wantCopies(q, w):
		t.Errorf("%d copies in %v: %+v", q.Copies, q.Latency(), q)
	case q.Outcome == record.Answered && (q.Wait < 0 || q.Latency() != q.Wait+q.Service):
		t.Errorf("latency is not wait and service: %+v", q)
	case q.Outcome == record.TimedOut && q.Latency() != w.Timeout:
		t.Errorf("timed out after %v, not %v: %+v", q.Latency(), w.Timeout, q)
	case w.Timeout > 0 && q.Latency() > w.Timeout:
		t.Errorf("still open after the timeout: %+v", q)
	case w.Length > 0 && (q.Scheduled >= w.Length || q.Ended > w.Length+w.Drain):
		t.Errorf("outside the run: %+v", q)
	case q.Scheduled < o.Warmup:
		t.Errorf("scheduled during the warm-up: %+v", q)
	case q.Outcome == record.Failed || q.Outcome == record.Unsent:
		t.Errorf("a simulated server neither fails nor refuses: %+v", q)
	}
}

// wantCopies says whether a request had as many copies as its client must have
// sent: one at every retry before its end. One at the very end of the drain is
// sent or not.
func wantCopies(q *record.Request, w *workload.Workload) bool {
	want := 1
	for want < w.Retry.Copies && time.Duration(want)*w.Retry.After < q.Latency() {
		want++
	}
	copies := int(q.Copies)
	return copies == want || q.Outcome == record.Unfinished && copies == want+1 && time.Duration(want)*w.Retry.After == q.Latency()
}

func asJSON(t *testing.T, r *record.Run) []byte {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestSeeds: another seed is another run.
func TestSeeds(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 100, Requests: 1000, Seed: 1, Drain: time.Hour}
	s := sim.Station{Servers: 1, Service: law.NewExponential(0.005)}
	one := run(t, w, s, sim.Options{})
	w.Seed = 2
	if two := run(t, w, s, sim.Options{}); one.Latency["mean"] == two.Latency["mean"] {
		t.Errorf("seeds 1 and 2 both give a mean of %v", one.Latency["mean"])
	}
}

// TestCarriedService: in an open workload, service times that travel with the
// requests and those that the station draws are the same ones.
func TestCarriedService(t *testing.T) {
	service := law.NewExponential(0.005)
	w := &workload.Workload{Open: true, Rate: 100, Requests: 1000, Seed: 1, Drain: time.Hour}
	drawn := run(t, w, sim.Station{Servers: 1, Service: service}, sim.Options{})
	w.Service = service
	carried := run(t, w, sim.Station{Servers: 1}, sim.Options{})
	if a, b := asJSON(t, drawn), asJSON(t, carried); !bytes.Equal(a, b) {
		t.Errorf("drawn by the station\n%s\ncarried\n%s", a, b)
	}
}

// TestEmpirical: a station that serves with the times of an earlier run.
func TestEmpirical(t *testing.T) {
	service, err := law.NewEmpirical("file:earlier", []float64{0.002, 0.003, 0.010})
	if err != nil {
		t.Fatal(err)
	}
	w := &workload.Workload{Clients: 4, Requests: 100_000, Seed: 1, Drain: time.Hour}
	got, r := requests(t, w, sim.Station{Servers: 1, Service: service}, sim.Options{})
	near(t, "throughput", r.Throughput, 200, 0.01)
	for _, q := range got {
		if s := q.Service; s != 2*ms && s != 3*ms && s != 10*ms {
			t.Fatalf("a service of %v was never seen", s)
		}
	}
}

// TestOverload: twice the capacity for 10 s. The latency of a request sent at t
// is (ρ-1)t, and what the drain leaves is unfinished.
func TestOverload(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 2000, Arrivals: workload.Even, Length: 10 * time.Second, Seed: 1, Drain: time.Hour}
	s := sim.Station{Servers: 1, Service: law.NewExponential(0.001)}
	r := run(t, w, s, sim.Options{})
	if *r.Stable || r.Interval != nil {
		t.Errorf("stable %v with intervals %v at ρ = 2", *r.Stable, r.Interval)
	}
	near(t, "growth", r.Growth, 1000, 1e-9)
	near(t, "mean", r.Latency["mean"], 5000, 0.05)
	near(t, "p90", r.Observed("p90"), 9000, 0.05)
	if r.Latency["p90"].Known() {
		t.Error("latencies that grow to the end of the run support no quantile")
	}
	w.Drain = 5 * time.Second
	r = run(t, w, s, sim.Options{})
	near(t, "answered", record.Value(r.Requests.Answered), 15_000, 0.03)
	if c := r.Requests; c.Unfinished+c.Answered != 20_000 {
		t.Errorf("counts %+v", c)
	}
	// Exactly full: constants are stable, anything else is not.
	w.Rate = 1000
	for _, tt := range []struct {
		service law.Law
		stable  bool
	}{{det(ms), true}, {law.NewExponential(0.001), false}} {
		r = run(t, w, sim.Station{Servers: 1, Service: tt.service}, sim.Options{})
		if *r.Stable != tt.stable {
			t.Errorf("%v at ρ = 1: stable %v", tt.service, *r.Stable)
		}
	}
}

// TestNothingAnswered: a run in which nothing comes back is a run like others.
func TestNothingAnswered(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 100, Requests: 50, Timeout: ms, Seed: 1, Drain: time.Second}
	r := run(t, w, sim.Station{Servers: 1, Service: det(time.Hour)}, sim.Options{})
	if r.Requests.TimedOut != 50 || !strings.Contains(r.Line, "none") {
		t.Errorf("counts %+v, line %q", r.Requests, r.Line)
	}
	if text := asJSON(t, r); bytes.Contains(text, []byte("NaN")) {
		t.Errorf("%s", text)
	}
}

// TestInterrupted: what was simulated until then is returned and marked.
func TestInterrupted(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 0.8, Requests: 1e8, Seed: 1, Drain: time.Hour}
	ctx, cancel := context.WithCancel(context.Background())
	seen := 0
	stop := sinkFunc(func(*record.Request) {
		if seen++; seen == 100_000 {
			cancel()
		}
	})
	r, err := sim.Run(ctx, w, sim.Station{Servers: 1, Service: law.NewExponential(1)}, sim.Options{Sinks: []record.Sink{stop}})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Interrupted || !r.Requests.Balanced() || r.Requests.Answered < 100_000 || r.Requests.Answered > 200_000 {
		t.Errorf("interrupted %v with %+v", r.Interrupted, r.Requests)
	}
	near(t, "utilisation", r.Utilisation, 0.8, 0.03)
}

type sinkFunc func(*record.Request)

func (f sinkFunc) Add(r *record.Request) { f(r) }

func TestRefusals(t *testing.T) {
	open := func() *workload.Workload { return &workload.Workload{Open: true, Rate: 1, Requests: 10} }
	closed := func() *workload.Workload { return &workload.Workload{Clients: 1, Requests: 10} }
	exp := law.NewExponential(1)
	ok := sim.Station{Servers: 1, Service: exp}
	tests := []struct {
		workload *workload.Workload
		change   func(*workload.Workload)
		station  sim.Station
		options  sim.Options
		says     string
	}{
		{open(), func(w *workload.Workload) { w.Rate = -1 }, ok, sim.Options{}, "rate is -1"},
		{open(), func(w *workload.Workload) { w.Requests = 0 }, ok, sim.Options{}, "needs an end"},
		{open(), func(w *workload.Workload) { w.Rate = 1e-9 }, ok, sim.Options{}, "longer than the 32 years"},
		{open(), nil, sim.Station{Service: exp}, sim.Options{}, "servers, not 0"},
		{open(), nil, sim.Station{Servers: -1, Service: exp}, sim.Options{}, "servers, not -1"},
		{open(), nil, sim.Station{Servers: 1, Service: exp, Discipline: "lottery"}, sim.Options{}, `"lottery" is not a discipline: use fifo, ps, accept:BACKLOG`},
		{open(), nil, sim.Station{Servers: 1, Service: exp, Discipline: "fifo:3"}, sim.Options{}, `"fifo:3" is not a discipline: use fifo, ps, accept:BACKLOG`},
		{open(), nil, sim.Station{Servers: 1, Service: exp, Discipline: ":"}, sim.Options{}, `":" is not a discipline`},
		{open(), func(w *workload.Workload) { w.Stall.Length = time.Second }, ok, sim.Options{}, "its period longer"},
		{open(), func(w *workload.Workload) { w.Retry.Copies = 2 }, ok, sim.Options{}, "retry comes after no time"},
		{open(), nil, sim.Station{Servers: 1}, sim.Options{}, "give the station a service law"},
		{open(), func(w *workload.Workload) { w.Service = exp }, ok, sim.Options{}, "leave one of the two laws out"},
		{open(), nil, ok, sim.Options{Warmup: -1}, "warm-up"},
		{open(), func(w *workload.Workload) { w.Length = time.Second }, ok, sim.Options{Warmup: time.Second}, "leaves nothing"},
		{closed(), nil, sim.Station{Servers: 1, Service: det(0)}, sim.Options{}, "never let the clock move"},
		{closed(), func(w *workload.Workload) { w.Think = det(0) }, sim.Station{Servers: 1, Service: det(0)}, sim.Options{}, "never let the clock move"},
	}
	for _, tt := range tests {
		if tt.change != nil {
			tt.change(tt.workload)
		}
		_, err := sim.Run(context.Background(), tt.workload, tt.station, tt.options)
		if err == nil || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v at %+v with %+v: %v, want one line with %q", tt.workload, tt.station, tt.options, err, tt.says)
		}
	}
}
