package measure

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// BenchmarkLag is how late an open loop of even arrivals sends on one P, when its
// pacer waits awake for the last moments, with the timer alone, and with the
// runtime's timers. Its time per operation is the gap between arrivals. Run it by
// -benchtime 2000x, with the process on one CPU.
func BenchmarkLag(b *testing.B) {
	kinds := []struct {
		name string
		open func(start time.Time, awake *spinner) Pacer
	}{
		{"spin", newPacer},
		{"timer", func(start time.Time, _ *spinner) Pacer { return NewPacer(start) }},
		{"sleep", func(start time.Time, _ *spinner) Pacer { return newCoarsePacer(start) }},
	}
	oneProc(b)
	for _, rate := range []float64{1000, 5000} {
		for _, kind := range kinds {
			b.Run(fmt.Sprintf("%s-%.0f", kind.name, rate), func(b *testing.B) {
				var spin *spinner
				kept := paced(func(start time.Time) Pacer {
					spin = newSpinner(start)
					return kind.open(start, spin)
				}, instant{}, rate, int64(b.N))
				defer spin.close()
				var lags []time.Duration
				for _, r := range kept {
					lags = append(lags, r.Lag())
				}
				slices.Sort(lags)
				for _, p := range []int{50, 99} {
					b.ReportMetric(float64(lags[(len(lags)-1)*p/100])/1e3, fmt.Sprintf("p%d-µs", p))
				}
				b.ReportMetric(100*float64(spin.Spun())/float64(b.Elapsed()), "spun-%")
			})
		}
	}
}

// paced runs an open loop of even arrivals with a pacer of a kind.
func paced(kind func(time.Time) Pacer, driver drivers.Driver, rate float64, requests int64) records {
	var kept records
	w := &workload.Workload{Open: true, Rate: rate, Arrivals: workload.Even, Requests: requests, Drain: time.Second}
	r := newRunner(w, driver, nil, []record.Sink{&kept})
	l := &openLoop{run: r, pacer: kind(r.start), tasks: make(chan task)}
	collected := make(chan struct{})
	go func() {
		defer close(collected)
		r.collect()
	}()
	l.send()
	r.working.Wait()
	close(r.finished)
	<-collected
	return kept
}

// oneProc leaves the test one P.
func oneProc(t testing.TB) {
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}
