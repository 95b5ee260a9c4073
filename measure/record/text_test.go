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
