package record

import (
	"math/bits"
	"time"

	"queuelab/measure/stats"
)

const (
	// mostCells bounds the cells of a course; a run that outgrows them gets cells of
	// twice the length, so that at least half of them are in use.
	mostCells = 128
	// firstCell is their length at first.
	firstCell = time.Millisecond
	// batchCells make a batch: a run that fills its cells has 16 to 32 batches, within
	// what Schmeiser (1982) recommends.
	batchCells = 4
)

// course counts latencies by the stretch of the schedule that they belong to, so that
// it can be said how many independent values a quantile rests on: a request that meets
// a long queue tells little that the one before it did not.
type course struct {
	cell   time.Duration
	period time.Duration
	cells  [][coarseBuckets]uint32
}

// coarseBuckets are 16 for each power of two of nanoseconds, 6 % wide.
const coarseBuckets = 60 * 16

// coarseBucket is the bucket of a time: its highest bits.
func coarseBucket(d time.Duration) int {
	v := uint64(max(d, 0))
	if v < 16 {
		return int(v)
	}
	shift := bits.Len64(v) - 5
	return 16*(shift+1) + int(v>>shift) - 16
}

// newCourse begins a course. What comes again after each period, such as a server's
// stalls, is no chance: a whole number of cells makes a period, zero for none.
func newCourse(period time.Duration) *course {
	cell := period
	for cell > firstCell {
		cell /= 2
	}
	if cell == 0 {
		cell = firstCell
	}
	return &course{cell: cell, period: period}
}

// add counts a latency of a request that was scheduled at the given instant.
func (c *course) add(scheduled, latency time.Duration) {
	i := int(max(scheduled, 0) / c.cell)
	for i >= mostCells {
		c.lengthen()
		i = int(scheduled / c.cell)
	}
	for len(c.cells) <= i {
		c.cells = append(c.cells, [coarseBuckets]uint32{})
	}
	c.cells[i][coarseBucket(latency)]++
}

// lengthen doubles the length of all cells by merging neighbours.
func (c *course) lengthen() {
	c.cell *= 2
	for i := range c.cells {
		if i%2 == 0 {
			c.cells[i/2] = c.cells[i]
			continue
		}
		for b, n := range c.cells[i] {
			c.cells[i/2][b] += n
		}
	}
	c.cells = c.cells[:(len(c.cells)+1)/2]
}

// effective is how many independent values tell as much about the share beyond the
// given quantile. Batches are whole periods, as far as the run holds two.
func (c *course) effective(quantile time.Duration) int64 {
	each := batchCells
	if cells := int(c.period / c.cell); cells > each && len(c.cells) >= 2*cells {
		each = cells
	}
	limit := coarseBucket(quantile)
	var beyond, all []float64
	for i := range c.cells {
		if i%each == 0 {
			beyond, all = append(beyond, 0), append(all, 0)
		}
		last := len(all) - 1
		for b, n := range c.cells[i] {
			all[last] += float64(n)
			if b > limit {
				beyond[last] += float64(n)
			}
		}
	}
	return int64(stats.EffectiveSize(beyond, all))
}
