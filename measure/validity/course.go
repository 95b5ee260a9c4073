package validity

import (
	"math"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/stats"
)

const (
	// courseCells bound the cells of the latencies' course.
	courseCells = 128
	// firstCell is their length at first.
	firstCell = time.Millisecond
	// batches is about how many means the course is judged by.
	batches = 20
	// fewestBatches is the least, and fewestAnswers how many requests they hold in all.
	fewestBatches = 6
	fewestAnswers = 100
	// level is that of the tests for a drift.
	level = 0.01
	// worthAWord is the change over a run, relative to its mean, below which a drift is
	// none: in a large sample the least difference is significant.
	worthAWord = 0.05
	// behind is the share of due requests that an overloaded server leaves unanswered
	// when the schedule ends.
	behind = 0.01
)

// newCourse begins the course of latencies of a run. What comes again after each
// period, such as a server's stalls, is no drift: a whole number of cells makes a
// period, or a whole number of periods a cell; zero is for none.
func newCourse(period time.Duration) cells {
	cell := period
	for cell > firstCell {
		cell /= 2
	}
	if cell == 0 {
		cell = firstCell
	}
	return cells{length: cell, most: courseCells}
}

// drift is what a run's latencies do from its beginning to its end.
type drift struct {
	first, second float64 // mean latencies of its halves, in ns
	growth        float64 // over the run, by the slope of all batches, in ns
	seconds       float64 // that it is over
	p             float64 // the smaller one of both tests
	rising        bool    // for certain, in order and not only on average
}

// change is the change over the run, relative to its mean latency: by the slope, or
// from one half to the other, whichever is the larger.
func (d drift) change() float64 {
	change := d.growth
	if step := d.second - d.first; math.Abs(step) > math.Abs(change) {
		change = step
	}
	return change / ((d.first + d.second) / 2)
}

// drift judges the course of a run in batches, which are whole periods of stalls; ok is
// false for a run that is too short.
func (w *Watch) drift() (d drift, ok bool) {
	size := max((len(w.course.cells)+batches-1)/batches, 1)
	if period := int(w.workload.Stall.Period / w.course.length); period > 1 {
		size = (size + period - 1) / period * period
	}
	var means []float64
	for _, batch := range w.course.merged(size) {
		if batch.n > 0 {
			means = append(means, batch.sum/float64(batch.n))
		}
	}
	n := len(means)
	if n < fewestBatches || w.counts.Answered < fewestAnswers {
		return drift{}, false
	}
	for i, mean := range means {
		if i < n/2 {
			d.first += mean / float64(n/2)
		} else {
			d.second += mean / float64(n-n/2)
		}
	}
	trend, halves := stats.Drift(means)
	s, p := stats.MannKendall(means)
	d.growth = stats.Slope(means) * float64(n)
	d.seconds = float64(n*size) * w.course.length.Seconds()
	d.p = min(trend, halves)
	d.rising = s > 0 && p < level
	return d, true
}

// steadiness asks whether latencies drift, and whether they grow because the server
// cannot keep up.
//
// A run is overloaded when latency rises (Mann–Kendall at 1 %), by more over the run
// than the median latency, and at the schedule's end more than 1 % of what was due had
// not been answered, and more than chance leaves: a server that only becomes slower
// still answers as many requests as come. The queue of an overload is a random walk,
// whose means depend on each other as those of no steady run do, so that the test is
// not weakened for that.
//
// A run drifts when one of both tests of stats.Drift says so at 1 %, and the change is
// above 5 %.
func steadiness(run *record.Run, w *Watch) *finding {
	d, ok := w.drift()
	if !ok {
		return nil
	}
	if median := float64(run.Observed("p50")) * 1e6; d.rising && d.growth > median && w.fallsBehind(run.Sending) {
		run.Growth = record.Value(d.growth / 1e6 / d.seconds)
		stable := false
		run.Stable = &stable
		return suspect("overloaded: latency grows by %s each second, so every figure depends on the run's length: offer less than the server's capacity for figures of a steady state", milliseconds(float64(run.Growth)))
	}
	if d.p >= level || !(math.Abs(d.change()) > worthAWord) {
		return nil
	}
	moves := "rises"
	if d.change() < 0 {
		moves = "falls"
	}
	return suspect("latency is not steady: it %s by %s over the run, and its mean is %s in the first half and %s in the second (%s; p < %g and a change above %s are SUSPECT): the server, its data or the machine changed meanwhile; warm up for longer (-warmup), or find out what changes",
		moves, percent(math.Abs(d.change())), milliseconds(d.first/1e6), milliseconds(d.second/1e6), chance(d.p), level, percent(worthAWord))
}

// fallsBehind says whether the server left part of what was due in an open schedule
// unanswered at its end: more than behind, and more than chance leaves in a queue whose
// server is only just quick enough, a standard deviation of √(2n) after n Poisson
// arrivals and exponential services.
func (w *Watch) fallsBehind(s *record.Sending) bool {
	if s == nil || !(s.Scheduled > 0) {
		return false
	}
	end := time.Duration(float64(s.Due) / float64(s.Scheduled) * 1e9)
	due := float64(s.Due)
	return due-float64(w.ends.until(end)) > max(behind*due, math.Sqrt(2*due))
}
