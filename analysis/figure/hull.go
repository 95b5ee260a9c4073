package figure

import "math"

// hull is the smallest interval that holds the values added to it.
type hull struct {
	lo, hi float64
	n      int
}

// add widens the hull by a value, if the scale shows it.
func (h *hull) add(v float64, scale Scale) {
	if !scale.shows(v) {
		return
	}
	if h.n == 0 {
		h.lo, h.hi = v, v
	}
	h.lo, h.hi = math.Min(h.lo, v), math.Max(h.hi, v)
	h.n++
}

// merge widens the hull by another.
func (h *hull) merge(o hull) {
	if o.n == 0 {
		return
	}
	n := h.n + o.n
	h.add(o.lo, Linear)
	h.add(o.hi, Linear)
	h.n = n
}

// room is the part of an axis left free beyond the outermost value.
const room = 0.05

// sideRoom is the same for a linear horizontal axis, where names of lines should
// stand close to their ends.
const sideRoom = 0.025

// padded turns the hull of the data into the range of its axis. A linear range
// starts at zero unless a value is below it. Identical values get a range around
// them, so no range is ever empty.
func (h hull) padded(scale Scale) (lo, hi float64) {
	if h.n == 0 {
		if scale == Log {
			return 1, 10
		}
		return 0, 1
	}
	if scale == Log {
		ratio := math.Pow(h.hi/h.lo, room)
		ratio = math.Max(ratio, 1.02)
		if h.hi/h.lo < 1.0001 {
			ratio = 2
		}
		return h.lo / ratio, h.hi * ratio
	}
	lo, hi = math.Min(0, h.lo), math.Max(0, h.hi)
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
func (h hull) paddedX(scale Scale) (lo, hi float64) {
	if scale == Log || h.n == 0 || h.lo < 0 || h.hi == 0 {
		return h.padded(scale)
	}
	if h.lo < h.hi/2 || h.hi-h.lo < 1e-4*h.hi {
		return 0, h.hi * (1 + sideRoom)
	}
	width := h.hi - h.lo
	return h.lo - sideRoom*width, h.hi + sideRoom*width
}
