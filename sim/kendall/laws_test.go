package kendall_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/workload"
	"queuelab/sim/kendall"
)

func parse(t *testing.T, text string) kendall.Model {
	t.Helper()
	m, err := kendall.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestServiceLaw asserts that the law has the mean and variation that were
// asked for, and reads back as the letter that it came from.
func TestServiceLaw(t *testing.T) {
	for _, tt := range []struct {
		model    string
		scv      float64
		spelling string
		wantSCV  float64
	}{
		{"M/M/1", 0, "exp:5ms", 1},
		{"M/D/1", 0, "det:5ms", 0},
		{"M/E4/1", 0, "erlang:5ms,4", 0.25},
		{"M/H2/1", 4, "hyper:5ms,4", 4},
		{"M/G/1", 0.3, "gamma:5ms,0.3", 0.3},
	} {
		m := parse(t, tt.model)
		l, err := m.ServiceLaw(5*time.Millisecond, tt.scv)
		if err != nil {
			t.Errorf("%s: %v", tt.model, err)
			continue
		}
		if l.String() != tt.spelling || math.Abs(l.Mean()-0.005) > 1e-15 || math.Abs(l.SCV()-tt.wantSCV) > 1e-15 {
			t.Errorf("%s: law %v with mean %v s and SCV %v, want %s with SCV %v", tt.model, l, l.Mean(), l.SCV(), tt.spelling, tt.wantSCV)
		}
		if letter := kendall.LetterOf(l); letter != m.Service {
			t.Errorf("%s: its law reads as %v", tt.model, letter)
		}
	}
}

func TestLawsRefuse(t *testing.T) {
	for _, tt := range []struct {
		model string
		mean  time.Duration
		scv   float64
		says  string
	}{
		{"M/M/1", 0, 0, "mean 0s"},
		{"M/M/1", -time.Second, 0, "mean -1s"},
		{"M/M/1", time.Second, 2, "leave it out"},
		{"M/G/1", time.Second, 0, "needs the squared coefficient"},
		{"M/E5000/1", time.Second, 0, "stages"},
	} {
		_, err := parse(t, tt.model).ServiceLaw(tt.mean, tt.scv)
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s with mean %v and SCV %v: %v, want %q", tt.model, tt.mean, tt.scv, err, tt.says)
		}
	}
	if _, err := parse(t, "G/M/1//4").ThinkLaw(time.Second); err == nil {
		t.Error("a general think time without variation was accepted")
	}
	if _, err := parse(t, "E3/M/1").Arrivals(); err == nil {
		t.Error("Erlang arrivals were accepted")
	}
}

func TestOf(t *testing.T) {
	exp, det := law.NewExponential(1), law.NewDeterministic(1)
	for _, tt := range []struct {
		workload workload.Workload
		service  law.Law
		servers  int
		want     string
	}{
		{workload.Workload{Open: true, Rate: 1}, exp, 1, "M/M/1"},
		{workload.Workload{Open: true, Rate: 1, Arrivals: workload.Even}, det, 3, "D/D/3"},
		{workload.Workload{Clients: 10, Think: exp}, exp, 1, "M/M/1//10"},
		{workload.Workload{Clients: 10, Think: det}, law.NewGamma(1, 2), 1, "D/G/1//10"},
		{workload.Workload{Clients: 8}, exp, 2, "M/M/2//8"},
	} {
		got := kendall.Of(&tt.workload, tt.service, tt.servers)
		if got.String() != tt.want {
			t.Errorf("Of(%+v) = %v, want %s", tt.workload, got, tt.want)
		}
		if again := parse(t, tt.want); again != got {
			t.Errorf("%s parses as %+v, not %+v", tt.want, again, got)
		}
		if tt.workload.Open {
			if a, err := got.Arrivals(); err != nil || a.String() != tt.workload.Describe().Arrivals {
				t.Errorf("%v: arrivals %q, %v", got, a, err)
			}
		} else if l, err := got.ThinkLaw(0); l != nil || err != nil {
			t.Errorf("%v: think law of mean 0 = %v, %v", got, l, err)
		}
	}
}
