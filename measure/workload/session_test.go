package workload_test

import (
	"math"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/workload"
)

// lengthOf counts the requests of session k.
func lengthOf(w *workload.Workload, k int) (n int) {
	for s, more := w.Session(k), true; more; n++ {
		_, more = s.Next(true)
	}
	return n
}

// Sessions have N requests on average, with the geometric law: the variance is
// N(N-1), and P(1) is 1/N.
func TestRequestsPerSession(t *testing.T) {
	const sessions = 20_000
	for _, n := range []float64{1.5, 4, 20} {
		w := workload.Workload{Open: true, Rate: 1, PerSession: n, Seed: 3}
		sum, squares, single := 0.0, 0.0, 0.0
		for k := range sessions {
			length := float64(lengthOf(&w, k))
			sum += length
			squares += length * length
			if length == 1 {
				single++
			}
		}
		mean := sum / sessions
		variance := squares/sessions - mean*mean
		if bound := 5 * math.Sqrt(n*(n-1)/sessions); math.Abs(mean-n) > bound {
			t.Errorf("%v requests in a session, want %v within %v", mean, n, bound)
		}
		if math.Abs(variance/(n*(n-1))-1) > 0.15 {
			t.Errorf("sessions of %v requests have the variance %v, want %v", n, variance, n*(n-1))
		}
		if p := single / sessions; math.Abs(p-1/n) > 5*0.5/math.Sqrt(sessions) {
			t.Errorf("a share of %v of sessions of %v has one request, want %v", p, n, 1/n)
		}
	}
}

// What a session holds is the seed's: it does not depend on whether it is answered, on
// its other draws, on its think time or on the rate.
func TestSessionsDependOnTheSeedAlone(t *testing.T) {
	w := workload.Workload{Open: true, Rate: 1, PerSession: 5, Seed: 3, Think: law.NewExponential(0.01)}
	other := w
	other.Rate, other.Think, other.Service = 1000, nil, law.NewExponential(1)
	longest := 0
	for k := range 200 {
		a, b := w.Session(k), other.Session(k)
		n := 0
		for more := true; more; n++ {
			if x, y := a.NextKey(), b.NextKey(); x != y {
				t.Fatalf("request %d of session %d has the key %d, and %d in another workload", n, k, x, y)
			}
			b.NextService()
			wait, goesOn := a.Next(true)
			paused, too := b.Next(false)
			if goesOn != too {
				t.Fatalf("session %d goes on after request %d: %v, and %v when that fails", k, n, goesOn, too)
			}
			if more = goesOn; more && (wait < 0 || paused != workload.FailurePause) {
				t.Fatalf("waits of %v, and %v after a failure without a think time", wait, paused)
			}
		}
		longest = max(longest, n)
	}
	w.Seed++
	changed := 0
	for k := range 200 {
		if lengthOf(&w, k) != lengthOf(&other, k) {
			changed++
		}
	}
	if changed < 100 || longest < 10 {
		t.Errorf("another seed changes %d of 200 sessions, the longest of which has %d requests", changed, longest)
	}
}

// Sessions arrive at rate/N, by the arrivals that were asked for.
func TestSessionsArrive(t *testing.T) {
	w := workload.Workload{Open: true, Rate: 100, PerSession: 4, Arrivals: workload.Even, Length: time.Second}
	got := instants(w, 1000)
	if len(got) != 25 || got[1] != 40*time.Millisecond {
		t.Errorf("%d sessions in 1 s, the second at %v; want 25, at 40ms", len(got), got[1])
	}
	if w.Gaps() != nil || !w.InSessions() {
		t.Error("requests in sessions are said to have independent gaps")
	}
	w.PerSession = 1
	if got := instants(w, 1000); len(got) != 100 || w.Gaps() == nil || w.InSessions() {
		t.Errorf("%d sessions of one request in 1 s, want 100 requests", len(got))
	}
}
