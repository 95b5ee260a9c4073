package known

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/workload"
)

const ms = time.Millisecond

// Departures of a first-come first-served queue, worked out by hand.
func TestAdmit(t *testing.T) {
	type job struct{ arrival, service, departure time.Duration }
	tests := []struct {
		name    string
		servers int
		jobs    []job
	}{
		{"an idle server starts at once", 1, []job{{0, 5, 5}, {7, 5, 12}, {100, 1, 101}}},
		{"one behind the other", 1, []job{{0, 5, 5}, {0, 5, 10}, {1, 5, 15}, {15, 5, 20}}},
		{"a short one does not overtake", 1, []job{{0, 30, 30}, {1, 1, 31}, {2, 1, 32}}},
		{"no service time", 1, []job{{3, 0, 3}, {3, 4, 7}, {4, 0, 7}}},
		{"two servers", 2, []job{{0, 10, 10}, {0, 4, 4}, {1, 5, 9}, {2, 5, 14}, {20, 1, 21}}},
		{"the server that is free first", 3, []job{{0, 9, 9}, {0, 5, 5}, {0, 7, 7}, {1, 1, 6}, {1, 1, 7}, {1, 1, 8}}},
		{"more servers than work", 4, []job{{0, 5, 5}, {1, 5, 6}, {2, 5, 7}}},
	}
	for _, tt := range tests {
		s := newStation(law.NewDeterministic(1), tt.servers, 1)
		for i, j := range tt.jobs {
			if got := s.admit(j.arrival*ms, j.service*ms); got != j.departure*ms {
				t.Errorf("%s: job %d leaves at %v, want %v", tt.name, i, got, j.departure*ms)
			}
		}
	}
}

// At any instant no more than c jobs are in service, and nobody waits while a
// server is idle, for random arrivals and service times.
func TestAdmitIsWorkConserving(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, servers := range []int{1, 2, 5} {
		s := newStation(law.NewDeterministic(1), servers, 1)
		var busy []time.Duration // departures of all before
		now := time.Duration(0)
		for range 2000 {
			now += time.Duration(r.Int64N(int64(2 * ms)))
			service := time.Duration(r.Int64N(int64(4*ms) * int64(servers) / 2))
			departure := s.admit(now, service)
			begin := departure - service
			working := 0
			for _, d := range busy {
				if d > begin {
					working++
				}
			}
			if working >= servers {
				t.Fatalf("%d servers: a job begins at %v while %d others are in service", servers, begin, working)
			}
			if begin > now && !slices.Contains(busy, begin) {
				t.Fatalf("%d servers: a job that came at %v waits until %v, when no server becomes free", servers, now, begin)
			}
			busy = append(busy, departure)
		}
	}
}

// Service times come from the law under the seed, one for each request that
// names none.
func TestArriveDrawsFromTheLaw(t *testing.T) {
	const seed = 42
	l := law.NewExponential(1000) // seconds: the queue is never empty after the first
	s := newStation(l, 1, seed)
	draws := workload.Stream(seed, "service", 0)
	last := s.arrive(-1) - workload.Nanoseconds(l.Draw(draws))
	if last < 0 || last > time.Minute {
		t.Fatalf("the first request arrived at %v by its departure", last)
	}
	last = s.free[0]
	for i := range 100 {
		want := last
		if i%3 == 0 {
			want += 7 * ms
			last = s.arrive(7 * ms)
		} else {
			want += workload.Nanoseconds(l.Draw(draws))
			last = s.arrive(-1)
		}
		if last != want {
			t.Fatalf("request %d leaves at %v, want %v", i, last, want)
		}
	}
}

func TestNamed(t *testing.T) {
	for query, want := range map[string]time.Duration{
		"": -1, "other=1": -1, "service=5.3ms": 5300 * time.Microsecond, "service=0s": 0, "a=1&service=1h": time.Hour,
		"service=1500000ns": 1500 * time.Microsecond,
	} {
		if got, err := named(query); err != nil || got != want {
			t.Errorf("%q names %v, %v; want %v", query, got, err, want)
		}
	}
	for _, query := range []string{"service=", "service", "service=5", "service=-1ms", "service=fast", "service=NaN", "service=61m", "service=%zz", "service=1ms;x"} {
		if got, err := named(query); err == nil {
			t.Errorf("%q names %v, want an error", query, got)
		}
	}
}
