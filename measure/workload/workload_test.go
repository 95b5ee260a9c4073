package workload_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

func TestValidate(t *testing.T) {
	open := workload.Workload{Open: true, Rate: 10, Length: time.Second}
	closed := workload.Workload{Clients: 4, Requests: 100}
	tests := []struct {
		name   string
		base   workload.Workload
		change func(*workload.Workload)
		says   string // empty: possible
	}{
		{"open", open, func(*workload.Workload) {}, ""},
		{"even", open, func(w *workload.Workload) { w.Arrivals = workload.Even }, ""},
		{"closed", closed, func(*workload.Workload) {}, ""},
		{"both limits", closed, func(w *workload.Workload) { w.Length = 1 }, ""},
		{"think time", closed, func(w *workload.Workload) { w.Think = law.NewExponential(1) }, ""},
		{"no end", open, func(w *workload.Workload) { w.Length = 0 }, "needs an end"},
		{"no rate", open, func(w *workload.Workload) { w.Rate = 0 }, "-rate"},
		{"negative rate", open, func(w *workload.Workload) { w.Rate = -1 }, "-rate"},
		{"NaN rate", open, func(w *workload.Workload) { w.Rate = math.NaN() }, "-rate"},
		{"infinite rate", open, func(w *workload.Workload) { w.Rate = math.Inf(1) }, "-rate"},
		{"absurd rate", open, func(w *workload.Workload) { w.Rate = 2e9 }, "per nanosecond"},
		{"open with clients", open, func(w *workload.Workload) { w.Clients = 1 }, "-clients"},
		{"open with think time", open, func(w *workload.Workload) { w.Think = law.NewExponential(1) }, "-think"},
		{"sessions", open, func(w *workload.Workload) { w.PerSession = 1 }, ""},
		{"sessions that think", open, func(w *workload.Workload) { w.PerSession, w.Think = 2.5, law.NewExponential(1) }, ""},
		{"sessions of less than a request", open, func(w *workload.Workload) { w.PerSession = 0.5 }, "-session"},
		{"negative sessions", open, func(w *workload.Workload) { w.PerSession = -3 }, "-session"},
		{"NaN sessions", open, func(w *workload.Workload) { w.PerSession = math.NaN() }, "-session"},
		{"endless sessions", open, func(w *workload.Workload) { w.PerSession = math.Inf(1) }, "-session"},
		{"closed with sessions", closed, func(w *workload.Workload) { w.PerSession = 2 }, "-session"},
		{"no clients", closed, func(w *workload.Workload) { w.Clients = 0 }, "-clients"},
		{"negative clients", closed, func(w *workload.Workload) { w.Clients = -2 }, "-clients"},
		{"closed with rate", closed, func(w *workload.Workload) { w.Rate = 1 }, "-rate"},
		{"closed with arrivals", closed, func(w *workload.Workload) { w.Arrivals = workload.Even }, "-even"},
		{"negative length", open, func(w *workload.Workload) { w.Length = -1 }, "below zero"},
		{"negative requests", closed, func(w *workload.Workload) { w.Requests = -1 }, "below zero"},
		{"negative timeout", open, func(w *workload.Workload) { w.Timeout = -1 }, "below zero"},
		{"negative drain", open, func(w *workload.Workload) { w.Drain = -1 }, "below zero"},
		{"retries", closed, func(w *workload.Workload) { w.Retry = workload.Retry{After: 1, Copies: 3} }, ""},
		{"copies without a retry", open, func(w *workload.Workload) { w.Retry.Copies = 3 }, "-retry"},
		{"negative retry", open, func(w *workload.Workload) { w.Retry = workload.Retry{After: -1, Copies: 3} }, "-retry"},
		{"no copies", open, func(w *workload.Workload) { w.Retry.After = 1 }, "-copies"},
		{"more copies than a record counts", open, func(w *workload.Workload) { w.Retry = workload.Retry{After: 1, Copies: 256} }, "-copies"},
		{"an absurd timeout", open, func(w *workload.Workload) { w.Timeout = math.MaxInt64 }, "31 years"},
		{"a stall after the run", open, func(w *workload.Workload) {
			w.Stall = workload.Stall{Length: time.Second, Period: 2 * time.Second}
		}, "after its schedule"},
		{"a stall just in time", open, func(w *workload.Workload) {
			w.Stall = workload.Stall{Length: time.Second, Period: 2*time.Second - 1}
		}, ""},
		{"a stall as long as its period", open, func(w *workload.Workload) { w.Stall = workload.Stall{Length: 1, Period: 1} }, "stall"},
	}
	for _, tt := range tests {
		w := tt.base
		tt.change(&w)
		err := w.Validate()
		switch {
		case tt.says == "" && err != nil:
			t.Errorf("%s: refused: %v", tt.name, err)
		case tt.says != "" && err == nil:
			t.Errorf("%s: accepted, want an error with %q", tt.name, tt.says)
		case tt.says != "" && !strings.Contains(err.Error(), tt.says):
			t.Errorf("%s: the error is %q, want %q in it", tt.name, err, tt.says)
		}
	}
}

func TestDescribe(t *testing.T) {
	tests := []struct {
		w    workload.Workload
		want record.Workload
	}{
		{
			workload.Workload{Open: true, Rate: 100, Length: 30 * time.Second, Timeout: 5 * time.Second, Drain: time.Minute, Service: law.NewDeterministic(0.005)},
			record.Workload{Loop: "open", Rate: 100, Arrivals: "poisson", Seconds: 30, Timeout: 5, Drain: 60, Service: "det:5ms"},
		},
		{
			workload.Workload{Open: true, Rate: 2.5, Arrivals: workload.Even, Requests: 7},
			record.Workload{Loop: "open", Rate: 2.5, Arrivals: "even", Requests: 7},
		},
		{
			workload.Workload{Open: true, Rate: 20, PerSession: 10, Think: law.NewExponential(0.02), Requests: 7},
			record.Workload{Loop: "open", Rate: 20, Arrivals: "poisson", Session: 10, Think: "exp:20ms", Requests: 7},
		},
		{
			workload.Workload{Clients: 8, Think: law.NewExponential(0.02), Length: 1500 * time.Millisecond,
				Retry: workload.Retry{After: 200 * time.Millisecond, Copies: 3},
				Stall: workload.Stall{Kind: workload.Lock, Length: time.Second, Period: 5 * time.Second}},
			record.Workload{Loop: "closed", Clients: 8, Think: "exp:20ms", Seconds: 1.5, Retry: 0.2, Copies: 3, Stall: "lock:1s/5s"},
		},
	}
	for _, tt := range tests {
		if got := tt.w.Describe(); got != tt.want {
			t.Errorf("Describe() = %+v, want %+v", got, tt.want)
		}
	}
}

func TestDefaultDrain(t *testing.T) {
	for _, tt := range []struct{ length, want time.Duration }{
		{0, 10 * time.Second}, {5 * time.Second, 10 * time.Second}, {30 * time.Second, time.Minute},
		{9e17, 1e18}, // as far as the clock goes
	} {
		if got := workload.DefaultDrain(tt.length); got != tt.want {
			t.Errorf("DefaultDrain(%v) = %v, want %v", tt.length, got, tt.want)
		}
	}
}

// A warm-up offers the same workload for its own length, with other draws, and
// leaves the recorded workload as it was.
func TestWarmup(t *testing.T) {
	w := workload.Workload{Open: true, Rate: 100, Requests: 50, Drain: 7 * time.Second, Seed: 1}
	warm := w.Warmup(3 * time.Second)
	if warm.Length != 3*time.Second || warm.Requests != 0 || !warm.Open || warm.Rate != 100 || warm.Drain != w.Drain {
		t.Errorf("the warm-up is %+v", *warm)
	}
	if w.Length != 0 || w.Requests != 50 || w.Seed != 1 {
		t.Errorf("asking for a warm-up changed the workload to %+v", w)
	}
	if warm.Seed == w.Seed || instants(w, 2)[1] == instants(*warm, 2)[1] {
		t.Error("the warm-up sends what the recorded run sends")
	}
	if again := w.Warmup(time.Second); again.Seed != warm.Seed {
		t.Error("the same seed gave two different warm-ups")
	}
}
