package record

import (
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The middle that Quantiles returns is that of the library's own bucket.
func TestMiddleOfABucket(t *testing.T) {
	for _, d := range []time.Duration{1, 2047, 2048, 4095, 4096, 123456, 5 * time.Millisecond, time.Minute, time.Hour} {
		h := NewHistogram()
		h.Add(d)
		h.Add(2 * time.Hour) // keeps the maximum from clamping the quantile
		for _, bar := range h.buckets.(*hdrhistogram.Histogram).Distribution() {
			if bar.Count > 0 && bar.From <= int64(d) && int64(d) <= bar.To {
				if got, want := h.Quantiles(0.5)[0], time.Duration((bar.From+bar.To)/2); got != want {
					t.Errorf("%v: quantile %d ns, want the middle %d of [%d, %d]", d, got, want, bar.From, bar.To)
				}
				break
			}
		}
	}
}
