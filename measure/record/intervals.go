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

// intervalMemory bounds in bytes what all intervals take together, for they grow with
// the different latencies in each: up to 0.3 MB. A run that outgrows it gets longer
// intervals, too.
const intervalMemory = 12 << 20

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
	i := v.interval(r.Ended)
	if v.parts[i] == nil {
		v.parts[i] = hdrhistogram.NewPacked(1, int64(longest), digits)
	}
	// Clamped to the histogram's range, so there is no error to report.
	_ = v.parts[i].RecordValue(int64(min(max(r.Latency(), 0), longest)))
}

// interval is the number of the interval that an instant lies in, one that there is.
func (v *Intervals) interval(at time.Duration) int {
	if int(at/v.length) >= len(v.parts) {
		v.makeRoom()
	}
	for int(at/v.length) >= mostIntervals {
		v.lengthen()
	}
	i := int(at / v.length)
	for len(v.parts) <= i {
		v.parts = append(v.parts, nil)
	}
	return i
}

// makeRoom has the last interval, which is over, take no more than it needs, and
// lengthens all until one more fits into their memory.
func (v *Intervals) makeRoom() {
	if last := len(v.parts) - 1; last >= 0 && v.parts[last] != nil {
		v.parts[last].Compact()
	}
	for len(v.parts) > 1 && v.memory() > intervalMemory {
		v.lengthen()
	}
}

// memory is how many bytes all intervals take.
func (v *Intervals) memory() (bytes int) {
	for _, part := range v.parts {
		if part != nil {
			bytes += part.GetMemorySize()
		}
	}
	return bytes
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
				whole.Compact()
			}
		}
		v.parts[i/2] = whole
	}
	half := (len(v.parts) + 1) / 2
	clear(v.parts[half:]) // else the merged ones stay in memory
	v.parts = v.parts[:half]
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
