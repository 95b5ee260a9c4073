package sim

import "math/bits"

// fine is a time or an instant of never negative nanoseconds and fractions of
// them in units of 2⁻³² ns: fixed point, so that sums are exact and the same on
// every machine.
type fine struct {
	ns       int64
	fraction uint32
}

func (t fine) before(other fine) bool {
	return t.ns < other.ns || t.ns == other.ns && t.fraction < other.fraction
}

// add is the sum; one beyond the clock's range is never.
func (t fine) add(other fine) fine {
	fraction := uint64(t.fraction) + uint64(other.fraction)
	return fine{after(after(t.ns, other.ns), int64(fraction>>32)), uint32(fraction)}
}

// sub is the difference, 0 where it would be negative.
func (t fine) sub(other fine) fine {
	if t.before(other) {
		return fine{}
	}
	fraction, borrow := bits.Sub64(uint64(t.fraction), uint64(other.fraction), 0)
	return fine{t.ns - other.ns - int64(borrow), uint32(fraction)}
}

// scale is the time multiplied by a/b, rounded to the nearest fraction; one
// beyond the clock's range is never. a and b are above 0 and below 2³¹.
func (t fine) scale(a, b uint64) fine {
	hi, lo := bits.Mul64(uint64(t.ns), a)
	low := uint64(t.fraction) * a
	lo, carry := bits.Add64(lo, low>>32, 0)
	hi += carry
	if hi >= b {
		return fine{ns: never}
	}
	whole, rest := bits.Div64(hi, lo, b)
	// rest is below b, so that what follows fits into 64 bits.
	fraction := (rest<<32 | low&(1<<32-1) + b/2) / b
	if whole >= never {
		return fine{ns: never}
	}
	return fine{int64(whole), 0}.add(fine{int64(fraction >> 32), uint32(fraction)})
}

// tolerance is how far behind a whole nanosecond an instant still counts as it,
// about a thousandth: fixed-point fractions are off by less.
const tolerance = 1 << 22

// up is the first whole nanosecond at or after an instant.
func (t fine) up() int64 {
	if t.fraction > tolerance {
		return after(t.ns, 1)
	}
	return t.ns
}
