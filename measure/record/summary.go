package record

import (
	"math"
	"strconv"
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
func (c *Collector) line() Line {
	l := Line{Mean: Unknown(), P50: Unknown(), P99: Unknown(), Max: Unknown(), Failed: c.counts.Scheduled - c.counts.Answered}
	if c.counts.Answered == 0 {
		return l
	}
	if window := c.window(); window > 0 {
		l.Throughput, l.Elapsed = Value(float64(c.counts.Answered)/window), Value(window)
	}
	q := c.latency.Quantiles(0.5, 0.99)
	l.Mean, l.P50, l.P99, l.Max = Milliseconds(c.latency.Mean()), Milliseconds(q[0]), Milliseconds(q[1]), Milliseconds(c.latency.Max())
	return l
}
