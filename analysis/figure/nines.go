package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
)

// nines is the number of leading nines of a quantile q, −log10(1−q): 0 at q = 0,
// 1 at 90 %, 2 at 99 %. On such an axis each nine has equal width, as in
// HdrHistogram's plots, so that the tail has as much room as the body. It is
// infinite at q = 1.
func nines(q float64) float64 { return -math.Log1p(-q) / math.Ln10 }

// inNines is the quantity with every quantile as its nines.
func (q Quantity) inNines() Quantity {
	out := Quantity{Label: q.Label}
	for _, s := range q.Systems {
		s.Predicted = pointsInNines(s.Predicted)
		observed := s.Observed
		s.Observed = nil
		for _, o := range observed {
			o.X = nines(o.X)
			s.Observed = append(s.Observed, o)
		}
		out.Systems = append(out.Systems, s)
	}
	for _, r := range q.References {
		out.References = append(out.References, Line{r.Name, pointsInNines(r.Points)})
	}
	return out
}

func pointsInNines(points []Point) []Point {
	var out []Point
	for _, p := range points {
		p.X = nines(p.X)
		out = append(out, p)
	}
	return out
}

// checkQuantiles refuses what is no quantile. A missing one is skipped like any
// missing value.
func checkQuantiles(q Quantity) error {
	h := q.horizontal(Linear)
	if h.n == 0 || h.lo >= 0 && h.hi < 1 {
		return nil
	}
	wrong := h.lo
	if wrong >= 0 {
		wrong = h.hi
	}
	return fmt.Errorf("%q has a value at quantile %v: give quantiles as fractions from 0 to below 1, the last of n values at 1 − 1/n", q.Label, wrong)
}

// ninesAxis is the axis of quantiles from 0 to the largest of the quantity,
// which is already in nines.
func ninesAxis(q Quantity) axis {
	h := q.horizontal(Linear)
	hi := h.hi * (1 + sideRoom)
	if !(h.hi > 0) {
		hi = 1
	}
	return axis{label: "percentile", hi: hi, scale: Linear, nines: true}
}

// nineTicks are the possible sets of labels on an axis of nines, the best first:
// every nine with the median, every nine, every second one and so on; and even
// percentages where the axis ends before 90 %.
func nineTicks(hi float64) [][]plot.Tick {
	every := everyNine(hi, 1)
	out := [][]plot.Tick{every}
	if median := nines(0.5); median <= hi {
		out = [][]plot.Tick{slices.Insert(slices.Clone(every), 1, plot.Tick{Value: median, Label: percent("50")}), every}
	}
	for _, stride := range []int{2, 3, 5, 8} {
		out = append(out, everyNine(hi, stride))
	}
	if hi >= 1 {
		return out
	}
	for _, even := range evenSteps(0, -math.Expm1(-hi*math.Ln10)*100) {
		var ticks []plot.Tick
		for _, t := range even {
			ticks = append(ticks, plot.Tick{Value: nines(t.Value / 100), Label: percent(t.Label)})
		}
		out = append(out, ticks)
	}
	return out
}

// everyNine are 0 and the whole nines that are multiples of the stride.
func everyNine(hi float64, stride int) []plot.Tick {
	var out []plot.Tick
	for k := 0; float64(k) <= hi; k += stride {
		out = append(out, plot.Tick{Value: float64(k), Label: ninesLabel(k)})
	}
	return out
}

// ninesLabel is the percentage with k nines: 0 %, 90 %, 99 %, 99.9 %.
func ninesLabel(k int) string {
	switch k {
	case 0:
		return percent("0")
	case 1:
		return percent("90")
	case 2:
		return percent("99")
	}
	return percent("99." + strings.Repeat("9", k-2))
}

// percent keeps number and sign on one line.
func percent(number string) string { return number + "\u00A0%" }
