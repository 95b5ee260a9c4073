package sim

import (
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// TestStalls plays written-down requests at stations that stand still from 20 to
// 30 ms, from 50 to 60 and so on. Freeze and lock differ for the work in service
// alone, and what that leads to.
func TestStalls(t *testing.T) {
	line := []request{
		at(0, 15*ms),
		at(10*ms, 10*ms), // in service as the first stall begins
		at(20*ms, 5*ms),  // comes as it begins
		at(30*ms, 15*ms), // comes as it ends
		at(55*ms, 10*ms), // comes in the second stall
		at(76*ms, 4*ms),  // has ended as the third one begins
	}
	shared := []request{
		at(0, 10*ms), // has ended, at half the speed, as the first stall begins
		at(0, 24*ms),
		at(25*ms, 5*ms),
	}
	tests := []struct {
		what     string
		kind     workload.StallKind
		station  Station
		requests []request
		want     []time.Duration
	}{
		{"fifo, freeze", workload.Freeze, Station{}, line, []time.Duration{15 * ms, 35 * ms, 40 * ms, 65 * ms, 75 * ms, 80 * ms}},
		{"fifo, lock", workload.Lock, Station{}, line, []time.Duration{15 * ms, 25 * ms, 35 * ms, 50 * ms, 70 * ms, 80 * ms}},
		// Alone from 20 ms on, the long one has 14 ms left. Frozen, it shares the
		// 10 ms from 30 to 40 with the newcomer. Locked, it is at 4 by then.
		{"ps, freeze", workload.Freeze, Station{Discipline: "ps"}, shared, []time.Duration{20 * ms, 49 * ms, 40 * ms}},
		{"ps, lock", workload.Lock, Station{Discipline: "ps"}, shared, []time.Duration{20 * ms, 38 * ms, 39 * ms}},
		{"two servers, freeze", workload.Freeze, Station{Servers: 2}, []request{at(0, 25*ms), at(5*ms, 20*ms), at(6*ms, 5*ms), at(7*ms, 5*ms)},
			[]time.Duration{35 * ms, 35 * ms, 40 * ms, 40 * ms}},
		{"two servers, lock", workload.Lock, Station{Servers: 2}, []request{at(0, 25*ms), at(5*ms, 20*ms), at(6*ms, 5*ms), at(7*ms, 5*ms)},
			[]time.Duration{25 * ms, 25 * ms, 35 * ms, 35 * ms}},
		{"a service over several freezes", workload.Freeze, Station{}, []request{at(0, 50*ms)}, []time.Duration{70 * ms}},
		// What begins as a lock begins, at the departure before, is in service.
		{"a service over a lock", workload.Lock, Station{}, []request{at(0, 45*ms), at(ms, 5*ms), at(ms, ms), at(ms, ms)}, []time.Duration{45 * ms, 50 * ms, 51 * ms, 61 * ms}},
		{"idle when it stops", workload.Freeze, Station{}, []request{at(22*ms, ms), at(29*ms, ms)}, []time.Duration{31 * ms, 32 * ms}},
		{"a lock's guests in order", workload.Lock, Station{Discipline: "ps"}, []request{at(22*ms, ms), at(23*ms, ms)}, []time.Duration{32 * ms, 32 * ms}},
		{"one ns later", workload.Freeze, Station{}, []request{at(0, 20*ms+1)}, []time.Duration{30*ms + 1}},
	}
	for _, tt := range tests {
		w := workload.Workload{Stall: workload.Stall{Kind: tt.kind, Length: 10 * ms, Period: 30 * ms}}
		got, e := play(t, w, tt.station, tt.requests...)
		ended(t, tt.what, got, tt.want...)
		var work time.Duration
		for _, r := range tt.requests {
			work += time.Duration(r.service)
		}
		if busy := time.Duration(e.station.busyTime(e.now)); busy != work {
			t.Errorf("%s: the servers worked %v for %v of service", tt.what, busy, work)
		}
	}
}

// A stall without a kind is a freeze, and the run says so.
func TestAnyStallIsAFreeze(t *testing.T) {
	w := workload.Workload{Clients: 1, Length: 100 * ms, Drain: time.Second, Stall: workload.Stall{Length: 10 * ms, Period: 30 * ms}}
	run, err := Run(t.Context(), &w, Station{Servers: 1, Service: law.NewDeterministic(0.015)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := "freeze:10ms/30ms"; run.Workload.Stall != want {
		t.Errorf("the run says %q, want %q", run.Workload.Stall, want)
	}
	// The second of 15 ms is stopped at 20 and ends at 40, not at 30.
	if got := float64(run.Latency.Get("max")); got < 24.9 {
		t.Errorf("the longest latency is %g ms, want 25: the work in service stops", got)
	}
}

// TestStallsEnd: a stall keeps no run alive, one longer than the run leaves what
// it stopped unfinished, and stalls go on through the drain.
func TestStallsEnd(t *testing.T) {
	w := workload.Workload{Stall: workload.Stall{Kind: workload.Freeze, Length: 10 * ms, Period: 30 * ms}}
	if _, e := play(t, w, Station{}, at(0, 5*ms)); time.Duration(e.now) != 5*ms {
		t.Errorf("the run went on until %v", time.Duration(e.now))
	}
	// The last request is sent at 0: all of it is the drain.
	got, _ := play(t, w, Station{}, at(0, 100*ms))
	ended(t, "stalls in the drain", got, 140*ms)

	w.Stall = workload.Stall{Kind: workload.Freeze, Length: time.Hour, Period: time.Hour + 20*ms}
	w.Drain = time.Second
	got, e := play(t, w, Station{}, at(0, 30*ms), at(5*ms, ms))
	for i, r := range got {
		if r.Outcome != record.Unfinished || r.Ended != time.Second+5*ms {
			t.Errorf("request %d in an endless freeze: %v at %v", i, r.Outcome, r.Ended)
		}
	}
	if busy := time.Duration(e.station.busyTime(e.now)); busy != 20*ms {
		t.Errorf("the server worked %v before an endless freeze", busy)
	}
	w.Stall.Kind = workload.Lock
	got, _ = play(t, w, Station{}, at(0, 30*ms), at(5*ms, ms))
	if got[0].Outcome != record.Answered || got[0].Ended != 30*ms || got[1].Outcome != record.Unfinished {
		t.Errorf("an endless lock: %+v", got)
	}
}

// TestStallInstants: stalls begin and end where the workload says, also where
// that is beyond the clock.
func TestStallInstants(t *testing.T) {
	for _, kind := range []string{"fifo", "ps"} {
		stall := workload.Stall{Length: 7, Period: 31}
		s := newStalls(stall)
		station := Station{Servers: 1, Discipline: kind}
		k, _, err := station.kind()
		if err != nil {
			t.Fatal(err)
		}
		d, err := k.build("", &station, &workload.Workload{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range int64(1000) {
			if begin := int64(stall.Begin(i)); s.at != begin || s.standing {
				t.Fatalf("stall %d begins at %d, want %d", i, s.at, begin)
			}
			s.change(d)
			if end := int64(stall.Begin(i) + stall.Length); s.at != end || !s.standing {
				t.Fatalf("stall %d ends at %d, want %d", i, s.at, end)
			}
			s.change(d)
		}
	}
	far := workload.Workload{Stall: workload.Stall{Kind: workload.Freeze, Length: time.Hour, Period: 200 * 365 * 24 * time.Hour}}
	got, _ := play(t, far, Station{}, at(0, ms), at(100*365*24*time.Hour, ms))
	ended(t, "a stall every 200 years", got, ms, 100*365*24*time.Hour+ms)
}
