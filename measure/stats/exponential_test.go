package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"queuelab/measure/stats"
)

// The published points of the modified statistic are exceeded in the published share
// of exponential samples, whatever their size and mean. Source: Stephens (1974), the
// exponential law with unknown mean.
func TestExponentialPoints(t *testing.T) {
	points := []struct{ at, share float64 }{
		{0.922, 0.15}, {1.078, 0.10}, {1.341, 0.05}, {1.606, 0.025}, {stats.ExponentialAt1, 0.01},
	}
	random := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{20, 100} {
		const samples = 20_000
		beyond := make([]int, len(points))
		values := make([]float64, n)
		for range samples {
			for i := range values {
				values[i] = random.ExpFloat64() * 3e6
			}
			a := stats.Exponential(values, 1)
			for i, p := range points {
				if a > p.at {
					beyond[i]++
				}
			}
		}
		for i, p := range points {
			// Four standard errors, and a tenth for the rounded points.
			if share := float64(beyond[i]) / samples; math.Abs(share-p.share) > 4*math.Sqrt(p.share/samples)+0.1*p.share {
				t.Errorf("n = %d: A² is above %v in %.4f of samples, want %v", n, p.at, share, p.share)
			}
		}
	}
}

// A² is the integral that defines it.
func TestExponentialIsTheIntegral(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{2, 5, 30} {
		values := make([]float64, n)
		for i := range values {
			values[i] = 1 + 10*random.Float64()
		}
		got := stats.Exponential(values, 1e-9) / (1 + 0.6/float64(n))
		if want := integral(values); math.Abs(got-want) > 1e-3*want {
			t.Errorf("A² of %d values is %v, its integral %v", n, got, want)
		}
	}
}

// integral is n ∫ (Fn − F)²/(F(1−F)) dF by the midpoint rule between the values.
func integral(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n, mean := float64(len(sorted)), 0.0
	for _, v := range sorted {
		mean += v / n
	}
	edges := []float64{0}
	for _, v := range sorted {
		edges = append(edges, -math.Expm1(-v/mean))
	}
	edges = append(edges, 1)
	sum := 0.0
	for i := range len(edges) - 1 {
		const steps = 20_000
		width, empirical := (edges[i+1]-edges[i])/steps, float64(i)/n
		for k := range steps {
			f := edges[i] + (float64(k)+0.5)*width
			sum += (empirical - f) * (empirical - f) / (f * (1 - f)) * width
		}
	}
	return n * sum
}

// Other laws of gaps are told from the exponential one, the order of the values and
// their unit do not matter, and a gap of zero does not make everything infinite.
func TestExponentialTells(t *testing.T) {
	var random *rand.Rand
	draws := map[string]func() float64{
		"even":    func() float64 { return 1 },
		"uniform": func() float64 { return random.Float64() },
		"erlang":  func() float64 { return random.ExpFloat64() + random.ExpFloat64() },
		"hyper": func() float64 {
			if random.Float64() < 0.1 {
				return 10 * random.ExpFloat64()
			}
			return random.ExpFloat64()
		},
	}
	for name, draw := range draws {
		random = rand.New(rand.NewPCG(11, 12)) // the same for each, in whatever order they come
		values := make([]float64, 1000)
		for i := range values {
			values[i] = draw()
		}
		a := stats.Exponential(values, 1e-9)
		if !(a > 2*stats.ExponentialAt1) {
			t.Errorf("A² of %d %s gaps is %v, too close to an exponential law's", len(values), name, a)
		}
		scaled := make([]float64, len(values))
		for i, j := range random.Perm(len(values)) {
			scaled[i] = 1e6 * values[j]
		}
		if b := stats.Exponential(scaled, 1e-3); math.Abs(b-a) > 1e-9*a {
			t.Errorf("%s: A² is %v, and %v in another order and unit", name, a, b)
		}
	}
	values := []float64{0, -3}
	for range 1000 {
		values = append(values, 1e6*random.ExpFloat64())
	}
	if a := stats.Exponential(values, 1); !(a < stats.ExponentialAt1) {
		t.Errorf("two gaps of no length among 1002 made A² %v", a)
	}
	for _, few := range [][]float64{nil, {1}} {
		if a := stats.Exponential(few, 1); !math.IsNaN(a) {
			t.Errorf("A² of %v is %v", few, a)
		}
	}
}
