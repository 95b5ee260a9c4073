package record_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"queuelab/measure/record"
)

const ms = time.Millisecond

// anything draws a request with any outcome.
func anything(r *rand.Rand) record.Request {
	scheduled := time.Duration(r.Int64N(int64(time.Minute)))
	sent := scheduled + time.Duration(r.Int64N(int64(ms)))
	q := record.Request{
		Scheduled: scheduled,
		Sent:      sent,
		Ended:     sent + time.Duration(r.Int64N(int64(time.Second))),
		Pool:      time.Duration(r.Int64N(1000)),
		Outcome:   record.Outcome(r.IntN(5)),
		Copies:    uint8(1 + r.IntN(3)),
	}
	switch q.Outcome {
	case record.Failed:
		q.Class = []string{"refused", "reset", "status_503"}[r.IntN(3)]
	case record.Unsent:
		q.Sent, q.Copies = 0, 0
	}
	return q
}

// sink keeps what it was given.
type sink []record.Request

func (s *sink) Add(r *record.Request) { *s = append(*s, *r) }

// Every request has exactly one outcome, each failure one class, and every
// sink sees every request.
func TestAccounting(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, 2, 10, 1000} {
		var kept sink
		var want record.Counts
		classes := map[string]int64{}
		c := record.NewCollector(record.Measured, &kept)
		for range n {
			q := anything(r)
			c.Add(&q)
			want.Scheduled++
			want.Copies += int64(q.Copies)
			switch q.Outcome {
			case record.Answered:
				want.Answered++
			case record.Failed:
				want.Failed++
				classes[q.Class]++
			case record.TimedOut:
				want.TimedOut++
			case record.Unfinished:
				want.Unfinished++
			case record.Unsent:
				want.Unsent++
			}
		}
		run := c.Run()
		if run.Requests != want || c.Counts() != want || !run.Requests.Balanced() || len(kept) != n {
			t.Errorf("n = %d: counts %+v, %d in the sink, want %+v", n, run.Requests, len(kept), want)
		}
		if !reflect.DeepEqual(run.Failures, classes) {
			t.Errorf("n = %d: failures %v, want %v", n, run.Failures, classes)
		}
		if c.Latency().Count() != want.Answered {
			t.Errorf("n = %d: the latency histogram holds %d, want the %d answered", n, c.Latency().Count(), want.Answered)
		}
	}
}

func TestBalancedSeesAMissingOutcome(t *testing.T) {
	c := record.Counts{Scheduled: 15, Answered: 5, Failed: 4, TimedOut: 3, Unfinished: 2, Unsent: 1}
	if !c.Balanced() {
		t.Errorf("%+v should add up", c)
	}
	for _, change := range []func(*record.Counts){
		func(c *record.Counts) { c.Scheduled++ }, func(c *record.Counts) { c.Answered-- },
		func(c *record.Counts) { c.Failed++ }, func(c *record.Counts) { c.TimedOut++ },
		func(c *record.Counts) { c.Unfinished++ }, func(c *record.Counts) { c.Unsent++ },
	} {
		broken := c
		change(&broken)
		if broken.Balanced() {
			t.Errorf("%+v does not add up", broken)
		}
	}
}

// Failures and timeouts are timed apart: they never touch the latency.
func TestFailuresAreTimedApart(t *testing.T) {
	c := record.NewCollector(record.Measured)
	for _, q := range []record.Request{
		{Scheduled: 0, Sent: 1 * ms, Ended: 5 * ms, Pool: 2 * ms, Copies: 1},
		{Scheduled: 10 * ms, Sent: 10 * ms, Ended: 17 * ms, Copies: 1},
		{Scheduled: 20 * ms, Sent: 20 * ms, Ended: 1020 * ms, Copies: 1, Outcome: record.TimedOut},
		{Scheduled: 30 * ms, Sent: 33 * ms, Ended: 3033 * ms, Copies: 1, Outcome: record.Failed, Class: "reset"},
		{Scheduled: 40 * ms, Sent: 40 * ms, Ended: 9040 * ms, Copies: 1, Outcome: record.Unfinished},
		{Scheduled: 50 * ms, Ended: 9050 * ms, Outcome: record.Unsent},
	} {
		c.Add(&q)
	}
	run := c.Run()
	tests := []struct {
		name      string
		q         record.Quantities
		mean, max float64
	}{
		{"latency", run.Latency, 6, 7},
		{"client", run.Client, 5.5, 7},
		{"pool", run.Pool, 1, 2},
		{"lag of all that were sent", run.Lag, 4.0 / 5, 3},
		{"failed", run.Failed, 2000, 3000},
	}
	for _, tt := range tests {
		mean, max := float64(tt.q.Get("mean")), float64(tt.q.Get("max"))
		if math.Abs(mean-tt.mean) > 1e-9 || math.Abs(max-tt.max) > 1e-9 {
			t.Errorf("%s: mean %v and max %v ms, want %v and %v", tt.name, mean, max, tt.mean, tt.max)
		}
	}
	if run.Wait != nil || run.Service != nil {
		t.Error("a measurement knows no waiting and service times")
	}
	if run.Elapsed != 0.017 || math.Abs(float64(run.Throughput)-2/0.017) > 1e-9 {
		t.Errorf("elapsed %v s and throughput %v/s, want the last answer's 0.017 and 2/0.017", run.Elapsed, run.Throughput)
	}
}

func TestSimulatedRunKnowsWaitAndService(t *testing.T) {
	c := record.NewCollector(record.Simulated)
	c.Add(&record.Request{Ended: 5 * ms, Wait: 3 * ms, Service: 2 * ms, Copies: 1})
	run := c.Run()
	if run.Wait.Get("mean") != 3 || run.Service.Get("mean") != 2 || run.Client != nil || run.Pool != nil || run.Lag != nil {
		t.Errorf("wait %v, service %v, client %v, pool %v, lag %v; want 3 and 2 ms and the others unknown", run.Wait, run.Service, run.Client, run.Pool, run.Lag)
	}
}

// Little's law from the records: X·W is the time integral of the number in
// system over the run's length.
func TestLittle(t *testing.T) {
	c := record.NewCollector(record.Measured)
	for i := range 100 { // two in system at any time, from 0 to 1 s
		at := time.Duration(i) * 10 * ms
		c.Add(&record.Request{Scheduled: at - 10*ms, Sent: at - 10*ms, Ended: at + 10*ms, Copies: 1})
	}
	run := c.Run()
	run.SetSampled(1.9)
	if math.Abs(float64(run.Little.XW)-2) > 1e-9 || math.Abs(float64(run.Little.Gap)-(2/1.9-1)) > 1e-9 || run.InSystem != 1.9 {
		t.Errorf("X·W = %v, gap %v, in system %v; want 2, %v, 1.9", run.Little.XW, run.Little.Gap, run.InSystem, 2/1.9-1)
	}
	run = record.NewCollector(record.Measured).Run()
	run.SetSampled(0)
	if run.Little.Gap.Known() || run.Little.XW.Known() {
		t.Errorf("without answers both sides of Little's law are unknown, not %+v", run.Little)
	}
}

// The whole line, to the letter: scripts read it.
func TestSummaryLine(t *testing.T) {
	answered := func(n int, gap, latency time.Duration) []record.Request {
		var out []record.Request
		for i := range n {
			at := time.Duration(i) * gap
			out = append(out, record.Request{Scheduled: at, Sent: at, Ended: at + latency, Copies: 1})
		}
		return out
	}
	fail := record.Request{Outcome: record.Failed, Class: "refused", Copies: 1}
	tests := []struct {
		name     string
		requests []record.Request
		want     string
	}{
		{"none at all", nil, "0 answered/s over 0.0 s, mean none, p50 none, p99 none, max none; 0 failed"},
		{
			"nothing answered",
			[]record.Request{fail, {Outcome: record.TimedOut}, {Outcome: record.Unfinished}, {Outcome: record.Unsent}},
			"0 answered/s over 0.0 s, mean none, p50 none, p99 none, max none; 4 failed",
		},
		{
			"one answer prints every quantile",
			answered(1, 0, 4*ms),
			"250 answered/s over 0.0 s, mean 4.00 ms, p50 4.00 ms, p99 4.00 ms, max 4.00 ms; 0 failed",
		},
		{
			"a second of answers and a failure after them",
			append(answered(200, 5*ms, 5*ms), fail),
			"200 answered/s over 1.0 s, mean 5.00 ms, p50 5.00 ms, p99 5.00 ms, max 5.00 ms; 1 failed",
		},
	}
	for _, tt := range tests {
		c := record.NewCollector(record.Measured)
		for _, q := range tt.requests {
			c.Add(&q)
		}
		if got := c.Run().Line; got != tt.want {
			t.Errorf("%s:\n%s, want\n%s", tt.name, got, tt.want)
		}
	}
}

func TestQuantileKey(t *testing.T) {
	for q, want := range map[float64]string{0.5: "p50", 0.9: "p90", 0.99: "p99", 0.999: "p99.9", 0.9999: "p99.99", 0.07: "p7", 1: "p100"} {
		if got := record.QuantileKey(q); got != want {
			t.Errorf("QuantileKey(%v) = %q, want %q", q, got, want)
		}
	}
}

// The least samples for p50, p90, p99 and p99.9: ln(0.025)/ln(q).
func TestResolvable(t *testing.T) {
	for _, tt := range []struct {
		q     float64
		least int64
	}{{0.5, 6}, {0.9, 36}, {0.99, 368}, {0.999, 3688}} {
		if record.Resolvable(tt.q, tt.least-1) || !record.Resolvable(tt.q, tt.least) {
			t.Errorf("the %v quantile should need exactly %d values", tt.q, tt.least)
		}
	}
}

// What a sample cannot support is null in JSON, and printed in the line.
func TestUnsupportedQuantilesAreUnknown(t *testing.T) {
	c := record.NewCollector(record.Measured)
	for range 367 {
		c.Add(&record.Request{Ended: 4 * ms, Copies: 1})
	}
	if q := c.Run().Latency; q.Get("p99").Known() || !q.Get("p90").Known() {
		t.Errorf("367 values support p90 and not p99, but the summary is %v", q)
	}
	c.Add(&record.Request{Ended: 4 * ms, Copies: 1})
	if q := c.Run().Latency; !q.Get("p99").Known() || q.Get("p99.9").Known() {
		t.Errorf("368 values support p99 and not p99.9, but the summary is %v", q)
	}
}

// A run in which nothing is answered is valid JSON with nulls, and reads back.
func TestJSONNeverHoldsNaN(t *testing.T) {
	for _, source := range []string{record.Measured, record.Simulated} {
		c := record.NewCollector(source)
		for range 3 {
			c.Add(&record.Request{Sent: ms, Ended: 2 * ms, Outcome: record.Failed, Class: "refused", Copies: 1})
		}
		run := c.Run()
		run.SetSampled(math.NaN())
		run.Utilisation = record.Value(math.Inf(1))
		text, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		if s := string(text); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") || !strings.Contains(s, `"mean":null`) {
			t.Errorf("the JSON of a %s run without answers is %s", source, s)
		}
		for _, want := range []string{`"elapsed_s":null`, `"throughput_per_s":null`, `"utilisation":null`, `"validity":null`, `"failures":{"refused":3}`, `"in_system_sampled":null`} {
			if !strings.Contains(string(text), want) {
				t.Errorf("the JSON of a %s run without answers lacks %s: %s", source, want, text)
			}
		}
		back, err := record.ParseRun("run.json", text)
		if err != nil {
			t.Fatal(err)
		}
		if back.Throughput.Known() || back.Latency.Get("p50").Known() || back.Requests != run.Requests || back.Line != run.Line {
			t.Errorf("the run reads back as %+v", back)
		}
	}
}

func TestValue(t *testing.T) {
	for _, v := range []record.Value{0, -1.5, 1e300, record.Milliseconds(1500 * time.Microsecond)} {
		text, err := json.Marshal(v)
		var back record.Value
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil || back != v || !v.Known() {
			t.Errorf("%v is written as %s and read as %v, %v", v, text, back, err)
		}
	}
	if got := fmt.Sprint(record.Milliseconds(1500 * time.Microsecond)); got != "1.5" {
		t.Errorf("1500 µs are %s ms", got)
	}
	if (record.Quantities)(nil).Get("p50").Known() {
		t.Error("a quantile of an unknown kind of time is known")
	}
}
