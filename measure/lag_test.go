package measure

import (
	"context"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// instant answers at once.
type instant struct{ drivers.Driver }

func (instant) Do(*drivers.Request) drivers.Answer { return drivers.Answer{} }
func (instant) Connections() drivers.Connections   { return drivers.Connections{} }

// records keeps what it was given.
type records []record.Request

func (s *records) Add(r *record.Request) { *s = append(*s, *r) }

// late runs a workload whose clock began the given time ago, as if the
// generator had stood still since.
func late(w *workload.Workload, by time.Duration) (*record.Run, records) {
	var kept records
	r := &runner{
		workload:  w,
		driver:    instant{},
		collector: record.NewCollector(record.Measured, &kept),
		finished:  make(chan []record.Request, 1000),
		start:     time.Now().Add(-by),

		mostInFlight: mostInFlight,
	}
	r.execute(context.Background())
	close(r.finished)
	r.collect()
	return r.collector.Run(), kept
}

// A generator that falls behind sends at once what is overdue, in order and
// without leaving anything out; each request's lag is charged to its latency
// and shown apart from the time that the client saw.
func TestLagIsChargedToLatency(t *testing.T) {
	const by = 500 * time.Millisecond
	w := &workload.Workload{Open: true, Rate: 200, Arrivals: workload.Even, Requests: 150, Drain: time.Second}
	run, kept := late(w, by)
	if run.Requests.Answered != 150 {
		t.Fatalf("%+v, want 150 answered", run.Requests)
	}
	overdue := 0
	for _, r := range kept {
		if r.Latency() != r.Lag()+r.ClientSeen() {
			t.Fatalf("latency %v is not lag %v plus client-seen time %v", r.Latency(), r.Lag(), r.ClientSeen())
		}
		if r.Scheduled >= by {
			continue
		}
		overdue++
		if missing := by - r.Scheduled; r.Lag() < missing || r.Latency() < missing {
			t.Errorf("due at %v, sent no earlier than %v: lag %v and latency %v are too short", r.Scheduled, by, r.Lag(), r.Latency())
		}
	}
	if overdue != 100 {
		t.Errorf("%d requests were due before the generator woke, want 100", overdue)
	}
	if lag := run.Lag.Get("max"); lag < 500 {
		t.Errorf("the largest lag is %v ms, want that of the first request, 500", lag)
	}
}

// A closed loop's first requests are late by as much, and its later ones count
// from their answers: a slow generator is not charged twice.
func TestClosedLoopLag(t *testing.T) {
	w := &workload.Workload{Clients: 1, Requests: 10, Drain: time.Second}
	_, kept := late(w, 500*time.Millisecond)
	if len(kept) != 10 || kept[0].Lag() < 500*time.Millisecond {
		t.Fatalf("%d records, the first with a lag of %v", len(kept), kept[0].Lag())
	}
	for i := 1; i < len(kept); i++ {
		if kept[i].Scheduled != kept[i-1].Ended {
			t.Errorf("request %d was due at %v, want %v, when the last one was answered", i, kept[i].Scheduled, kept[i-1].Ended)
		}
	}
}
