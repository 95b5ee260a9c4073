package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// mostExact is the size of the larger sample up to which the distribution of
// ranks is exact; beyond it the normal one takes its place.
const mostExact = 50

// MannWhitney is the two-sided p-value of the Mann–Whitney test, also named after
// Wilcoxon, that two samples come from the same law: the probability, if all
// values were dealt out to the samples by chance, that the sum of the ranks in
// one lies at least as far from its mean as it does. Equal values share the mean
// of their ranks. It is exact up to 50 values a sample, ties or not; beyond, it
// is the normal approximation with the corrections for ties and continuity. It
// is NaN when a sample is empty or holds a NaN, and 1 when all values are equal.
// Sources: Mann and Whitney, On a Test of Whether one of Two Random Variables is
// Stochastically Larger than the Other, Annals of Mathematical Statistics 18
// (1947); Streitberg and Röhmel, Exact Distributions for Permutation and Rank
// Tests, Statistical Software Newsletter 12 (1986), for the counting.
func MannWhitney(a, b []float64) float64 {
	if len(a) == 0 || len(b) == 0 || slices.ContainsFunc(a, math.IsNaN) || slices.ContainsFunc(b, math.IsNaN) {
		return math.NaN()
	}
	ranks := doubledRanks(a, b)
	sum := 0
	for _, r := range ranks[:len(a)] {
		sum += r
	}
	mean := len(a) * (len(ranks) + 1) // of the sum of doubled ranks
	distance := max(sum-mean, mean-sum)
	if max(len(a), len(b)) > mostExact {
		return approximateP(ranks, len(a), distance)
	}
	p := 0.0
	for s, share := range rankSums(ranks, len(a)) {
		if max(s-mean, mean-s) >= distance {
			p += share
		}
	}
	return min(p, 1)
}

// doubledRanks are twice the ranks of a's and then b's values among all of them:
// twice, because the mean of tied ranks may be a half.
func doubledRanks(a, b []float64) []int {
	all := slices.Concat(a, b)
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(all[i], all[j]) })
	ranks := make([]int, len(all))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && all[order[to]] == all[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = from + 1 + to // the mean of from+1 … to, doubled
		}
		from = to
	}
	return ranks
}

// rankSums is the distribution of the sum of m of the ranks, drawn by chance: the
// share of all draws for each sum.
func rankSums(ranks []int, m int) []float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	draws := make([][]float64, m+1) // by how many were drawn, and their sum
	for k := range draws {
		draws[k] = make([]float64, total+1)
	}
	draws[0][0] = 1
	for i, r := range ranks {
		for k := min(i+1, m); k > 0; k-- {
			for s := total; s >= r; s-- {
				draws[k][s] += draws[k-1][s-r]
			}
		}
	}
	floats.Scale(1/floats.Sum(draws[m]), draws[m])
	return draws[m]
}

// approximateP is the p-value of a distance of the sum of m doubled ranks from
// its mean, from a normal law with their variance.
func approximateP(ranks []int, m, distance int) float64 {
	n := float64(len(ranks))
	squares := 0.0
	for _, r := range ranks {
		squares += (float64(r) - (n + 1)) * (float64(r) - (n + 1))
	}
	sd := math.Sqrt(squares / n * float64(m) * (n - float64(m)) / (n - 1))
	if sd == 0 {
		return 1
	}
	// A rank sum moves in steps of one, which are two of the doubled ones.
	return min(2*distuv.UnitNormal.Survival((float64(distance)-1)/sd), 1)
}

// LeastP is the smallest p-value that the Mann–Whitney test can give for samples
// of m and n values, however far apart: 2 over the number of ways to choose m of
// m+n. Four and four values can show something at 5 %, three and three cannot.
func LeastP(m, n int) float64 {
	ways := 1.0
	for i := range m {
		ways *= float64(n+1+i) / float64(1+i)
	}
	return min(2/ways, 1)
}
