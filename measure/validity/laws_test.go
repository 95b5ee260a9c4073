package validity_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/validity"
	"queuelab/measure/workload"
)

// found says whether a reason of a verdict holds the words.
func found(v *record.Validity, words string) bool {
	return strings.Contains(strings.Join(v.Reasons, "\n"), words)
}

// sendings are ways of a generator to send at 1,000/s.
var sendings = []struct {
	name     string
	arrivals workload.Arrivals
	requests int64
	lag      func(random *rand.Rand, due time.Duration) time.Duration
	says     string
	least    int // of 8 runs, flagged
	most     int
}{
	{"Poisson, on time", workload.Poisson, 3000, lateBy(0), "not those of Poisson arrivals", 0, 1},
	{"Poisson, at most 100 µs late", workload.Poisson, 3000, lateBy(100 * time.Microsecond), "not those of Poisson arrivals", 0, 2},
	{"Poisson, on a grid of a millisecond", workload.Poisson, 3000, onGrid(ms), "not those of Poisson arrivals", 8, 8},
	{"Poisson, stopped for 100 of every 500 ms", workload.Poisson, 3000, stopped(100*ms, 500*ms), "not those of Poisson arrivals", 8, 8},
	{"Poisson, too few gaps", workload.Poisson, 20, onGrid(ms), "gaps", 0, 0},
	{"Poisson, gaps enough", workload.Poisson, 40, onGrid(10 * ms), "not those of Poisson arrivals", 6, 8},
	{"even, on time", workload.Even, 3000, lateBy(0), "not even", 0, 0},
	// Lags that are uniform up to d add d²/6 to the variance of a gap.
	{"even, an SCV of 0.015", workload.Even, 3000, lateBy(300 * time.Microsecond), "not even", 0, 0},
	{"even, an SCV of 0.027", workload.Even, 3000, lateBy(400 * time.Microsecond), "squared coefficient of variation is 0.02", 8, 8},
	{"even, too few gaps", workload.Even, 20, onGrid(100 * ms), "gaps", 0, 0},
}

func lateBy(most time.Duration) func(*rand.Rand, time.Duration) time.Duration {
	return func(random *rand.Rand, _ time.Duration) time.Duration {
		return time.Duration(random.Float64() * float64(most))
	}
}

func onGrid(grid time.Duration) func(*rand.Rand, time.Duration) time.Duration {
	return func(_ *rand.Rand, due time.Duration) time.Duration { return grid - due%grid }
}

// stopped stands still in the first part of every period.
func stopped(length, period time.Duration) func(*rand.Rand, time.Duration) time.Duration {
	return func(_ *rand.Rand, due time.Duration) time.Duration { return max(length-due%period, 0) }
}

func TestArrivals(t *testing.T) {
	for _, c := range sendings {
		flagged := 0
		for seed := range uint64(8) {
			w := &workload.Workload{Open: true, Rate: 1000, Arrivals: c.arrivals, Requests: c.requests, Seed: seed}
			random := rand.New(rand.NewPCG(seed, 7))
			v := validity.Judge(summed(w, perform(w, func(_ int64, due time.Duration) (lag, seen time.Duration) {
				return c.lag(random, due), 10 * ms
			})))
			if found(v, c.says) {
				flagged++
			}
		}
		if flagged < c.least || flagged > c.most {
			t.Errorf("%s: %d of 8 runs are flagged with %q, want %d to %d", c.name, flagged, c.says, c.least, c.most)
		}
	}
}

// The sample spans a run that is longer than it, and requests that were never sent
// make no gap.
func TestArrivalsOfALongRun(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 1000, Arrivals: workload.Even, Requests: 60_000}
	for _, from := range []time.Duration{0, 30 * time.Second, time.Hour} {
		requests := perform(w, func(_ int64, due time.Duration) (lag, seen time.Duration) {
			if due >= from && due < from+20*time.Second {
				return stopped(100*ms, 500*ms)(nil, due), ms
			}
			return 0, ms
		})
		if v := validity.Judge(summed(w, requests)); found(v, "not even") != (from < time.Minute) {
			t.Errorf("sends bunched for 20 s from %v on: %s %q", from, v.Verdict, v.Reasons)
		}
		for i := range requests {
			if i%100 < 20 {
				requests[i].Outcome, requests[i].Sent = record.Unsent, 0
			}
		}
		if v := validity.Judge(summed(w, requests)); from == time.Hour && found(v, "not even") {
			t.Errorf("a fifth of even sends left out: %q", v.Reasons)
		}
	}
}

// Closed workloads have no law of sends.
func TestClosedHasNoArrivals(t *testing.T) {
	w := &workload.Workload{Clients: 1, Requests: 500}
	var requests []record.Request
	for i := range 500 {
		at := time.Duration(i/50) * 100 * ms
		requests = append(requests, record.Request{Scheduled: at, Sent: at, Ended: at + ms, Copies: 1})
	}
	if v := validity.Judge(summed(w, requests)); v.Verdict != record.Valid {
		t.Errorf("%s %q", v.Verdict, v.Reasons)
	}
}

// One seed in a hundred draws gaps that are unusual for a Poisson process: what was sent
// as it was drawn is no fault of the sending, and the reason says so.
func TestUnusualSeedIsNotTheSendersFault(t *testing.T) {
	unusual := 0
	for seed := range uint64(400) {
		w := &workload.Workload{Open: true, Rate: 100, Requests: 250, Seed: seed}
		v := validity.Judge(summed(w, perform(w, func(int64, time.Duration) (lag, seen time.Duration) { return 0, 5 * ms })))
		for _, reason := range v.Reasons {
			if strings.Contains(reason, "bunched") {
				t.Errorf("seed %d, sent on time: %s", seed, reason)
			}
			if strings.Contains(reason, "unusual sample") {
				unusual++
			}
		}
	}
	if unusual == 0 || unusual > 15 { // four are expected
		t.Errorf("%d of 400 seeds are called unusual", unusual)
	}
}
