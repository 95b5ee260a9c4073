package measure_test

import (
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// A closed loop keeps N requests outstanding, never more.
func TestClosedLoopIsBounded(t *testing.T) {
	for _, clients := range []int{1, 4, 16} {
		f := newFake(nil)
		f.answer = func(int64, *drivers.Request) drivers.Answer { return f.after(2 * ms) }
		w := workload.Workload{Clients: clients, Length: 200 * ms, Drain: soon}
		run, _ := take(t, t.Context(), w, f)
		if most := f.most.Load(); most != int64(clients) {
			t.Errorf("%d clients had up to %d requests outstanding", clients, most)
		}
		if n := run.Requests.Answered; n < int64(clients) || n > 101*int64(clients) {
			t.Errorf("%d clients got %d answers of 2 ms within 200 ms", clients, n)
		}
	}
}

// A client's next request is due at its last answer plus its think time, to the
// nanosecond; the first one after one think time.
func TestThinkTime(t *testing.T) {
	const think = 3 * ms
	for _, tt := range []struct {
		name         string
		think        law.Law
		first, pause time.Duration
	}{{"none", nil, 0, 0}, {"3 ms", law.NewDeterministic(think.Seconds()), think, think}} {
		f := newFake(nil)
		f.answer = func(int64, *drivers.Request) drivers.Answer { return f.after(ms) }
		w := workload.Workload{Clients: 1, Requests: 20, Think: tt.think, Drain: soon}
		_, kept := take(t, t.Context(), w, f)
		due := tt.first
		for i, r := range kept {
			if r.Scheduled != due {
				t.Fatalf("think time %s: request %d was due at %v, want %v", tt.name, i, r.Scheduled, due)
			}
			due = r.Ended + tt.pause
		}
	}
}

// The think times are those of the client's seed.
func TestThinkTimesAreSeeded(t *testing.T) {
	w := workload.Workload{Clients: 1, Requests: 20, Think: law.NewExponential(0.001), Seed: 3, Drain: soon}
	f := newFake(func(int64, *drivers.Request) drivers.Answer { return drivers.Answer{} })
	_, kept := take(t, t.Context(), w, f)
	draws, last := w.Client(0), time.Duration(0)
	for i, r := range kept {
		if due := last + draws.NextThink(); r.Scheduled != due {
			t.Fatalf("request %d was due at %v, want %v", i, r.Scheduled, due)
		}
		last = r.Ended
	}
}

// A client whose request was not answered pauses 10 ms, so that a dead server
// is not hammered.
func TestFailurePause(t *testing.T) {
	for name, answer := range map[string]drivers.Answer{"refused": {Class: "refused"}, "timed out": {TimedOut: true}} {
		f := newFake(func(int64, *drivers.Request) drivers.Answer { return answer })
		w := workload.Workload{Clients: 4, Length: 200 * ms, Drain: soon}
		run, _ := take(t, t.Context(), w, f)
		if n := f.sent.Load(); n > 4*20 || n < 4 {
			t.Errorf("%s: 4 clients sent %d requests within 200 ms to a dead server, want at most 80", name, n)
		}
		if run.Requests.Answered != 0 {
			t.Errorf("%s: %+v", name, run.Requests)
		}
	}
	// Between a failure and the next request lie exactly 10 ms, between an
	// answer and the next one nothing.
	f := newFake(func(n int64, _ *drivers.Request) drivers.Answer {
		if n%2 == 0 {
			return drivers.Answer{Class: "refused"}
		}
		return drivers.Answer{}
	})
	_, kept := take(t, t.Context(), workload.Workload{Clients: 1, Requests: 10, Drain: soon}, f)
	for i := 1; i < len(kept); i++ {
		want := time.Duration(0)
		if kept[i-1].Outcome == record.Failed {
			want = 10 * ms
		}
		if pause := kept[i].Scheduled - kept[i-1].Ended; pause != want {
			t.Errorf("after a request that %v the next is due %v later, want %v", kept[i-1].Outcome, pause, want)
		}
	}
}
