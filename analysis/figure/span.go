package figure

import "math"

// span is the smallest interval that holds the values added to it.
type span struct {
	lo, hi float64
	n      int
}

// add widens the span by a value, if the scale shows it.
func (s *span) add(v float64, scale Scale) {
	if !scale.shows(v) {
		return
	}
	if s.n == 0 {
		s.lo, s.hi = v, v
	}
	s.lo, s.hi = math.Min(s.lo, v), math.Max(s.hi, v)
	s.n++
}

// merge widens the span by another.
func (s *span) merge(o span) {
	if o.n == 0 {
		return
	}
	n := s.n + o.n
	s.add(o.lo, Linear)
	s.add(o.hi, Linear)
	s.n = n
}

// room is the part of an axis left free beyond the outermost value.
const room = 0.05

// sideRoom is the same for a linear horizontal axis, where names of lines should
// stand close to their ends.
const sideRoom = 0.025

// padded turns the span of the data into the range of its axis. A linear range
// starts at zero unless a value is below it. Identical values get a range around
// them, so no range is ever empty.
func (s span) padded(scale Scale) (lo, hi float64) {
	if s.n == 0 {
		if scale == Log {
			return 1, 10
		}
		return 0, 1
	}
	if scale == Log {
		ratio := math.Pow(s.hi/s.lo, room)
		ratio = math.Max(ratio, 1.02)
		if s.hi/s.lo < 1.0001 {
			ratio = 2
		}
		return s.lo / ratio, s.hi * ratio
	}
	lo, hi = math.Min(0, s.lo), math.Max(0, s.hi)
	width := hi - lo
	if width == 0 {
		return 0, 1
	}
	if hi > 0 {
		hi += room * width
	}
	if lo < 0 {
		lo -= room * width
	}
	return lo, hi
}

// paddedX is padded for a horizontal axis, where a range far from zero may leave
// zero out: loads near the knee deserve the whole width.
func (s span) paddedX(scale Scale) (lo, hi float64) {
	if scale == Log || s.n == 0 || s.lo < 0 || s.hi == 0 {
		return s.padded(scale)
	}
	if s.lo < s.hi/2 || s.hi-s.lo < 1e-4*s.hi {
		return 0, s.hi * (1 + sideRoom)
	}
	width := s.hi - s.lo
	return s.lo - sideRoom*width, s.hi + sideRoom*width
}
