package record

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// summary is the summary line, with no more digits than a float64 holds. Every
// latency is "none" when nothing was answered.
var summary = regexp.MustCompile(strings.NewReplacer(
	"COUNT", `(0|[1-9]\d{0,14})`, "TIME", `((?:0|[1-9]\d{0,11})\.\d\d ms|none)`, "SECONDS", `((?:0|[1-9]\d{0,11})\.\d)`,
).Replace(`^COUNT answered/s over SECONDS s, mean TIME, p50 TIME, p99 TIME, max TIME; COUNT failed$`))

// ParseLine reads a run's summary line, which any program may print. Throughput
// and latencies are as the line rounds them. The line does not say how many
// requests were answered: the counts hold throughput times seconds, which is near
// to it, and a quantile that so few do not resolve is unknown.
func ParseLine(line string) (*Run, error) {
	parts := summary.FindStringSubmatch(line)
	if parts == nil {
		return nil, fmt.Errorf("%.120q is no summary line, which reads: N answered/s over S s, mean M ms, p50 … ms, p99 … ms, max … ms; F failed", line)
	}
	throughput, elapsed := float(parts[1]), float(parts[2])
	answered, failed := math.Round(throughput*elapsed), float(parts[7])
	if !(answered+failed < 1<<53) {
		return nil, fmt.Errorf("%.120q tells of more requests than can be counted", line)
	}
	run := NewRun(Measured)
	run.Line = line
	run.Requests.Answered, run.Requests.Failed = int64(answered), int64(failed)
	run.Requests.Scheduled = run.Requests.Answered + run.Requests.Failed
	run.Requests.Copies = run.Requests.Scheduled
	run.Latency = Quantities{}
	for i, key := range []string{"mean", "p50", "p99", "max"} {
		if run.Latency[key] = milliseconds(parts[3+i]); run.Latency[key].Known() != run.Latency["mean"].Known() {
			return nil, fmt.Errorf("%.120q has some latencies and not others", line)
		}
	}
	if run.Latency["mean"].Known() {
		run.Throughput, run.Elapsed = Value(throughput), Value(elapsed)
	}
	for _, q := range []float64{0.5, 0.99} {
		if !Resolvable(q, run.Requests.Answered) {
			run.Latency[QuantileKey(q)] = Unknown()
		}
	}
	return run, nil
}

// float reads what the expression let through as a number.
func float(digits string) float64 {
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// milliseconds reads "5.00 ms", or "none" as unknown.
func milliseconds(text string) Value {
	if text == "none" {
		return Unknown()
	}
	return Value(float(text[:len(text)-len(" ms")]))
}
