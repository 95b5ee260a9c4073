package sim

import (
	"cmp"
	"context"
	"slices"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

const ms = time.Millisecond

// script is a source whose requests are written down.
type script struct {
	requests []request
	taken    int
}

func (s *script) next() int64 {
	if s.taken == len(s.requests) {
		return never
	}
	return s.requests[s.taken].due
}

func (s *script) take() (int32, int64) {
	s.taken++
	return 0, s.requests[s.taken-1].service
}

func (s *script) ended(int32, int64, bool) {}

func (s *script) end() int64 { return s.requests[len(s.requests)-1].due }

// at is a request of a script.
func at(due, service time.Duration) request { return request{int64(due), int64(service)} }

// sinkAll keeps every request.
type sinkAll []record.Request

func (s *sinkAll) Add(r *record.Request) { *s = append(*s, *r) }

// play runs a script at a station and returns the requests in the order of
// their schedule.
func play(t *testing.T, w workload.Workload, s Station, requests ...request) ([]record.Request, *engine) {
	t.Helper()
	return playAt(t, w, s, nil, requests...)
}

// playAt does so at a station whose inside is given.
func playAt(t *testing.T, w workload.Workload, s Station, inside discipline, requests ...request) ([]record.Request, *engine) {
	t.Helper()
	w.Open, w.Rate, w.Requests = true, 1, int64(len(requests))
	if w.Drain == 0 {
		w.Drain = time.Hour
	}
	s.Service = law.NewExponential(1)
	s.Servers = max(s.Servers, 1)
	var all sinkAll
	e, _, err := prepare(&w, &s, &Options{Sinks: []record.Sink{&all}})
	if err != nil {
		t.Fatal(err)
	}
	e.source = &script{requests: requests}
	if inside != nil {
		e.station = inside
	}
	e.run(context.Background())
	if len(all) != len(requests) {
		t.Fatalf("%d requests recorded, %d scheduled", len(all), len(requests))
	}
	slices.SortStableFunc(all, func(a, b record.Request) int { return cmp.Compare(a.Scheduled, b.Scheduled) })
	return all, e
}

// ended asserts when the requests ended, in the order of their schedule.
func ended(t *testing.T, what string, got []record.Request, want ...time.Duration) {
	t.Helper()
	for i := range want {
		if got[i].Ended != want[i] {
			t.Errorf("%s: request %d ended at %v, want %v", what, i, got[i].Ended, want[i])
		}
	}
}

// sent asserts how many copies of each request were sent.
func sent(t *testing.T, what string, got []record.Request, want ...uint8) {
	t.Helper()
	for i := range want {
		if got[i].Copies != want[i] {
			t.Errorf("%s: %d copies of request %d, want %d", what, got[i].Copies, i, want[i])
		}
	}
}
