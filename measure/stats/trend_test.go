package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"queuelab/measure/stats"
)

// series returns n different values whose statistic of Mann and Kendall is s.
func series(n, s int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(i)
	}
	down := (n*(n-1)/2 - s) / 2 // pairs to be put out of order
	for pass := 0; down > 0; pass++ {
		for i := 0; i < n-1-pass && down > 0; i++ {
			out[i], out[i+1] = out[i+1], out[i]
			down--
		}
	}
	return out
}

// One-sided probabilities of Mann and Kendall's S. Source: Gilbert, Statistical Methods
// for Environmental Pollution Monitoring (1987), Table A18, after Kendall.
func TestMannKendallTable(t *testing.T) {
	for _, c := range []struct {
		n, s int
		p    float64
	}{
		{4, 2, 0.375}, {4, 4, 0.167}, {4, 6, 0.042},
		{5, 4, 0.242}, {5, 8, 0.042}, {5, 10, 0.0083},
		{6, 7, 0.136}, {6, 11, 0.028}, {6, 15, 0.0014},
		{7, 9, 0.119}, {7, 15, 0.015}, {7, 19, 0.0014},
		{8, 10, 0.138}, {8, 16, 0.031}, {8, 20, 0.0071}, {8, 24, 0.00087},
		{9, 12, 0.130}, {9, 18, 0.038}, {9, 24, 0.0063},
		{10, 11, 0.190}, {10, 21, 0.036}, {10, 25, 0.014}, {10, 29, 0.0046},
	} {
		// The table has two significant digits.
		for _, sign := range []int{1, -1} {
			s, p := stats.MannKendall(series(c.n, sign*c.s))
			if s != sign*c.s || math.Abs(p/2-c.p) > 0.006*c.p+0.0005 && math.Abs(p/2/c.p-1) > 0.05 {
				t.Errorf("n = %d: S = %d with p = %.5f one-sided, want %d with %v", c.n, s, p/2, sign*c.s, c.p)
			}
		}
	}
}

// Where the exact distribution ends and the normal one takes over, the two agree: the
// 41st value, in the middle of a series without a trend of its own, changes little.
func TestMannKendallIsContinuous(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		values := make([]float64, 40)
		for i := range values {
			values[i] = random.NormFloat64() + 0.02*float64(i)
		}
		_, exact := stats.MannKendall(values)
		_, normal := stats.MannKendall(append(slices.Clone(values), stats.Median(values)))
		if math.Abs(exact-normal) > 0.04 {
			t.Errorf("p = %v of 40 values and %v with one more in the middle of their range", exact, normal)
		}
	}
}

func TestMannKendallEdges(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		s      int
		p      float64
	}{
		{"none", nil, 0, math.NaN()},
		{"two", []float64{1, 2}, 0, math.NaN()},
		{"unknown", []float64{1, 2, math.NaN()}, 0, math.NaN()},
		{"equal", []float64{3, 3, 3, 3}, 0, 1},
		{"three", []float64{1, 2, 3}, 3, 1.0 / 3},
		// Kendall's correction: (n(n-1)(2n+5) - 2·1·9)/18 = (300-18)/18 with z = 9/3.958.
		{"a tie", []float64{1, 2, 3, 3, 4}, 9, 0.0433},
		{"infinite", []float64{1, 2, math.Inf(1)}, 3, 1.0 / 3},
	} {
		s, p := stats.MannKendall(c.values)
		if s != c.s || !(math.Abs(p-c.p) < 0.001 || math.IsNaN(p) && math.IsNaN(c.p)) {
			t.Errorf("%s: S = %d, p = %v; want %d, %v", c.name, s, p, c.s, c.p)
		}
	}
}

// Monotone transformations do not matter, a series read backwards has the opposite
// trend, and exact probabilities are those of all orders.
func TestMannKendallProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		values := make([]float64, 3+random.IntN(60))
		for i := range values {
			values[i] = float64(random.IntN(40))
		}
		s, p := stats.MannKendall(values)
		other := make([]float64, len(values))
		for i, v := range values {
			other[i] = math.Exp(v / 10)
		}
		if s2, p2 := stats.MannKendall(other); s2 != s || p2 != p {
			t.Fatalf("%v: S = %d, p = %v; their exponentials %d, %v", values, s, p, s2, p2)
		}
		slices.Reverse(other)
		if s2, p2 := stats.MannKendall(other); s2 != -s || p2 != p {
			t.Fatalf("%v: S = %d, p = %v; backwards %d, %v", values, s, p, s2, p2)
		}
		if !(p >= 0 && p <= 1) {
			t.Fatalf("%v: p = %v", values, p)
		}
	}
	counts, n := map[int]int{}, 0
	permute([]float64{1, 2, 3, 4, 5, 6, 7}, 0, func(values []float64) {
		s, _ := stats.MannKendall(values)
		counts[max(s, -s)]++
		n++
	})
	for _, s := range []int{1, 3, 9, 13, 21} {
		far := 0
		for distance, count := range counts {
			if distance >= s {
				far += count
			}
		}
		if _, p := stats.MannKendall(series(7, s)); math.Abs(p-float64(far)/float64(n)) > 1e-12 {
			t.Errorf("S = %d of 7 values: p = %v, but %d of %d orders are as far from zero", s, p, far, n)
		}
	}
}

// permute visits every order of the values from index k on.
func permute(values []float64, k int, visit func([]float64)) {
	if k == len(values) {
		visit(values)
		return
	}
	for i := k; i < len(values); i++ {
		values[k], values[i] = values[i], values[k]
		permute(values, k+1, visit)
		values[k], values[i] = values[i], values[k]
	}
}

// Sen's own robustness: a line is found exactly, with some of its values replaced too.
func TestSlope(t *testing.T) {
	line := make([]float64, 21)
	for i := range line {
		line[i] = 7 - 0.25*float64(i)
	}
	if got := stats.Slope(line); !near(got, -0.25, 1e-12) {
		t.Errorf("the slope of a line of -0.25 is %v", got)
	}
	line[3], line[10], line[20], line[15] = 1e9, -1e9, 1e9, 1e9
	if got := stats.Slope(line); !near(got, -0.25, 0.05) {
		t.Errorf("four of 21 values moved the slope from -0.25 to %v", got)
	}
	if got := stats.Slope([]float64{1}); !math.IsNaN(got) {
		t.Errorf("one value has the slope %v", got)
	}
}

// Of independent means each test finds a drift at 1 % in about 1 %, of means that
// depend on each other in not many more, and a slope or a step is found.
func TestDrift(t *testing.T) {
	const series, n = 800, 20
	for _, c := range []struct {
		name        string
		correlation float64
		slope, step float64
		least, most float64
	}{
		{"independent", 0, 0, 0, 0.002, 0.025},
		{"correlated", 0.5, 0, 0, 0, 0.09},
		{"a slope of a standard deviation in five means", 0, 0.2, 0, 0.8, 1},
		{"a step of three standard deviations", 0, 0, 3, 0.8, 1},
	} {
		random := rand.New(rand.NewPCG(5, 6))
		found := 0
		for range series {
			means := make([]float64, n)
			noise := random.NormFloat64()
			for i := range means {
				noise = c.correlation*noise + math.Sqrt(1-c.correlation*c.correlation)*random.NormFloat64()
				means[i] = noise + c.slope*float64(i)
				if i >= n/2 {
					means[i] += c.step
				}
			}
			if trend, halves := stats.Drift(means); min(trend, halves) < 0.01 {
				found++
			}
		}
		if share := float64(found) / series; share < c.least || share > c.most {
			t.Errorf("%s: a drift in %.2f %% of series, want %.1f to %.1f %%", c.name, 100*share, 100*c.least, 100*c.most)
		}
	}
	if trend, halves := stats.Drift([]float64{1, 2, 3, 4, 5}); trend != 1 || halves != 1 {
		t.Errorf("five values drift with p = %v, %v", trend, halves)
	}
	if trend, halves := stats.Drift([]float64{4, 4, 4, 4, 4, 4, 4, 4}); trend != 1 || halves != 1 {
		t.Errorf("equal values drift with p = %v, %v", trend, halves)
	}
}

// The exact test of a series that only rises is that of one order in n!, doubled: no
// rounding error passes for a probability.
func TestMannKendallOfARise(t *testing.T) {
	for n := 4; n <= 40; n++ {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(i)
		}
		logGamma, _ := math.Lgamma(float64(n + 1))
		want := 2 * math.Exp(-logGamma)
		if _, p := stats.MannKendall(values); !(math.Abs(p/want-1) < 1e-6) {
			t.Errorf("%d rising values: p = %v, want %v", n, p, want)
		}
	}
}
