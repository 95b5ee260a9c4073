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

// effective is how many independent values each quantile of the latencies rests on.
func (c *Collector) effective() map[string]int64 {
	out := map[string]int64{}
	for i, n := range c.course.effective(c.latency.Quantiles(quantiles...)) {
		out[QuantileKey(quantiles[i])] = n
	}
	return out
}

// summarise is a histogram's mean, quantiles and maximum in milliseconds. A
// quantile is unknown that the count cannot support, or fewer independent values,
// where they are given by key; nil gives nil.
func summarise(h *Histogram, effective map[string]int64) Quantities {
	if h == nil {
		return nil
	}
	out := Quantities{"mean": Unknown(), "max": Unknown()}
	values := h.Quantiles(quantiles...)
	for i, q := range quantiles {
		key, n := QuantileKey(q), h.Count()
		if fewer, known := effective[key]; known {
			n = min(n, fewer)
		}
		out[key] = Unknown()
		if n > 0 && Resolvable(q, n) {
			out[key] = Milliseconds(values[i])
		}
	}
	if h.Count() > 0 {
		out["mean"] = Value(h.Sum() * 1e3 / float64(h.Count()))
		out["max"] = Milliseconds(h.Max())
	}
	return out
}

// Observed is a figure of a run's latencies as its own requests show it, whether or
// not they support it: for those who pool runs, and ask [Supported] of all of them.
func (run *Run) Observed(key string) Value {
	if v, ok := run.NearestRank[key]; ok {
		return v
	}
	return run.Latency.Get(key)
}

// Supported says whether runs together hold as many independent values as a quantile
// takes; a mean or a maximum takes none. Runs of files that do not say how many they
// hold are taken at their word.
func Supported(key string, runs []*Run) bool {
	var n int64
	for _, run := range runs {
		effective, told := run.Effective[key]
		if !told {
			return true
		}
		n += effective
	}
	for _, q := range quantiles {
		if QuantileKey(q) == key {
			return Resolvable(q, n)
		}
	}
	return true
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
