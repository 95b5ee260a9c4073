package record

import (
	"math/bits"
	"time"

	"gonum.org/v1/gonum/floats"

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

// Buckets are 8 for each power of two of nanoseconds, 12 % wide, from a microsecond to
// over an hour; the first and the last hold what lies beyond. A summary is made of each
// of a prediction's hundreds of replications, so they are few.
const (
	firstBit      = 10
	lastBit       = 42
	coarseBuckets = 8 * (lastBit - firstBit)
)

// coarseBucket is the bucket of a time: its four highest bits.
func coarseBucket(d time.Duration) int {
	v := uint64(max(d, 1<<firstBit))
	shift := bits.Len64(v) - 4
	return min(8*(shift+3-firstBit)+int(v>>shift)-8, coarseBuckets-1)
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

// effective is how many independent values tell as much about the share beyond each of
// the ascending quantiles. Fewer latencies beyond one than there are batches cannot show
// how they cluster: then they are taken to do so at least as those beyond the quantile
// before.
func (c *course) effective(quantiles []time.Duration) []int64 {
	out, batches := make([]int64, len(quantiles)), c.batches()
	for i, q := range quantiles {
		limit := coarseBucket(q)
		beyond, all := shares(batches, limit)
		if floats.Sum(beyond) == 0 { // all that is beyond it shares its bucket
			beyond, all = shares(batches, limit-1)
		}
		out[i] = int64(stats.EffectiveSize(beyond, all))
		if i > 0 && floats.Sum(beyond) < float64(len(all)) {
			out[i] = min(out[i], out[i-1])
		}
	}
	return out
}

// batches are the cells together that make one batch each: whole periods, as far as
// the run holds two.
func (c *course) batches() [][coarseBuckets]uint32 {
	each := batchCells
	if cells := int(c.period / c.cell); cells > each && len(c.cells) >= 2*cells {
		each = cells
	}
	var out [][coarseBuckets]uint32
	for i := range c.cells {
		if i%each == 0 {
			out = append(out, c.cells[i])
			continue
		}
		batch := &out[len(out)-1]
		for b, n := range c.cells[i] {
			batch[b] += n
		}
	}
	return out
}

// shares are how many latencies of each batch lie beyond a bucket, and how many there
// are.
func shares(batches [][coarseBuckets]uint32, limit int) (beyond, all []float64) {
	for i := range batches {
		var more, total uint64
		for b, n := range batches[i] {
			total += uint64(n)
			if b > limit {
				more += uint64(n)
			}
		}
		beyond, all = append(beyond, float64(more)), append(all, float64(total))
	}
	return beyond, all
}
