package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"queuelab/measure/stats"
)

// exponentials turn differences into factors, whose logarithm undoes it.
func exponentials(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = math.Exp(v)
	}
	return out
}

func scaled(values []float64, by float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v * by
	}
	return out
}

// R's wilcox.test estimates 0.305 for Hollander and Wolfe's permeabilities, 95 %
// from -0.15 to 0.76, and StatXact-5 estimates 9.5 for its blood pressures; their
// interval under ties is of another kind.
func TestHodgesLehmannPublished(t *testing.T) {
	got := stats.HodgesLehmann(exponentials(earlier), exponentials(atTerm), 0.95)
	for _, c := range []struct{ got, want float64 }{{got.Change, 0.305}, {got.Lo, -0.15}, {got.Hi, 0.76}} {
		if !near(math.Log1p(c.got), c.want, 1e-9) {
			t.Errorf("permeabilities: %+v; on the logarithmic scale %v, want %v", got, math.Log1p(c.got), c.want)
		}
	}
	if got := stats.HodgesLehmann(exponentials(control), exponentials(treated), 0.95); !near(math.Log1p(got.Change), 9.5, 1e-9) {
		t.Errorf("blood pressures: %v, want 9.5", math.Log1p(got.Change))
	}
}

func TestHodgesLehmannLevels(t *testing.T) {
	for _, c := range []struct {
		m, n  int
		level float64
		want  float64 // 1 - 2·P(U ≤ k-1)
	}{
		{5, 5, 0.95, 1 - 8.0/252}, // U ≤ 2 has 4 of 252
		{4, 4, 0.95, 1 - 2.0/70},
		{3, 3, 0.95, 1 - 2.0/20}, // too few
		{2, 2, 0.95, 1 - 2.0/6},
		{1, 1, 0.95, 0},
		{5, 5, 0.999, 1 - 2.0/252}, // too few for this one
	} {
		a, b := make([]float64, c.m), make([]float64, c.n)
		for i := range a {
			a[i] = 1 + 0.01*float64(i)
		}
		for i := range b {
			b[i] = 2 + 0.01*float64(i)
		}
		if got := stats.HodgesLehmann(a, b, c.level); !near(got.Level, c.want, 1e-12) {
			t.Errorf("%d and %d values at %v: level %v, want %v", c.m, c.n, c.level, got.Level, c.want)
		}
	}
}

func TestHodgesLehmannUnknown(t *testing.T) {
	fine := []float64{1, 2, 3}
	for _, bad := range [][]float64{nil, {1, 0, 2}, {1, -2}, {math.NaN()}, {math.Inf(1)}} {
		for _, s := range []stats.Shift{stats.HodgesLehmann(fine, bad, 0.95), stats.HodgesLehmann(bad, fine, 0.95)} {
			for _, v := range []float64{s.Change, s.Lo, s.Hi, s.Level, s.Reach} {
				if !math.IsNaN(v) {
					t.Errorf("%v against %v gives %+v", fine, bad, s)
				}
			}
		}
	}
	same := stats.HodgesLehmann([]float64{3, 3, 3}, []float64{3, 3}, 0.95)
	if same.Change != 0 || same.Lo != 0 || same.Hi != 0 || same.Reach != 0 {
		t.Errorf("equal values are shifted: %+v", same)
	}
}

// What a change of units, of sides and of one sample's scale does to a shift.
func TestHodgesLehmannIdentities(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for range 100 {
		a := exponentials(normals(random, 2+random.IntN(6), 0))
		b := exponentials(normals(random, 2+random.IntN(6), 0.5))
		s := stats.HodgesLehmann(a, b, 0.95)
		if !(s.Lo <= s.Change && s.Change <= s.Hi) {
			t.Fatalf("the estimate lies outside its interval: %+v", s)
		}
		check := func(what string, got stats.Shift, change, lo, hi, reach float64) {
			for _, pair := range [][2]float64{{got.Change, change}, {got.Lo, lo}, {got.Hi, hi}, {got.Reach, reach}, {got.Level, s.Level}} {
				if !near(pair[0], pair[1], 1e-9*(1+math.Abs(pair[1]))) {
					t.Errorf("%s: %+v, want %v [%v, %v] reaching %v", what, got, change, lo, hi, reach)
				}
			}
		}
		check("both in another unit", stats.HodgesLehmann(scaled(a, 1e3), scaled(b, 1e3), 0.95), s.Change, s.Lo, s.Hi, s.Reach)
		inverse := func(v float64) float64 { return 1/(1+v) - 1 }
		check("the other way round", stats.HodgesLehmann(b, a, 0.95), inverse(s.Change), inverse(s.Hi), inverse(s.Lo), s.Reach)
		by := func(v float64) float64 { return (1+v)*1.05 - 1 }
		check("b 5 % larger", stats.HodgesLehmann(a, scaled(b, 1.05), 0.95), by(s.Change), by(s.Lo), by(s.Hi), s.Reach)
		if wide := stats.HodgesLehmann(a, b, 0.99); wide.Lo > s.Lo || wide.Hi < s.Hi || wide.Reach < s.Reach || wide.Level < s.Level {
			t.Errorf("more confidence gives less: %+v after %+v", wide, s)
		}
		// A sample that is moved by more than the reach is told apart.
		for _, factor := range []float64{(1 + s.Reach) * 1.000001, 1 / (1 + s.Reach) / 1.000001} {
			moved := stats.HodgesLehmann(a, scaled(b, factor/(1+s.Change)), 0.95)
			if moved.Lo <= 0 && moved.Hi >= 0 {
				t.Errorf("moved by %v, beyond the reach of %v, the interval is [%v, %v]", factor, s.Reach, moved.Lo, moved.Hi)
			}
		}
	}
}

// The interval holds the changes that the test does not reject.
func TestHodgesLehmannInvertsMannWhitney(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	for range 200 {
		a := exponentials(normals(random, 4+random.IntN(5), 0))
		b := exponentials(normals(random, 4+random.IntN(5), 0.8))
		s := stats.HodgesLehmann(a, b, 0.95)
		if shown, outside := stats.MannWhitney(a, b) <= 0.05, s.Lo > 0 || s.Hi < 0; shown != outside {
			t.Errorf("p = %v, but the interval is [%v, %v]", stats.MannWhitney(a, b), s.Lo, s.Hi)
		}
	}
}

// The interval covers a known factor as often as its level says, for a law with a
// long tail: 3,000 trials of five and five runs, bounds at four standard errors.
func TestHodgesLehmannCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 16))
	const trials, factor = 3000, 1.03
	covered, level := 0, 0.0
	for range trials {
		a, b := make([]float64, 5), make([]float64, 5)
		for i := range a {
			a[i], b[i] = 1+random.ExpFloat64(), factor*(1+random.ExpFloat64())
		}
		s := stats.HodgesLehmann(a, b, 0.95)
		if level = s.Level; s.Lo <= factor-1 && factor-1 <= s.Hi {
			covered++
		}
	}
	share := float64(covered) / trials
	if bound := 4 * math.Sqrt(level*(1-level)/trials); !near(share, level, bound) {
		t.Errorf("the interval covers the factor in %.4f of the trials, want %.4f ± %.4f", share, level, bound)
	}
}

// Large samples take the normal approximation without a jump in the level.
func TestHodgesLehmannOfLargeSamples(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 18))
	a, b := exponentials(normals(random, 51, 0)), exponentials(normals(random, 51, 0))
	exact, approximate := stats.HodgesLehmann(a[:50], b[:50], 0.95), stats.HodgesLehmann(a, b, 0.95)
	for _, s := range []stats.Shift{exact, approximate} {
		if s.Level < 0.95 || s.Level > 0.952 {
			t.Errorf("the level is %v, want 0.95 or a little more", s.Level)
		}
	}
	if !near(exact.Lo, approximate.Lo, 0.05) || !near(exact.Hi, approximate.Hi, 0.05) {
		t.Errorf("50 values a sample give %+v, 51 give %+v", exact, approximate)
	}
}
