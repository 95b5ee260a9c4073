package record

import (
	"math"
	"math/bits"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// longest is the largest time a histogram resolves; longer ones are counted in
// its last bucket and in Overflow, and keep their exact maximum.
const longest = time.Hour

// digits is the resolution: three significant decimal digits, at most 0.1 %.
const digits = 3

// Histogram counts times of one kind. Mean, minimum and maximum are exact,
// quantiles are resolved to 0.1 %.
type Histogram struct {
	buckets  buckets
	count    int64
	sum      float64 // nanoseconds
	max      time.Duration
	overflow int64
}

// buckets are what the library offers of its two kinds of histograms.
type buckets interface {
	RecordValue(v int64) error
	ValueAtPercentilesSlice(percentiles []float64) []int64
}

// NewHistogram returns an empty histogram for times from 1 ns to an hour. It takes
// 270 kB, whatever it holds.
func NewHistogram() *Histogram {
	return &Histogram{buckets: hdrhistogram.New(1, int64(longest), digits)}
}

// newPacked returns one whose memory grows with the different times that it holds,
// and that is slower to add to.
func newPacked() *Histogram {
	return &Histogram{buckets: hdrhistogram.NewPacked(1, int64(longest), digits)}
}

// touch writes to all of the memory, so that the system provides it now: at the first
// value of each size that takes some microseconds.
func (h *Histogram) touch() {
	if plain, ok := h.buckets.(*hdrhistogram.Histogram); ok {
		plain.Reset()
	}
}

// Add counts one time; negative times count as zero.
func (h *Histogram) Add(d time.Duration) {
	d = max(d, 0)
	h.count++
	h.sum += float64(d)
	h.max = max(h.max, d)
	if d > longest {
		h.overflow++
		d = longest
	}
	// The value lies in the histogram's range, so there is no error to report.
	_ = h.buckets.RecordValue(int64(d))
}

// Count is how many times were added.
func (h *Histogram) Count() int64 { return h.count }

// Overflow is how many of them were longer than an hour.
func (h *Histogram) Overflow() int64 { return h.overflow }

// Max is the longest time, 0 when there is none.
func (h *Histogram) Max() time.Duration { return h.max }

// Mean is the exact mean, 0 when there is none.
func (h *Histogram) Mean() time.Duration {
	if h.count == 0 {
		return 0
	}
	return time.Duration(math.Round(h.sum / float64(h.count)))
}

// Sum is the total of all times in seconds.
func (h *Histogram) Sum() float64 { return h.sum / 1e9 }

// Quantiles returns the nearest-rank quantiles (rank ⌈qn⌉) for ascending q in
// (0, 1]; all are 0 when the histogram is empty.
func (h *Histogram) Quantiles(qs ...float64) []time.Duration {
	out := make([]time.Duration, len(qs))
	if h.count == 0 {
		return out
	}
	// The library rounds the rank of a percentile; given a rank as a share of
	// the count, it finds that rank.
	percentiles := make([]float64, len(qs))
	for i, q := range qs {
		percentiles[i] = 100 * float64(rank(q, h.count)) / float64(h.count)
	}
	for i, highest := range h.buckets.ValueAtPercentilesSlice(percentiles) {
		out[i] = min(middle(highest), h.max)
	}
	return out
}

// middle is the middle of the bucket whose highest value is given. Buckets are
// 2^k ns wide and keep at least 11 significant bits, which three decimal digits
// need.
func middle(highest int64) time.Duration {
	width := int64(1) << max(bits.Len64(uint64(highest))-11, 0)
	return time.Duration(highest - width/2)
}

// rank is ⌈qn⌉, at least 1 and at most n. The product is made smaller by a few
// roundings, so that 0.07·100, which is 7.000000000000001 in floating point,
// stays 7.
func rank(q float64, n int64) int64 {
	r := int64(math.Ceil(q * float64(n) * (1 - 1e-15)))
	return min(max(r, 1), n)
}
