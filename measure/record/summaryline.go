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

// Line is what the summary line says: rate in answers per second, elapsed time in
// seconds, latencies in milliseconds, which are unknown when nothing was answered.
type Line struct {
	Throughput, Elapsed Value
	Mean, P50, P99, Max Value
	Failed              int64
}

// String is the summary line.
func (l Line) String() string {
	return fmt.Sprintf("%.0f answered/s over %.1f s, mean %s, p50 %s, p99 %s, max %s; %d failed",
		float64(l.Throughput), float64(l.Elapsed), orNone(l.Mean), orNone(l.P50), orNone(l.P99), orNone(l.Max), l.Failed)
}

func orNone(milliseconds Value) string {
	if !milliseconds.Known() {
		return "none"
	}
	return fmt.Sprintf("%.2f ms", float64(milliseconds))
}

// ReadLine reads a summary line, which any program may print.
func ReadLine(text string) (Line, error) {
	parts := summary.FindStringSubmatch(text)
	if parts == nil {
		return Line{}, fmt.Errorf("%.120q is no summary line, which reads: N answered/s over S s, mean M ms, p50 … ms, p99 … ms, max … ms; F failed", text)
	}
	l := Line{
		Throughput: number64(parts[1]), Elapsed: number64(parts[2]),
		Mean: milliseconds(parts[3]), P50: milliseconds(parts[4]), P99: milliseconds(parts[5]), Max: milliseconds(parts[6]),
		Failed: int64(number64(parts[7])),
	}
	if known := l.Mean.Known(); l.P50.Known() != known || l.P99.Known() != known || l.Max.Known() != known {
		return Line{}, fmt.Errorf("%.120q has some latencies and not others", text)
	}
	return l, nil
}

// ParseLine makes a run of a summary line. Throughput and latencies are as the line
// rounds them. The line does not say how many requests were answered: the counts
// hold throughput times seconds, which is near to it, and a quantile that so few do
// not resolve is unknown.
func ParseLine(text string) (*Run, error) {
	l, err := ReadLine(text)
	if err != nil {
		return nil, err
	}
	answered := math.Round(float64(l.Throughput * l.Elapsed))
	if !(answered+float64(l.Failed) < 1<<53) {
		return nil, fmt.Errorf("%.120q tells of more requests than can be counted", text)
	}
	run := NewRun(Measured)
	run.Line, run.Rounded = text, true
	run.Requests.Answered, run.Requests.Failed = int64(answered), l.Failed
	run.Requests.Scheduled = run.Requests.Answered + run.Requests.Failed
	run.Requests.Copies = run.Requests.Scheduled
	run.Latency = Quantities{"mean": l.Mean, "p50": l.P50, "p99": l.P99, "max": l.Max}
	if l.Mean.Known() {
		run.Throughput, run.Elapsed = l.Throughput, l.Elapsed
	}
	for _, q := range []float64{0.5, 0.99} {
		if !Resolvable(q, run.Requests.Answered) {
			run.Latency[QuantileKey(q)] = Unknown()
		}
	}
	return run, nil
}

// number64 reads what the expression let through as a number.
func number64(digits string) Value {
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return Unknown()
	}
	return Value(v)
}

// milliseconds reads "5.00 ms", or "none" as unknown.
func milliseconds(text string) Value {
	if text == "none" {
		return Unknown()
	}
	return number64(strings.TrimSuffix(text, " ms"))
}
