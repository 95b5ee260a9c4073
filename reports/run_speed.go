package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"queuelab/measure/record"
)

// speeds are the timings of the fixed piece of work around a target's runs.
type speeds []SpeedResult

// speedNote explains the tables' last column.
const speedNote = "Machine speed: how fast the fixed piece of work ran around the runs of the row, 1 being the calibration's."

// during is the machine's speed around the named runs relative to that around
// the calibration: below 1 the machine was slower.
func (all speeds) during(names ...string) record.Value {
	return record.Value(all.calibrated() / median(finite(all.times(func(run string) bool { return slices.Contains(names, run) }))))
}

// calibrated is the time of the fixed piece of work around the calibration, in
// ms.
func (all speeds) calibrated() float64 {
	return median(finite(all.times(func(run string) bool { return strings.HasPrefix(run, calibrationName("before", "")) })))
}

// moved is the largest change of the timing around a run, relative to that around
// a calibration; 0 where either is unknown.
func (all speeds) moved(calibration, runs []string) record.Value {
	at := func(names ...string) float64 {
		times := finite(all.times(func(run string) bool { return slices.Contains(names, run) }))
		return stat.Mean(times, nil)
	}
	worst := 0.0
	for _, name := range runs {
		if change := at(name)/at(calibration...) - 1; math.Abs(change) > math.Abs(worst) {
			worst = change
		}
	}
	return record.Value(worst)
}

// times are the timings around the runs that are wanted.
func (all speeds) times(wanted func(run string) bool) []record.Value {
	var out []record.Value
	for _, s := range all {
		if wanted(s.Run) {
			out = append(out, s.Before, s.After)
		}
	}
	return out
}

// every wants the timings around all runs.
func every(string) bool { return true }

// drift is the largest distance of a timing from the calibration's, relative to
// it.
func (all speeds) drift() float64 {
	worst := 0.0
	for _, v := range finite(all.times(every)) {
		worst = max(worst, math.Abs(v/all.calibrated()-1))
	}
	return worst
}

// newest is the last calibration of the target.
func (t *TargetResult) newest() CalibrationResult {
	if n := len(t.Scenarios); n > 0 {
		return t.Scenarios[n-1].Again
	}
	return t.Again
}

// speedSection shows how fast the machine was.
func (r *runner) speedSection() Section {
	table := &Table{
		Columns: []string{"target", "runs", "fastest", "median", "slowest", "largest drift", "capacity first", "capacity last"},
		Units:   []string{"", "", "ms", "ms", "ms", "%", "1/s", "1/s"},
		Caption: "A small fixed piece of work, timed before and after every run (on the server's CPU where it is pinned), and the capacity as calibrated first and last.",
	}
	for _, t := range r.results.Targets {
		times := finite(t.Speeds.times(every))
		before, after := digits(t.Calibration.Capacity), digits(t.newest().Capacity)
		if t.Known {
			before, after = "known", "known"
		}
		table.Rows = append(table.Rows, Cells(t.Name, fmt.Sprint(len(t.Speeds)),
			fmt.Sprintf("%.2f", times[0]), fmt.Sprintf("%.2f", median(times)), fmt.Sprintf("%.2f", times[len(times)-1]),
			fmt.Sprintf("%.1f", 100*t.Speeds.drift()), before, after))
	}
	return Section{
		Heading: "How steady the machine was",
		Text: []string{"Predictions rest on the calibration; a machine that became faster or slower afterwards moves the observation and not the prediction. " +
			"A drift of more than 5 % makes a ratio near the margin worth little."},
		Table: table,
	}
}
