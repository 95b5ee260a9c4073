package record

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// quantiles are the ones that summaries carry.
var quantiles = []float64{0.5, 0.9, 0.99, 0.999}

// QuantileKey is the JSON key of a quantile: "p50", "p99.9".
func QuantileKey(q float64) string {
	return "p" + strconv.FormatFloat(math.Round(q*1e8)/1e6, 'f', -1, 64)
}

// Resolvable says whether n independent values support the quantile q: at least
// one of them lies above it with a probability of 97.5 %, which takes
// n ≥ ln(0.025)/ln(q): 368 for the 99th percentile, 3,688 for the 99.9th.
func Resolvable(q float64, n int64) bool {
	return float64(n) >= math.Log(0.025)/math.Log(q)
}

// summarise is a histogram's mean, quantiles and maximum in milliseconds. A
// quantile that the count cannot support is unknown; nil gives nil.
func summarise(h *Histogram) Quantities {
	if h == nil {
		return nil
	}
	out := Quantities{"mean": Unknown(), "max": Unknown()}
	values := h.Quantiles(quantiles...)
	for i, q := range quantiles {
		out[QuantileKey(q)] = Unknown()
		if h.Count() > 0 && Resolvable(q, h.Count()) {
			out[QuantileKey(q)] = Milliseconds(values[i])
		}
	}
	if h.Count() > 0 {
		out["mean"] = Value(h.Sum() * 1e3 / float64(h.Count()))
		out["max"] = Milliseconds(h.Max())
	}
	return out
}

// line is the summary line: counts and latencies of answered requests, the
// instant of the last answer, and everything that was not answered as failed.
// Unlike the JSON it prints every quantile, resolvable or not.
func (c *Collector) line() string {
	failed := c.counts.Scheduled - c.counts.Answered
	if c.counts.Answered == 0 {
		return fmt.Sprintf("0 answered/s over 0.0 s, mean none, p50 none, p99 none, max none; %d failed", failed)
	}
	rate, window := 0.0, c.window()
	if window > 0 {
		rate = float64(c.counts.Answered) / window
	}
	q := c.latency.Quantiles(0.5, 0.99)
	return fmt.Sprintf("%.0f answered/s over %.1f s, mean %s, p50 %s, p99 %s, max %s; %d failed",
		rate, window, ms(c.latency.Mean()), ms(q[0]), ms(q[1]), ms(c.latency.Max()), failed)
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/1e6) }
