package record

import (
	"fmt"
	"io"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// mostIntervals bounds an interval log; a run that outgrows it gets intervals
// of twice the length. Half the 3,600 that readers are promised keeps a long
// run's memory small.
const mostIntervals = 1800

// Intervals counts the latencies of answered requests by the second in which
// they were answered, so that a run's course stays visible without its raw
// records. It is a Sink.
type Intervals struct {
	length time.Duration
	parts  []*hdrhistogram.PackedHistogram // nil where nothing was answered
}

// NewIntervals returns intervals that are one second long at first.
func NewIntervals() *Intervals { return &Intervals{length: time.Second} }

// Add implements Sink.
func (v *Intervals) Add(r *Request) {
	if r.Outcome != Answered {
		return
	}
	i := int(r.Ended / v.length)
	for i >= mostIntervals {
		v.lengthen()
		i = int(r.Ended / v.length)
	}
	for len(v.parts) <= i {
		v.parts = append(v.parts, nil)
	}
	if v.parts[i] == nil {
		v.parts[i] = hdrhistogram.NewPacked(1, int64(longest), digits)
	}
	// Clamped to the histogram's range, so there is no error to report.
	_ = v.parts[i].RecordValue(int64(min(max(r.Latency(), 0), longest)))
}

func (v *Intervals) empty() bool { return len(v.parts) == 0 }

// lengthen doubles the length of all intervals by merging neighbours.
func (v *Intervals) lengthen() {
	v.length *= 2
	for i := 0; i < len(v.parts); i += 2 {
		whole := v.parts[i]
		if i+1 < len(v.parts) && v.parts[i+1] != nil {
			if whole == nil {
				whole = v.parts[i+1]
			} else {
				whole.Merge(v.parts[i+1])
			}
		}
		v.parts[i/2] = whole
	}
	v.parts = v.parts[:(len(v.parts)+1)/2]
}

// write writes an HdrHistogram interval log in nanoseconds whose intervals
// begin at start, readable by other HdrHistogram tools.
func (v *Intervals) write(w io.Writer, start time.Time) error {
	log := hdrhistogram.NewHistogramLogWriter(w)
	first := start.UnixMilli()
	base := first - first%1000 // the log's head holds whole seconds only
	log.SetBaseTime(base)
	steps := []func() error{
		func() error {
			return log.OutputComment("[Latency of answered requests in ns, by the interval of the answer]")
		},
		log.OutputLogFormatVersion,
		func() error { return log.OutputBaseTime(base) },
		func() error { return log.OutputStartTime(base) },
		log.OutputLegend,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return fmt.Errorf("write the histogram log: %w", err)
		}
	}
	for i, part := range v.parts {
		if part == nil {
			continue
		}
		begin := time.Duration(i) * v.length
		part.SetStartTimeMs(first + begin.Milliseconds())
		part.SetEndTimeMs(first + (begin + v.length).Milliseconds())
		if err := log.OutputIntervalPackedHistogram(part); err != nil {
			return fmt.Errorf("write the histogram log: %w", err)
		}
	}
	return nil
}
