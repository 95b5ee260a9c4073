package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	moremath "github.com/aclements/go-moremath/stats"

	"queuelab/measure/stats"
)

var (
	// Permeability of the human chorioamnion at term and at 12 to 26 weeks:
	// Hollander and Wolfe, Nonparametric Statistical Methods, table 4.1.
	atTerm  = []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}
	earlier = []float64{1.15, 0.88, 0.90, 0.74, 1.21}
	// Blood pressure of two groups, with ties: StatXact-5 manual, table 9.6.
	treated = []float64{94, 108, 110, 90}
	control = []float64{80, 94, 85, 90, 90, 90, 108, 94, 78, 105, 88}
)

func TestMannWhitneyPublished(t *testing.T) {
	for _, c := range []struct {
		name      string
		a, b      []float64
		want, tol float64
	}{
		// One-sided 0.1272, and without ties the law is symmetric.
		{"Hollander and Wolfe", atTerm, earlier, 2 * 0.1272, 0.0001},
		{"StatXact", treated, control, 0.0989, 0.00005},
		{"3+3, apart", []float64{1, 2, 3}, []float64{4, 5, 6}, 0.1, 1e-12},
		{"4+4, apart", []float64{1, 2, 3, 4}, []float64{5, 6, 7, 8}, 2.0 / 70, 1e-12},
		{"5+5, apart", []float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}, 2.0 / 252, 1e-12},
		{"all equal", []float64{3, 3, 3, 3}, []float64{3, 3, 3, 3, 3}, 1, 1e-12},
		// One of the four draws gives each of 3 | 2 2 2.
		{"one against ties", []float64{3}, []float64{2, 2, 2}, 0.25, 1e-12},
		{"one each", []float64{1}, []float64{2}, 1, 1e-12},
		{"empty", nil, []float64{1}, math.NaN(), 0},
		{"unknown", []float64{1, math.NaN()}, []float64{1}, math.NaN(), 0},
	} {
		if got := stats.MannWhitney(c.a, c.b); !near(got, c.want, c.tol) {
			t.Errorf("%s: p = %.6f, want %.6f", c.name, got, c.want)
		}
	}
}

// Tables give the largest U that is significant at 5 %, two-sided.
func TestMannWhitneyCriticalValues(t *testing.T) {
	for _, c := range []struct{ m, n, u int }{
		{4, 4, 0}, {4, 5, 1}, {5, 5, 2}, {5, 6, 3}, {6, 6, 5}, {7, 7, 8}, {8, 8, 13}, {10, 10, 23}, {12, 12, 37}, {20, 20, 127},
	} {
		at, above := stats.MannWhitney(samplesWithU(c.m, c.n, c.u)), stats.MannWhitney(samplesWithU(c.m, c.n, c.u+1))
		if at > 0.05 || above <= 0.05 {
			t.Errorf("%d and %d values: p is %.4f at U = %d and %.4f above it, want 0.05 between them", c.m, c.n, at, c.u, above)
		}
	}
}

// samplesWithU are samples of m and n values in which u pairs have the value of
// the first sample above that of the second.
func samplesWithU(m, n, u int) (a, b []float64) {
	for j := range n {
		b = append(b, float64(j))
	}
	for i := range m {
		below := min(u, n)
		u -= below
		a = append(a, float64(below)-0.5+float64(i)/float64(10*m))
	}
	return a, b
}

// byDealing deals the values out in every way, which no formula is needed for.
func byDealing(a, b []float64) float64 {
	all := slices.Concat(a, b)
	distance := func(chosen int) float64 {
		u := 0.0
		for i, x := range all {
			for j, y := range all {
				if chosen>>i&1 == 1 && chosen>>j&1 == 0 {
					u += 0.5
					if x > y {
						u += 0.5
					} else if x < y {
						u -= 0.5
					}
				}
			}
		}
		return math.Abs(u - float64(len(a)*len(b))/2)
	}
	observed, draws, far := distance(1<<len(a)-1), 0.0, 0.0
	for chosen := range 1 << len(all) {
		ones := 0
		for i := range all {
			ones += chosen >> i & 1
		}
		if ones != len(a) {
			continue
		}
		draws++
		if distance(chosen) >= observed {
			far++
		}
	}
	return far / draws
}

func TestMannWhitneyIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		a, b := make([]float64, 1+random.IntN(5)), make([]float64, 1+random.IntN(5))
		for _, sample := range [][]float64{a, b} {
			for i := range sample {
				sample[i] = float64(random.IntN(6)) // with many ties
			}
		}
		if got, want := stats.MannWhitney(a, b), byDealing(a, b); !near(got, want, 1e-12) {
			t.Errorf("%v and %v: p = %v, want %v", a, b, got, want)
		}
	}
}

// Without ties an independent implementation agrees, the exact test and the
// normal approximation alike.
func TestMannWhitneyAgainstMoremath(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, size := range [][2]int{{5, 5}, {7, 12}, {30, 20}, {50, 50}, {60, 55}, {200, 3}} {
		a, b := normals(random, size[0], 0), normals(random, size[1], 0.3)
		theirs, err := moremath.MannWhitneyUTest(a, b, moremath.LocationDiffers)
		if err != nil {
			t.Fatal(err)
		}
		if got := stats.MannWhitney(a, b); !near(got, theirs.P, 1e-9) {
			t.Errorf("%v values: p = %v, go-moremath says %v", size, got, theirs.P)
		}
	}
}

// The approximation takes over without a jump, with ties too.
func TestMannWhitneyApproximationJoins(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	a, b := make([]float64, 50), make([]float64, 50)
	for i := range a {
		a[i], b[i] = float64(random.IntN(8)), float64(1+random.IntN(8))
	}
	exact := stats.MannWhitney(a, b)
	// One value more in the middle of both samples moves p little.
	approximate := stats.MannWhitney(append(a, 4), append(b, 5))
	if !(exact > 0) || math.Abs(math.Log(approximate/exact)) > 0.5 {
		t.Errorf("50 values a sample give p = %v, 51 give %v", exact, approximate)
	}
}

func normals(random *rand.Rand, n int, mean float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = mean + random.NormFloat64()
	}
	return out
}

func TestLeastP(t *testing.T) {
	for _, c := range []struct {
		m, n int
		want float64
	}{{0, 5, 1}, {1, 1, 1}, {3, 3, 0.1}, {4, 4, 2.0 / 70}, {5, 5, 2.0 / 252}, {3, 20, 2.0 / 1771}, {6, 6, 2.0 / 924}, {2000, 2000, 0}} {
		if got := stats.LeastP(c.m, c.n); !near(got, c.want, 1e-12) {
			t.Errorf("%d and %d values: %v, want %v", c.m, c.n, got, c.want)
		}
	}
	// No samples give less.
	if got := stats.MannWhitney(samplesWithU(4, 6, 0)); !near(got, stats.LeastP(4, 6), 1e-12) {
		t.Errorf("4 and 6 values that lie apart give p = %v, want %v", got, stats.LeastP(4, 6))
	}
}
