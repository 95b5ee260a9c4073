package record_test

import (
	"math"
	"testing"

	"queuelab/measure/record"
)

func TestNewRepeated(t *testing.T) {
	got := record.NewRepeated([]float64{42424, 41837, 42948, 42364, 42511})
	if got.Median != 42424 || math.Abs(float64(got.Spread)-0.0262) > 0.0001 || got.Interval != (record.Interval{41837, 42948}) || got.Level != 0.9375 {
		t.Errorf("five runs: %+v", got)
	}
	if one := record.NewRepeated([]float64{7}); one.Median != 7 || one.Spread.Known() || one.Interval[0].Known() || one.Level.Known() {
		t.Errorf("one run: %+v", one)
	}
	if none := record.NewRepeated(nil); none.Median.Known() || none.Spread.Known() || none.Interval[1].Known() || none.Level.Known() {
		t.Errorf("no run: %+v", none)
	}
}
