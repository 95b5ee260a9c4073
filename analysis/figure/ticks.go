package figure

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// marker chooses the labelled ticks of an axis: multiples of 1, 2 or 5 times a
// power of ten. On a logarithmic axis it labels 1, 2, 5 or whole decades, and
// falls back to even steps within one decade, where decades alone would leave
// the axis bare (gonum/plot issue 377).
type marker struct {
	scale Scale
	// doubling labels 1, 2, 4, 8, … on a logarithmic axis: numbers of clients.
	doubling bool
	// aroundOne keeps a label on either side of 1 on an axis of ratios.
	aroundOne bool
	// nines labels quantiles on an axis of −log10(1−q).
	nines bool
	// fits reports whether these labels have room on the axis.
	fits func([]plot.Tick) bool
}

var _ plot.Ticker = marker{}

// The number of labels an axis may carry.
const (
	mostLabels = 9
	goodLabels = 3 // a coarser choice is taken before one with fewer labels
)

// Ticks returns the ticks from min to max: at least one has a label, whatever
// the range.
func (m marker) Ticks(min, max float64) []plot.Tick {
	choices := m.choices(min, max)
	for _, least := range []int{goodLabels, 2, 1} {
		for _, ticks := range choices {
			if len(ticks) >= least && len(ticks) <= mostLabels && (m.fits == nil || m.fits(ticks)) {
				return m.withMinor(ticks, min, max)
			}
		}
	}
	for _, ticks := range choices { // no room for two labels anywhere
		if len(ticks) > 0 {
			return ticks[:1]
		}
	}
	return []plot.Tick{{Value: min, Label: number(min, 3)}}
}

// choices are the possible sets of labelled ticks, the best first.
func (m marker) choices(min, max float64) [][]plot.Tick {
	if m.nines {
		return nineTicks(max)
	}
	if m.scale != Log {
		return evenSteps(min, max)
	}
	var out [][]plot.Tick
	if m.doubling {
		for stride := 1; stride <= 8; stride *= 2 {
			if ticks := doublings(min, max, stride); len(ticks) > 0 {
				out = append(out, ticks)
			}
		}
		if len(out) > 0 {
			return out // halves of clients say nothing
		}
	}
	out = append(out, mantissas(min, max, 1, 2, 5), mantissas(min, max, 1, 3))
	for _, stride := range []int{1, 2, 5, 10, 20, 50} {
		out = append(out, decades(min, max, stride))
	}
	if max/min < 100 {
		out = append(out, evenSteps(min, max)...)
	}
	if m.aroundOne {
		out = append(out, triples(min, max)...)
	}
	return out
}

// triples are 1 with one tick on either side, the widest first.
func triples(min, max float64) [][]plot.Tick {
	var out [][]plot.Tick
	for e := int(math.Log10(max)); e >= 1; e-- {
		out = append(out, []plot.Tick{
			{Value: math.Pow10(-e), Label: number(math.Pow10(-e), e)}, {Value: 1, Label: "1"}, {Value: math.Pow10(e), Label: number(math.Pow10(e), 0)}})
	}
	for e := -1; e >= -6; e-- {
		for _, m := range []float64{5, 2, 1} {
			if d := m * math.Pow10(e); 1-d >= min && 1+d <= max {
				out = append(out, []plot.Tick{
					{Value: 1 - d, Label: number(1-d, -e)}, {Value: 1, Label: number(1, -e)}, {Value: 1 + d, Label: number(1+d, -e)}})
			}
		}
	}
	return out
}

// evenSteps are the sets with steps of 1, 2 and 5 times a power of ten, the
// finest first.
func evenSteps(min, max float64) [][]plot.Tick {
	var out [][]plot.Tick
	exponent := int(math.Floor(math.Log10(max-min))) - 1
	for e := exponent; e <= exponent+2; e++ {
		for _, m := range []float64{1, 2, 5} {
			if t := multiples(min, max, m, e); len(t) > 0 {
				out = append(out, t)
			}
		}
	}
	return out
}

// multiples are the multiples of m·10^e within the range.
func multiples(min, max, m float64, e int) []plot.Tick {
	step := m * math.Pow10(e)
	first, last := math.Ceil(min/step-1e-9), math.Floor(max/step+1e-9)
	if !(last-first < 200) {
		return nil
	}
	var out []plot.Tick
	for i := 0.0; first+i <= last; i++ {
		v := (first + i) * step
		out = append(out, plot.Tick{Value: v, Label: number(v, -e)})
	}
	return out
}

// mantissas are the given multiples of every power of ten within the range.
func mantissas(min, max float64, ms ...float64) []plot.Tick {
	var out []plot.Tick
	for e := int(math.Floor(math.Log10(min))); e <= int(math.Ceil(math.Log10(max))); e++ {
		for _, m := range ms {
			if v := m * math.Pow10(e); v >= min*(1-1e-9) && v <= max*(1+1e-9) {
				out = append(out, plot.Tick{Value: v, Label: number(v, -e)})
			}
		}
	}
	return out
}

// decades are the powers of ten whose exponent is a multiple of the stride.
func decades(min, max float64, stride int) []plot.Tick {
	var out []plot.Tick
	for _, t := range mantissas(min, max, 1) {
		if int(math.Round(math.Log10(t.Value)))%stride == 0 {
			out = append(out, t)
		}
	}
	return out
}

// doublings are the powers of two from 1 whose exponent is a multiple of the
// stride.
func doublings(min, max float64, stride int) []plot.Tick {
	var out []plot.Tick
	for e := 0; e <= 62; e += stride {
		if v := math.Ldexp(1, e); v >= min && v <= max {
			out = append(out, plot.Tick{Value: v, Label: number(v, 0)})
		}
	}
	return out
}

// withMinor adds the unlabelled ticks: on an axis of quantiles the nines without
// a label, and those of a logarithmic axis that spans few decades.
func (m marker) withMinor(labelled []plot.Tick, min, max float64) []plot.Tick {
	var all []plot.Tick
	switch {
	case m.nines:
		all = nineTicks(max)[0]
	case m.scale != Log || m.doubling || max/min > 1e5 || max/min < 3:
		return labelled
	default:
		all = mantissas(min, max, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	}
	has := map[float64]bool{}
	for _, t := range labelled {
		has[t.Value] = true
	}
	out := labelled
	for _, t := range all {
		if !has[t.Value] {
			out = append(out, plot.Tick{Value: t.Value})
		}
	}
	return out
}

// number writes a tick value with that many decimals, thousands apart, and in
// powers of ten where zeros would have to be counted.
func number(v float64, decimals int) string {
	if v == 0 {
		return "0"
	}
	if a := math.Abs(v); a >= 1e7 || a < 1e-4 {
		e := int(math.Floor(math.Log10(a) + 1e-9))
		mantissa := strconv.FormatFloat(v/math.Pow10(e), 'f', min(max(decimals+e, 0), 12), 64)
		if strings.Contains(mantissa, ".") {
			mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		}
		return mantissa + "e" + strconv.Itoa(e)
	}
	return grouped(strconv.FormatFloat(v, 'f', max(decimals, 0), 64))
}

// short writes a value with three digits at least and no decimals from 100 on,
// as a label states it.
func short(v float64) string {
	if v == 0 || math.Abs(v) >= 100 {
		return number(math.Round(v), 0)
	}
	s := number(v, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	if strings.Contains(s, ".") && !strings.Contains(s, "e") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// grouped puts a comma between thousands.
func grouped(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, fraction, dot := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if dot {
		whole += "." + fraction
	}
	return sign + whole
}
