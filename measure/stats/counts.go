package stats

import "math/bits"

// perOctave is how many counters each doubling of the value has: neighbours
// are at most 0.4 % apart.
const perOctave = 256

// octaves is how many doublings an int64 of at least perOctave can have, and
// one more for the values below, which are counted exactly.
const octaves = 63 - 8 + 1

// counts is a histogram of int64 values that are not negative, with counters
// only where values were seen.
type counts [octaves]*[perOctave]int64

// place is the octave and the counter of a value.
func place(v int64) (octave, counter int) {
	if v < perOctave {
		return 0, int(v)
	}
	octave = bits.Len64(uint64(v)) - 8
	return octave, int(v>>(octave-1)) - perOctave
}

// edge is the least value of a counter.
func edge(octave, counter int) int64 {
	if octave == 0 {
		return int64(counter)
	}
	return int64(perOctave+counter) << (octave - 1)
}

// width is how many integers share a counter of an octave.
func width(octave int) int64 { return 1 << max(octave-1, 0) }

func (c *counts) add(v int64) {
	octave, counter := place(v)
	chunk := c[octave]
	if chunk == nil {
		chunk = new([perOctave]int64)
		c[octave] = chunk
	}
	chunk[counter]++
}

// merge adds the counts of another histogram, which may lend its counters.
func (c *counts) merge(other *counts) {
	for i, chunk := range other {
		if chunk == nil {
			continue
		}
		if c[i] == nil {
			c[i] = new([perOctave]int64)
		}
		for k, n := range chunk {
			c[i][k] += n
		}
	}
}

// clear forgets all values and keeps the counters for the next ones.
func (c *counts) clear() {
	for _, chunk := range c {
		if chunk != nil {
			*chunk = [perOctave]int64{}
		}
	}
}

// atMost is how many values lie in the counter of v or below it.
func (c *counts) atMost(v int64) int64 {
	last, counter := place(v)
	n := int64(0)
	for i := 0; i <= last; i++ {
		if c[i] == nil {
			continue
		}
		for k, m := range c[i] {
			if i == last && k > counter {
				break
			}
			n += m
		}
	}
	return n
}

// heavy is the share of all values above which one counter is taken to hold an
// atom of the law, a value that comes up again and again.
const heavy = 0.01

// rank is the value of a rank, 1 for the smallest, between bounds. The values
// of one counter are taken as evenly spread over it, which leaves a single
// number, unless so many share it that most may be one value: then the bounds
// are the counter's.
func (c *counts) rank(r float64, total int64) (lo, hi float64) {
	below := 0.0
	for i, chunk := range c {
		if chunk == nil {
			continue
		}
		for k, m := range chunk {
			if m == 0 {
				continue
			}
			lo = float64(edge(i, k))
			hi = lo + float64(width(i)-1)
			if below += float64(m); below < r {
				continue
			}
			if float64(m) < heavy*float64(total) {
				lo = hi - (hi-lo)*min((below-r+0.5)/float64(m), 1)
				hi = lo
			}
			return lo, hi
		}
	}
	return lo, hi
}
