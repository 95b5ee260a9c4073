package reports

import (
	"math"
	"testing"

	"queuelab/measure/record"
)

func TestSpeedIsRelativeToTheCalibration(t *testing.T) {
	all := speeds{
		{"calibration-before-1", 10, 10},
		{"calibration-before-8", 10, 10},
		{"closed-1", 20, 20},
		{"open-x-0.5-1", 8, 8},
		{"open-x-0.5-2", 12.5, 12.5},
	}
	for _, c := range []struct {
		runs []string
		want float64
	}{
		{[]string{"calibration-before-8"}, 1},
		{[]string{"closed-1"}, 0.5},
		{[]string{"open-x-0.5-1"}, 1.25},
		{[]string{"open-x-0.5-1", "open-x-0.5-2"}, 10 / 10.25},
	} {
		if got := float64(all.during(c.runs...)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("speed during %v is %v, want %v", c.runs, got, c.want)
		}
	}
	if all.during("no such run").Known() {
		t.Error("the speed during an unknown run is known")
	}
	if got := all.drift(); math.Abs(got-1) > 1e-12 {
		t.Errorf("drift %v, want 1: a timing took twice as long as the calibration's", got)
	}
}

func TestSpeedMovesBetweenACalibrationAndRuns(t *testing.T) {
	all := speeds{
		{"calibration-after-1", 9, 11},
		{"calibration-after-8", 10, 10},
		{"calibration-after-storm-1", 20, 20}, // another one
		{"run-1", 10, 11},
		{"run-2", 9, 9},
		{"run-3", 8.5, record.Unknown()}, // the server was busy with what it left
	}
	calibration := []string{"calibration-after-1", "calibration-after-8"}
	for _, c := range []struct {
		runs []string
		want float64
	}{
		{[]string{"run-1"}, 0.05},
		{[]string{"run-1", "run-2"}, -0.1},
		{[]string{"run-1", "run-2", "run-3"}, -0.15},
		{[]string{"no such run"}, 0},
	} {
		if got := float64(all.moved(calibration, c.runs)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("around %v it moved by %g, want %g", c.runs, got, c.want)
		}
	}
}
