package law_test

import (
	"testing"

	"queuelab/measure/law"
	"queuelab/measure/workload"
)

func TestScaled(t *testing.T) {
	l := law.NewExponential(0.004)
	twice := law.Scaled(l, 2)
	if twice.Mean() != 0.008 || twice.SCV() != 1 {
		t.Errorf("scaled by 2: mean %v and SCV %v, want 0.008 and 1", twice.Mean(), twice.SCV())
	}
	one, two := workload.Stream(1, "x", 0), workload.Stream(1, "x", 0)
	for range 100 {
		if a, b := l.Draw(one), twice.Draw(two); b != 2*a {
			t.Fatalf("drew %v where the law drew %v, want twice that", b, a)
		}
	}
}
