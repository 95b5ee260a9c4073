package theory

import "math"

// poissonAbove returns P(N > m) for m = 0..n-1, N ~ Poisson(mean), mean ≤ 1 or
// so: sums of positive terms from the far end, which keep every digit.
func poissonAbove(mean float64, n int) []float64 {
	const beyond = 24 // terms after the last one asked for; 1/24! < 1e-23
	p := make([]float64, n+beyond)
	p[0] = math.Exp(-mean)
	for k := 1; k < len(p); k++ {
		p[k] = p[k-1] * mean / float64(k)
	}
	above := make([]float64, n)
	sum := 0.0
	for k := len(p) - 1; k > 0; k-- {
		sum += p[k]
		if k <= n {
			above[k-1] = sum
		}
	}
	return above
}

// poissonWeights calls visit with the weights P(N = k), N ~ Poisson(mean), for
// every k whose weight matters in a float64. They are built outwards from the
// mode and normalised by their own sum (after Fox and Glynn, Computing Poisson
// probabilities, Communications of the ACM 31 (1988) 440–445), so that no mean
// is too large.
func poissonWeights(mean float64, visit func(k int, weight float64)) {
	mode := int(mean)
	const least = 1e-300
	first, w := mode, 1.0
	total := 0.0
	for ; first > 0 && w > least; first-- {
		total += w
		w *= float64(first) / mean
	}
	low := w
	last, w := mode, 1.0
	up := 0.0
	for w > least {
		last++
		w *= mean / float64(last)
		up += w
	}
	total += low + up
	w = low / total
	for k := first; k <= last; k++ {
		visit(k, w)
		w *= mean / float64(k+1)
	}
}
