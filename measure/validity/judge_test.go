package validity_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/validity"
	"queuelab/measure/workload"
)

const ms = time.Millisecond

// act says of a request how late it is sent and how long it lasts thereafter.
type act func(number int64, due time.Duration) (lag, seen time.Duration)

// perform is a run of a workload on a generator and a server that a test decides.
func perform(w *workload.Workload, act act) []record.Request {
	out := make([]record.Request, 0, w.Requests)
	visit(w, act, func(r *record.Request) { out = append(out, *r) })
	return out
}

// visit is such a run of which no record is kept.
func visit(w *workload.Workload, act act, see func(*record.Request)) {
	schedule, r := w.Schedule(), record.Request{Copies: 1}
	for {
		due, more := schedule.Next()
		if !more {
			return
		}
		lag, seen := act(r.Number, due)
		r.Scheduled, r.Sent, r.Ended = due, due+lag, due+lag+seen
		see(&r)
		r.Number++
	}
}

// summed is the run that a collector makes of requests, and the watch that saw them.
func summed(w *workload.Workload, requests []record.Request) (*record.Run, *validity.Watch) {
	watch := validity.NewWatch(w)
	collector := record.NewCollector(record.Measured, watch)
	for i := range requests {
		collector.Add(&requests[i])
	}
	run := collector.Run()
	run.Sending = watch.Sending(time.Hour)
	return run, watch
}

// sound is a run against which nothing can be said, with everything known: 2,000
// Poisson arrivals at 1,000/s, 4 to 6 ms of latency, 10 µs of lag.
func sound() (*record.Run, *validity.Watch) {
	w := &workload.Workload{Open: true, Rate: 1000, Requests: 2000, Seed: 1}
	random := rand.New(rand.NewPCG(1, 2))
	run, watch := summed(w, perform(w, func(int64, time.Duration) (lag, seen time.Duration) {
		return 10 * time.Microsecond, 4*ms + time.Duration(random.Int64N(int64(2*ms)))
	}))
	run.Connections = map[string]int64{"lost": 0, "announced": 7, "reopened": 3}
	run.Little = record.Little{Sampled: 5, XW: 5, Gap: 0, Error: 0.01}
	run.Generator = &record.Generator{CPUs: 1, Busy: 0.5}
	run.ServerCount = &record.ServerCount{Source: "nginx stub_status", Counted: 2000, Least: 2000, Most: 2000}
	run.Header = &record.Header{SpeedBefore: 3, SpeedAfter: 3.1}
	// What a run of 2,000 has of these does not depend on chance here.
	run.NearestRank["p50"], run.Lag["p99"] = 5, 0.01
	return run, watch
}

// fault is something that is done to a sound run.
type fault struct {
	name    string
	kind    string // of several of one kind the last one counts
	verdict string
	says    string // in the reason; "" when there is none
	do      func(*record.Run)
}

// sent makes the generator send so many of 2,000.
func sent(n int64) func(*record.Run) { return func(run *record.Run) { run.Sending.Sent = n } }

func lagged(p99 float64) func(*record.Run) {
	return func(run *record.Run) { run.Lag["p99"] = record.Value(p99) }
}

func busied(share float64) func(*record.Run) {
	return func(run *record.Run) { run.Generator.Busy = record.Value(share) }
}

func drifted(before, after float64) func(*record.Run) {
	return func(run *record.Run) {
		run.Header.SpeedBefore, run.Header.SpeedAfter = record.Value(before), record.Value(after)
	}
}

func gap(gap, err float64) func(*record.Run) {
	return func(run *record.Run) { run.Little.Gap, run.Little.Error = record.Value(gap), record.Value(err) }
}

// Each limit from both sides.
var faults = []fault{
	{"sound", "", record.Valid, "", func(*record.Run) {}},
	{"nothing known", "", record.Valid, "", func(run *record.Run) {
		run.Sending, run.Generator, run.ServerCount, run.Header, run.Connections = nil, nil, nil, nil, nil
		run.Little, run.Lag, run.Latency, run.NearestRank = record.NewRun(record.Measured).Little, nil, nil, nil
	}},
	{"an outcome missing", "counts", record.Invalid, "2,001 requests were scheduled and 2,000 have an outcome", func(run *record.Run) { run.Requests.Scheduled++ }},
	{"an outcome too many", "counts", record.Invalid, "2,000 requests were scheduled and 2,001 have an outcome", func(run *record.Run) { run.Requests.Failed++ }},
	{"an answer counted as a failure", "counts", record.Invalid, "the accounting is broken: the summary counts", func(run *record.Run) {
		run.Requests.Answered--
		run.Requests.Failed++
		run.Failures["reset"]++
	}},
	{"a failure without a class", "counts", record.Invalid, "0 requests failed, and the classes of failures hold 1", func(run *record.Run) { run.Failures["reset"]++ }},
	{"1 % too few", "rate", record.Valid, "", sent(1980)},
	{"1.05 % too few", "rate", record.Suspect, "sent in time 1,979 of the 2,000 requests due within the run (1.05 % too few; 1 % is SUSPECT): it cannot keep this rate", sent(1979)},
	{"5 % too few", "rate", record.Suspect, "(5 % too few; 1 % is SUSPECT)", sent(1900)},
	{"5.05 % too few", "rate", record.Invalid, "sent in time 1,899 of the 2,000 requests due within the run (5.05 % too few; 5 % is INVALID): it cannot keep this rate", sent(1899)},
	{"6 % too many", "rate", record.Invalid, "(6 % too many; 5 % is INVALID): it did not keep to its schedule", sent(2120)},
	{"few because of the cap", "rate", record.Invalid, "150 met a full house of 100 in flight", func(run *record.Run) {
		run.Sending.Sent, run.Sending.Capped, run.Sending.MostInFlight = 1850, 150, 100
	}},
	{"lag p99 of 10 %", "lag", record.Valid, "", lagged(0.5)},
	{"lag p99 above 10 %", "lag", record.Suspect, "the p99 of the lag is 0.501 ms, 10 % of the median latency of 5 ms (above 10 % is SUSPECT)", lagged(0.501)},
	{"lag p99 of the median", "lag", record.Suspect, "(above 10 % is SUSPECT)", lagged(5)},
	{"lag p99 above the median", "lag", record.Invalid, "the p99 of the lag is 5.01 ms, 100 % of the median latency of 5 ms (above 100 % is INVALID)", lagged(5.01)},
	{"lag p90 where there is no p99", "lag", record.Invalid, "the p90 of the lag is 6 ms", func(run *record.Run) {
		run.Lag = record.Quantities{"p99": record.Unknown(), "p90": 6, "p50": 0.01}
	}},
	{"no quantile of the lag", "lag", record.Valid, "", func(run *record.Run) { run.Lag = record.Quantities{"p99": record.Unknown(), "max": 60} }},
	{"80 % busy", "busy", record.Valid, "", busied(0.80)},
	{"81 % busy", "busy", record.Suspect, "the generator used 81 % of its 1 CPU (above 80 % is SUSPECT)", busied(0.81)},
	{"95 % busy", "busy", record.Suspect, "(above 80 % is SUSPECT)", busied(0.95)},
	{"96 % busy", "busy", record.Invalid, "the generator used 96 % of its 1 CPU (above 95 % is INVALID)", busied(0.96)},
	{"busy, nobody knows", "busy", record.Valid, "", busied(float64(record.Unknown()))},
	{"4.9 % slower", "speed", record.Valid, "", drifted(10, 10.49)},
	{"5.1 % slower", "speed", record.Suspect, "drifted by 5.1 % (above 5 % is SUSPECT): the same piece of work took 10 ms before the run and 10.5 ms after it", drifted(10, 10.51)},
	{"5.1 % quicker", "speed", record.Suspect, "drifted by 5.1 %", drifted(10.51, 10)},
	{"19.9 % slower", "speed", record.Suspect, "(above 5 % is SUSPECT)", drifted(10, 11.99)},
	{"20.1 % slower", "speed", record.Invalid, "drifted by 20.1 % (above 20 % is INVALID)", drifted(10, 12.01)},
	{"20.1 % quicker", "speed", record.Invalid, "drifted by 20.1 %", drifted(12.01, 10)},
	{"speed known once", "speed", record.Valid, "", drifted(10, float64(record.Unknown()))},
	{"a gap of 4 %, 1 % of error", "little", record.Valid, "", gap(0.0399, 0.01)},
	{"a gap above 4 %, 1 % of error", "little", record.Suspect, "Little's law does not hold", gap(0.0401, 0.01)},
	{"a gap below -4 %, 1 % of error", "little", record.Suspect, "(4.01 % apart; 4 % is allowed)", gap(-0.0401, 0.01)},
	{"a gap of 1 %, error unknown", "little", record.Valid, "", gap(0.0099, float64(record.Unknown()))},
	{"a gap above 1 %, error unknown", "little", record.Suspect, "(1.01 % apart; 1 % is allowed)", gap(0.0101, float64(record.Unknown()))},
	{"one connection lost", "lost", record.Suspect, "1 connection was lost", func(run *record.Run) { run.Connections["lost"] = 1 }},
	{"one request capped", "rate", record.Suspect, "1 request was not sent, because 100,000 were in flight", func(run *record.Run) {
		run.Sending.Capped, run.Sending.MostInFlight = 1, 100_000
	}},
	{"the server counted fewer", "server", record.Suspect, "nginx stub_status counted 1,999 requests where 2,000 were sent", func(run *record.Run) { run.ServerCount.Counted-- }},
	{"the server counted more", "server", record.Suspect, "nginx stub_status counted 2,001 requests", func(run *record.Run) { run.ServerCount.Counted++ }},
	{"the server could not count", "server", record.Valid, "", func(run *record.Run) { run.ServerCount = &record.ServerCount{Counted: 7, Error: "no answer"} }},
	{"interrupted", "interrupted", record.Suspect, "interrupted", func(run *record.Run) { run.Interrupted = true }},
}

func TestLimits(t *testing.T) {
	for _, f := range faults {
		run, watch := sound()
		f.do(run)
		v := validity.Judge(run, watch)
		if v.Verdict != f.verdict {
			t.Errorf("%s: %s %q, want %s", f.name, v.Verdict, v.Reasons, f.verdict)
		}
		if v.Reasons == nil || (f.says == "") != (len(v.Reasons) == 0) {
			t.Errorf("%s: the reasons are %#v", f.name, v.Reasons)
		}
		if f.says != "" && !strings.Contains(v.Reasons[0], f.says) {
			t.Errorf("%s: says %q, want %q in it", f.name, v.Reasons[0], f.says)
		}
	}
}

// failing is a run of which so many of 1,000 requests were not answered, and of what
// kind each is.
func failing(n int, outcome record.Outcome) (*record.Run, *validity.Watch) {
	w := &workload.Workload{Open: true, Rate: 1000, Requests: 1000, Seed: 1}
	requests := perform(w, func(int64, time.Duration) (lag, seen time.Duration) { return 0, 5 * ms })
	for i := range n {
		r := &requests[i*len(requests)/n]
		if r.Outcome = outcome; outcome == record.Failed {
			r.Class = "reset"
		}
	}
	return summed(w, requests)
}

func TestFailures(t *testing.T) {
	for _, outcome := range []record.Outcome{record.Failed, record.TimedOut, record.Unfinished} {
		for _, c := range []struct {
			failed  int
			verdict string
			says    string
		}{
			{10, record.Valid, ""},
			{11, record.Suspect, "11 of 1,000 scheduled requests without an answer (1.1 %; the limit is 1 %)"},
			{994, record.Suspect, "994 of 1,000"},
			{995, record.Suspect, "only 5 requests were answered"},
			{999, record.Suspect, "only 1 request was answered"},
			{1000, record.Invalid, "nothing was answered of 1,000 scheduled requests"},
		} {
			v := validity.Judge(failing(c.failed, outcome))
			if v.Verdict != c.verdict || c.says != "" && !strings.Contains(v.Reasons[0], c.says) {
				t.Errorf("%d %v: %s %q, want %s and %q", c.failed, outcome, v.Verdict, v.Reasons, c.verdict, c.says)
			}
		}
	}
}

// A request that no record tells of is missed: the schedule is known from its seed.
func TestLostRecord(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 1000, Requests: 1000, Seed: 1}
	requests := perform(w, func(int64, time.Duration) (lag, seen time.Duration) { return 0, 5 * ms })
	v := validity.Judge(summed(w, requests[:999]))
	if v.Verdict != record.Invalid || !strings.Contains(v.Reasons[0], "the schedule holds 1,000 requests and the run 999") {
		t.Errorf("%s %q", v.Verdict, v.Reasons)
	}
	run, watch := summed(w, requests[:999])
	run.Interrupted = true // then it may just not have come due
	if v := validity.Judge(run, watch); v.Verdict != record.Suspect || len(v.Reasons) != 1 {
		t.Errorf("interrupted: %s %q", v.Verdict, v.Reasons)
	}
}

// The verdict is the worst that any reason gives, reasons of an INVALID run come first,
// and one more fault never makes a verdict better.
func TestVerdictIsTheWorst(t *testing.T) {
	order := []string{record.Valid, record.Suspect, record.Invalid}
	random := rand.New(rand.NewPCG(3, 4))
	for range 25 {
		run, watch := sound()
		last, done := 0, map[string]bool{"": true}
		for range 5 {
			f := faults[random.IntN(len(faults))]
			if done[f.kind] {
				continue
			}
			done[f.kind] = true
			f.do(run)
			v := validity.Judge(run, watch)
			want := max(last, slices.Index(order, f.verdict))
			if v.Verdict != order[want] {
				t.Fatalf("%s after %s is %s, want %s: %q", f.name, order[last], v.Verdict, order[want], v.Reasons)
			}
			checkReasons(t, v)
			last = want
		}
	}
}

// checkReasons asks of a verdict that there is a reason unless it is VALID, that the
// graver ones come first, and that each is a sentence.
func checkReasons(t *testing.T, v *record.Validity) {
	t.Helper()
	if (v.Verdict == record.Valid) != (len(v.Reasons) == 0) {
		t.Errorf("%s with the reasons %q", v.Verdict, v.Reasons)
	}
	lighter := false
	for _, reason := range v.Reasons {
		if strings.Contains(reason, "is INVALID") && lighter {
			t.Errorf("a graver reason after a lighter one: %q", v.Reasons)
		}
		lighter = lighter || strings.Contains(reason, "is SUSPECT")
		if strings.Contains(reason, "\n") || strings.Contains(reason, "%!") || strings.Contains(reason, "NaN") {
			t.Errorf("the reason %q is no sentence", reason)
		}
	}
}

// The order in which requests come, from many workers in batches, does not matter.
func TestOrderDoesNotMatter(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 20_000, Requests: 30_000, Seed: 5}
	random := rand.New(rand.NewPCG(5, 6))
	requests := perform(w, func(_ int64, due time.Duration) (lag, seen time.Duration) {
		return time.Duration(random.Int64N(int64(ms))), 3*ms + due/200
	})
	var first string
	for range 3 {
		run, watch := summed(w, requests)
		tells := fmt.Sprintf("%+v %+v", *run.Sending, *validity.Judge(run, watch))
		if first == "" {
			first = tells
			if !strings.Contains(tells, "gaps between sends") || !strings.Contains(tells, "not steady") {
				t.Errorf("%s: the test looks at too little", tells)
			}
		}
		if tells != first {
			t.Errorf("%s in another order than %s", tells, first)
		}
		random.Shuffle(len(requests), func(i, j int) { requests[i], requests[j] = requests[j], requests[i] })
	}
}

// A watch that saw nothing has nothing to say but that.
func TestNothingWatched(t *testing.T) {
	for _, w := range []*workload.Workload{{Clients: 3}, {Open: true, Rate: 10, Length: time.Second}} {
		run := record.NewRun(record.Measured)
		run.Interrupted = true // at once
		watch := validity.NewWatch(w)
		run.Sending = watch.Sending(0)
		v := validity.Judge(run, watch)
		if v.Verdict != record.Invalid || !strings.Contains(v.Reasons[0], "nothing was answered of 0 scheduled requests") {
			t.Errorf("%s %q", v.Verdict, v.Reasons)
		}
	}
}
