package figure

import (
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestFlagsShareARowWhereTheyHaveRoom(t *testing.T) {
	s := strip{area: 200, wide: 240}
	rows := s.rows([]flag{{x: 0.2, name: "N/R(1)"}, {x: 0.8, name: "peak", rule: &rule{}}})
	if len(rows) != 1 || rows[0].centres[0] != 40 || rows[0].centres[1] != 160 {
		t.Errorf("labels with room between them stand at %+v", rows)
	}
}

func TestCurveEndsKeepTheirPlaceBesideRules(t *testing.T) {
	s := strip{area: 200, wide: 240}
	rows := s.rows([]flag{{x: 0.3, name: "knee N* = 1.14", rule: &rule{}}, {x: 0.35, name: "N/R(1)"}})
	if len(rows) != 2 || rows[0].flags[0].name != "N/R(1)" || rows[0].centres[0] != 70 || rows[1].centres[0] != 60 {
		t.Errorf("colliding labels stand at %+v, want the end of the curve below, both in place", rows)
	}
}

func TestManyFlagsWrapIntoRows(t *testing.T) {
	s := strip{area: 100, wide: 100}
	var flags []flag
	for range 6 {
		flags = append(flags, flag{x: 0.5, name: "a long name", rule: &rule{}})
	}
	rows := s.rows(flags)
	total := 0
	var height vg.Length
	for _, r := range rows {
		total += len(r.flags)
		height += r.height
		for i, c := range r.centres {
			if half := s.size(r.flags[i]) / 2; c-half < -1e-6 || c+half > s.wide+1e-6 {
				t.Errorf("a label at %v leaves the strip of %v", c, s.wide)
			}
		}
	}
	if total != 6 || len(rows) < 2 || s.height(flags) != height+clearance {
		t.Errorf("%d labels in %d rows, height %v", total, len(rows), s.height(flags))
	}
}
