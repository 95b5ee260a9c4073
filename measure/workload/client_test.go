package workload_test

import (
	"math"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/workload"
)

func TestClientWithoutLaws(t *testing.T) {
	w := workload.Workload{Clients: 1, Seed: 1}
	c := w.Client(0)
	for range 10 {
		if think, service := c.NextThink(), c.NextService(); think != 0 || service != 0 {
			t.Fatalf("without laws the think time is %v and the service time %v, want 0", think, service)
		}
	}
}

func TestKeys(t *testing.T) {
	w := workload.Workload{Clients: 2, Seed: 9}
	a, b := w.Client(0), w.Client(1)
	const n = 100_000
	equal, sum := 0, 0.0
	for range n {
		x, y := a.NextKey(), b.NextKey()
		if x < 0 || x >= workload.Keys {
			t.Fatalf("key %d is not a number below %d", x, workload.Keys)
		}
		if x == y {
			equal++
		}
		sum += float64(x)
	}
	if equal > 5 { // 0.1 are expected
		t.Errorf("two clients sent the same key %d times in %d", equal, n)
	}
	if mean := sum / n; math.Abs(mean-499_999.5) > 5*288_675/math.Sqrt(n) {
		t.Errorf("the mean key is %v, want 499999.5", mean)
	}
}

// The k-th key of a client does not depend on what else it draws.
func TestKindsOfDrawsAreApart(t *testing.T) {
	plain := workload.Workload{Clients: 1, Seed: 4}
	rich := plain
	rich.Think, rich.Service = law.NewExponential(1), law.NewExponential(2)
	a, b := plain.Client(0), rich.Client(0)
	for k := range 100 {
		a.NextThink()
		b.NextThink()
		b.NextService()
		b.NextThink()
		if x, y := a.NextKey(), b.NextKey(); x != y {
			t.Fatalf("key %d is %d, and %d where think and service times are drawn too", k, x, y)
		}
	}
}

func TestNanoseconds(t *testing.T) {
	tests := []struct {
		seconds float64
		want    time.Duration
	}{
		{0, 0}, {1, time.Second}, {0.005, 5 * time.Millisecond}, {1.4e-9, 1}, {1.6e-9, 2},
		{1e300, 1e18}, {math.Inf(1), 1e18},
	}
	for _, tt := range tests {
		if got := workload.Nanoseconds(tt.seconds); got != tt.want {
			t.Errorf("Nanoseconds(%v) = %d, want %d", tt.seconds, got, tt.want)
		}
	}
}
