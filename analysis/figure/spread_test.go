package figure

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestSpreadLeavesFreeLabelsAlone(t *testing.T) {
	got := spread([]wish{{50, 10}, {20, 10}}, 0, 100)
	if got[0] != 50 || got[1] != 20 {
		t.Errorf("labels that do not touch moved to %v", got)
	}
}

func TestSpreadCentresACollision(t *testing.T) {
	got := spread([]wish{{50, 10}, {50, 10}, {50, 10}}, 0, 100)
	if got[0] != 40 || got[1] != 50 || got[2] != 60 {
		t.Errorf("three labels that want 50 settled at %v, want 40, 50, 60", got)
	}
}

func TestSpreadNeverOverlapsAndStaysInside(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		var wishes []wish
		var total vg.Length
		for range 1 + r.IntN(12) {
			w := wish{vg.Length(r.NormFloat64()*60 + 50), vg.Length(1 + 7*r.Float64())}
			wishes, total = append(wishes, w), total+w.size
		}
		lo, hi := vg.Length(0), max(100, total)
		got := spread(wishes, lo, hi)
		for i, c := range got {
			if c-wishes[i].size/2 < lo-1e-6 || c+wishes[i].size/2 > hi+1e-6 {
				t.Fatalf("label %d at %v with size %v leaves %v to %v", i, c, wishes[i].size, lo, hi)
			}
			for j := range i {
				apart := max(c-got[j], got[j]-c)
				if apart < (wishes[i].size+wishes[j].size)/2-1e-6 {
					t.Fatalf("labels %d and %d overlap: %v of %v", i, j, got, wishes)
				}
				if wishes[i].centre > wishes[j].centre && c < got[j] {
					t.Fatalf("labels %d and %d changed places: %v of %v", i, j, got, wishes)
				}
			}
		}
	}
}
