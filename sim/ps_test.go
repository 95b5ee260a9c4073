package sim

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// TestSharing plays written-down requests at stations that share, to the
// nanosecond.
func TestSharing(t *testing.T) {
	tests := []struct {
		what     string
		servers  int
		requests []request
		want     []time.Duration
	}{
		{"alone", 1, []request{at(0, 7)}, []time.Duration{7}},
		// At thirds until 3, at halves until 5, then alone.
		{"1, 2 and 3 at once", 1, []request{at(0, 1*ms), at(0, 2*ms), at(0, 3*ms)}, []time.Duration{3 * ms, 5 * ms, 6 * ms}},
		// The processor sharing test of Ciw (tests/test_processor_sharing.py): jobs
		// of 1, 2 and 3 that arrive at 0.5 leave at 3.5, 5.5 and 6.5.
		{"1, 2 and 3 at 0.5", 1, []request{at(500*ms, time.Second), at(500*ms, 2*time.Second), at(500*ms, 3*time.Second)},
			[]time.Duration{3500 * ms, 5500 * ms, 6500 * ms}},
		{"equal ones leave together", 1, []request{at(0, 5), at(0, 5), at(0, 5)}, []time.Duration{15, 15, 15}},
		// The first has 6 left at 4, shares until the newcomer leaves at 8 with 2,
		// has 4 left, and shares those with the last one, which needs more.
		{"one after the other", 1, []request{at(0, 10*ms), at(4*ms, 2*ms), at(8*ms, 9*ms)}, []time.Duration{16 * ms, 8 * ms, 21 * ms}},
		// Two at full speed; three at two thirds from 10 to 25, when the first
		// has had its 20; two at full speed again, with 10 and 20 left.
		{"two servers", 2, []request{at(0, 20*ms), at(0, 30*ms), at(10*ms, 30*ms)}, []time.Duration{25 * ms, 35 * ms, 45 * ms}},
		{"more servers than jobs", 5, []request{at(0, 3), at(1, 3), at(2, 9)}, []time.Duration{3, 4, 11}},
		// Halves until 1, then thirds: the first leaves at 2.5. The second has had
		// 1 by then and leaves at 6.5, the third at 7. Each is told at the next
		// whole nanosecond, and delays nobody by it.
		{"fractions", 1, []request{at(0, 1), at(0, 3), at(1, 3)}, []time.Duration{3, 7, 7}},
		{"nothing to do", 1, []request{at(0, 5), at(2, 0), at(2, 5)}, []time.Duration{8, 2, 10}},
	}
	for _, tt := range tests {
		got, _ := play(t, workload.Workload{}, Station{Servers: tt.servers, Discipline: "ps"}, tt.requests...)
		ended(t, tt.what, got, tt.want...)
	}
}

// burst draws a script of so many requests, some of them at one instant and then
// the shorter one first, with services of very different lengths.
func burst(r *rand.Rand, n int) []request {
	var all []request
	due := int64(0)
	for range n {
		if r.IntN(3) > 0 {
			due += r.Int64N(1 << (1 + r.IntN(12)))
		}
		all = append(all, request{due, r.Int64N(1 << (1 + r.IntN(11)))})
	}
	slices.SortFunc(all, func(a, b request) int {
		return cmp.Or(cmp.Compare(a.due, b.due), cmp.Compare(a.service, b.service))
	})
	return all
}

// TestSharingConservesWork: one server empties at the same instants whether it
// shares or not; every job takes at least its service; and the work given is the
// work asked for.
func TestSharingConservesWork(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 100 {
		requests := burst(r, 1+r.IntN(60))
		var asked int64
		for _, q := range requests {
			asked += q.service
		}
		var empty [2][]time.Duration
		for i, discipline := range []string{"fifo", "ps"} {
			got, e := play(t, workload.Workload{}, Station{Discipline: discipline}, requests...)
			for _, q := range got {
				if q.Wait < 0 || q.Latency() < q.Service {
					t.Fatalf("%s: %+v took less than its service", discipline, q)
				}
			}
			if busy := e.station.busyTime(e.now); busy != asked {
				t.Fatalf("%s: worked %d ns for %d ns of service", discipline, busy, asked)
			}
			empty[i] = empties(got)
		}
		if !slices.Equal(empty[0], empty[1]) {
			t.Fatalf("%v: fifo empties at %v, ps at %v", requests, empty[0], empty[1])
		}
	}
}

// empties are the instants at which a station became empty, from its requests in
// the order of their schedule.
func empties(got []record.Request) []time.Duration {
	var instants []time.Duration
	last := got[0].Ended
	for _, q := range got {
		if q.Scheduled >= last && q.Ended > last {
			instants = append(instants, last)
		}
		last = max(last, q.Ended)
	}
	return append(instants, last)
}

// TestSharingAgainstSteps compares with the definition of processor sharing,
// computed from event to event in floating point.
func TestSharingAgainstSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 100 {
		requests, servers := burst(r, 1+r.IntN(12)), 1+r.IntN(3)
		got, _ := play(t, workload.Workload{}, Station{Servers: servers, Discipline: "ps"}, requests...)
		slices.SortFunc(got, func(a, b record.Request) int {
			return cmp.Or(cmp.Compare(a.Scheduled, b.Scheduled), cmp.Compare(a.Service, b.Service))
		})
		want := shareInFloats(requests, servers)
		for i, q := range got {
			if off := float64(q.Ended) - want[i]; off < -0.01 || off > 1.01 {
				t.Fatalf("%d servers, request %d of %v ended at %d, want %v", servers, i, requests, q.Ended, want[i])
			}
		}
	}
}

// shareInFloats gives the departures: between two events, every job present
// loses min(1, c/n) of each nanosecond.
func shareInFloats(requests []request, servers int) []float64 {
	const done = 1e-7 // ns that are rounding
	ended := make([]float64, len(requests))
	left := map[int]float64{}
	now, came := 0.0, 0
	for came < len(requests) || len(left) > 0 {
		speed := min(1, float64(servers)/float64(max(len(left), 1)))
		step := 1e18
		for _, work := range left {
			step = min(step, work/speed)
		}
		if came < len(requests) {
			step = min(step, float64(requests[came].due)-now)
		}
		now += step
		for i := range left {
			if left[i] -= step * speed; left[i] < done {
				ended[i] = now
				delete(left, i)
			}
		}
		for came < len(requests) && float64(requests[came].due) <= now {
			left[came] = float64(requests[came].service)
			came++
		}
	}
	return ended
}
