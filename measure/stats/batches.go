package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Between mostBatches/2 and mostBatches-1 batches are kept: within the 10 to
// 30 that Schmeiser (Batch size effects in the analysis of simulation output,
// Operations Research 30 (1982) 556–568) recommends. More would be shorter, and
// so more alike from one to the next, than the interval assumes.
const mostBatches = 32

// smallestBatch is the fewest values of a batch: an interval needs 512 values
// in all.
const smallestBatch = 32

// Batches gives intervals for the mean and the quantiles of one long run of
// values, each of which depends on those before it, such as the latencies of
// successive requests. It divides the run into batches of equal length whose
// averages are all but independent (the method of batch means). The batches
// grow with the run, so that its length need not be known and the memory stays
// constant.
type Batches struct {
	size    int64 // values in a batch
	batches [mostBatches]batch
	full    int // batches that are complete; the next one is being filled
	min     int64
	max     int64
}

type batch struct {
	n      int64
	sum    float64
	values counts
}

// NewBatches returns batches that are empty.
func NewBatches() *Batches {
	return &Batches{size: smallestBatch, min: math.MaxInt64}
}

// Add takes the next value; one below zero counts as zero.
func (b *Batches) Add(v int64) {
	v = max(v, 0)
	b.min = min(b.min, v)
	b.max = max(b.max, v)
	current := &b.batches[b.full]
	current.n++
	current.sum += float64(v)
	current.values.add(v)
	if current.n == b.size {
		b.close()
	}
}

// close ends a batch; when all are full, neighbours are merged into batches of
// twice the length.
func (b *Batches) close() {
	b.full++
	if b.full < mostBatches {
		return
	}
	for i := range mostBatches / 2 {
		// The place of the merged batch is its own, or one emptied before.
		whole := &b.batches[i]
		if i > 0 {
			whole.absorb(&b.batches[2*i])
		}
		whole.absorb(&b.batches[2*i+1])
	}
	b.full = mostBatches / 2
	b.size *= 2
}

// absorb moves the values of another batch into this one.
func (t *batch) absorb(other *batch) {
	t.n += other.n
	t.sum += other.sum
	t.values.merge(&other.values)
	other.n, other.sum = 0, 0
	other.values.clear()
}

// Resolved says whether there are batches enough for an interval.
func (b *Batches) Resolved() bool { return b.full >= mostBatches/2 }

// Mean is the mean of all values and half the width of its interval at a
// level such as 0.95, +Inf when the run is too short for one.
func (b *Batches) Mean(level float64) (mean, half float64) {
	all := b.all()
	mean = all.sum / float64(max(all.n, 1))
	if !b.Resolved() {
		return mean, math.Inf(1)
	}
	return mean, b.half(level, func(t *batch) float64 { return t.sum / float64(t.n) })
}

// Quantile is the interval at a level for the quantile q of the values, and
// false when the run is too short for one. The share of values up to the
// quantile varies from batch to batch; the interval holds the quantiles that
// this leaves possible. It has less bias than quantiles of single batches.
func (b *Batches) Quantile(q, level float64) (lo, hi float64, ok bool) {
	if !b.Resolved() {
		return 0, 0, false
	}
	all := b.all()
	n := float64(all.n)
	_, at := all.values.rank(math.Ceil(q*n), all.n)
	upTo := int64(min(at, math.MaxInt64-1023)) // the largest float64 that is an int64
	half := b.half(level, func(t *batch) float64 { return float64(t.values.atMost(upTo)) / float64(t.n) })
	if (q+half)*n > n-1 {
		return 0, 0, false // even the largest value may lie below it
	}
	lo, _ = all.values.rank((q-half)*n, all.n)
	_, hi = all.values.rank((q+half)*n+1, all.n)
	return b.within(lo), b.within(hi), true
}

// within moves a value between the smallest and the largest that were added.
func (b *Batches) within(v float64) float64 {
	return min(max(v, float64(b.min)), float64(b.max))
}

// half is half the width of the Student t interval of a figure of the complete
// batches.
func (b *Batches) half(level float64, figure func(*batch) float64) float64 {
	values := make([]float64, b.full)
	for i := range values {
		values[i] = figure(&b.batches[i])
	}
	k := float64(b.full)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: k - 1}.Quantile((1 + level) / 2)
	return t * stat.StdDev(values, nil) / math.Sqrt(k)
}

// all merges every batch, the incomplete one too.
func (b *Batches) all() *batch {
	whole := new(batch)
	for i := range min(b.full+1, mostBatches) {
		whole.n += b.batches[i].n
		whole.sum += b.batches[i].sum
		whole.values.merge(&b.batches[i].values)
	}
	return whole
}
