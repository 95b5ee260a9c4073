package record

import "testing"

// Stalls are told one by one while they are few.
func TestStallsLine(t *testing.T) {
	run := NewRun(Measured)
	if line := stallsLine(run); line != "" {
		t.Errorf("without stalls: %q", line)
	}
	for i := range 6 {
		run.Stalls = append(run.Stalls, Stalled{Begin: float64(10 * i), End: float64(10*i) + 0.5})
	}
	if got, want := stallsLine(run), "stalls 6, 3.00 s in all: 0.00 to 0.50 s, 10.00 to 10.50 s, 20.00 to 20.50 s, 30.00 to 30.50 s, …"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	run.Stalls = run.Stalls[:1]
	if got, want := stallsLine(run), "stalls 1, 0.50 s in all: 0.00 to 0.50 s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestOffered(t *testing.T) {
	for want, w := range map[string]Workload{
		"open, 100 requests/s, even arrivals, 30 s, seed 7":                                                           {Loop: "open", Rate: 100, Arrivals: "even", Seconds: 30},
		"open, 2.5 requests/s, gamma:4 arrivals, at most 9 requests, seed 7":                                          {Loop: "open", Rate: 2.5, Arrivals: "gamma:4", Requests: 9},
		"open, 100 requests/s, poisson arrivals of sessions of 8 requests on average thinking exp:20ms, 30 s, seed 7": {Loop: "open", Rate: 100, Arrivals: "poisson", Session: 8, Think: "exp:20ms", Seconds: 30},
		"closed, 8 clients thinking exp:20ms, 30 s, seed 7":                                                           {Loop: "closed", Clients: 8, Think: "exp:20ms", Seconds: 30},
	} {
		run := &Run{Workload: w, Seed: 7}
		if got := run.Offered(); got != want {
			t.Errorf("%+v is %q, want %q", w, got, want)
		}
	}
}
