package theory

import "math"

// quantile inverts a tail t ↦ P(T > t) that falls from at most 1 at t = 0 to
// nothing: the least t with P(T > t) ≤ 1-q, to the last digits of a float64.
// scale is a time of the distribution's own size, in the tail's unit, where
// the search begins.
func quantile(tail func(float64) float64, q, scale float64) (float64, error) {
	if err := checkQuantile(q); err != nil {
		return 0, err
	}
	above := 1 - q
	if tail(0) <= above {
		return 0, nil
	}
	lo, hi := 0.0, scale
	for tail(hi) > above {
		lo, hi = hi, 2*hi
	}
	for {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi || hi-lo <= 1e-15*hi {
			return hi, nil
		}
		if tail(mid) > above {
			lo = mid
		} else {
			hi = mid
		}
	}
}

// exponentialQuantile is the quantile of a time that exceeds t with
// probability atZero·exp(-t/mean): an atom of 1-atZero at 0 and an exponential
// law beyond it.
func exponentialQuantile(q, atZero, mean float64) (float64, error) {
	if err := checkQuantile(q); err != nil {
		return 0, err
	}
	return max(0, (math.Log(atZero)-math.Log1p(-q))*mean), nil
}
