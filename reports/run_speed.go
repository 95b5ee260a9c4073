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
// ms; around the first run where nothing was calibrated.
func (all speeds) calibrated() float64 {
	times := finite(all.times(func(run string) bool { return strings.HasPrefix(run, calibrationName("before", "")) }))
	if len(times) == 0 && len(all) > 0 {
		times = finite(all.times(func(run string) bool { return run == all[0].Run }))
	}
	return median(times)
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

// largestDrift is that of the machine's speed around the target's runs, as a share:
// since the calibration or, where there are only trials, since the first run of one.
func (t *TargetResult) largestDrift() float64 {
	if t.calibrated() {
		return t.Speeds.drift()
	}
	worst := 0.0
	for _, trial := range t.Trials {
		worst = max(worst, math.Abs(float64(trial.Work)))
	}
	return worst
}

// driftSince says since when the drift is counted.
func (t *TargetResult) driftSince() string {
	if t.calibrated() {
		return "at the start"
	}
	return "around the first one"
}

// calibrated says whether the target has more than trials.
func (t *TargetResult) calibrated() bool { return len(t.Closed)+len(t.Open)+len(t.Scenarios) > 0 }

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
		Columns: []string{"target", "runs", "fastest", "median", "slowest", "largest drift"},
		Units:   []string{"", "", "ms", "ms", "ms", "%"},
		Caption: "A small fixed piece of work, timed before and after every run (on the server's CPU where it is pinned)",
	}
	section := Section{Heading: "How steady the machine was", Table: table}
	predicted := slices.ContainsFunc(r.Study.Experiments, Experiment.predicted)
	if predicted {
		table.Columns, table.Units = append(table.Columns, "capacity first", "capacity last"), append(table.Units, "1/s", "1/s")
		table.Caption += ", and the capacity as calibrated first and last"
		section.Text = append(section.Text, "Predictions rest on the calibration; a machine that became faster or slower afterwards moves the observation and not the prediction. "+
			"A drift of more than 5 % makes a ratio near the margin worth little.")
	}
	table.Caption += "."
	if r.Study.HasTrials() {
		section.Text = append(section.Text, "Endpoints of a trial are measured one after another; a machine that became faster or slower meanwhile moves the later ones and not the earlier ones. "+
			"A drift of more than 5 % makes a share of the ceiling worth little.")
	}
	for _, t := range r.results.Targets {
		row := t.speedRow()
		if predicted {
			row = append(row, t.capacities()...)
		}
		table.Rows = append(table.Rows, Cells(row...))
	}
	return section
}

func (t *TargetResult) speedRow() []string {
	times := finite(t.Speeds.times(every))
	return []string{t.Name, fmt.Sprint(len(t.Speeds)),
		fmt.Sprintf("%.2f", times[0]), fmt.Sprintf("%.2f", median(times)), fmt.Sprintf("%.2f", times[len(times)-1]),
		fmt.Sprintf("%.1f", 100*t.largestDrift())}
}

// capacities are the target's as calibrated first and last.
func (t *TargetResult) capacities() []string {
	switch {
	case t.Predicted.IsZero():
		return []string{"-", "-"}
	case t.Known:
		return []string{"known", "known"}
	}
	return []string{digits(t.Calibration.Capacity), digits(t.newest().Capacity)}
}
