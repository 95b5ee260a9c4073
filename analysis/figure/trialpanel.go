package figure

import (
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// panel is the panel with its texts in the room they have found.
func (r *trialRoom) panel(ps paints) *panel {
	p := &panel{y: axis{label: r.Label, hi: r.hi, scale: Linear}, height: r.height}
	style := draw.LineStyle{Color: inkSoft, Width: referenceWidth, Dashes: dashes[0]}
	b := bars{groups: r.Groups, paints: ps, lanes: r.lanes(r.slot())}
	if r.hasCeiling() {
		b.ceiling = &level{r.Ceiling, style}
	}
	p.labels = r.labels()
	p.add(blank(p.labels), b)
	if r.aside {
		p.ends = append(p.ends, ending{r.ceilingName(), inkSoft, curve{points: []Point{{X: 1, Y: r.Ceiling}}}})
	}
	if r.empty() {
		p.note = "no data: no run and no median can be drawn"
	}
	return p
}

// labels are the texts of the panel from the top down: notes, the ceiling's name,
// the numbers of the runs, and the names of the groups.
func (r *trialRoom) labels() []label {
	if r.width == 0 {
		return nil // the first round, which only measures the axis
	}
	var out []label
	for i, b := range r.notes {
		out = append(out, label{b, r.middle(i), r.bases[i], noteGap + b.height(), middle})
	}
	if len(r.title.lines) > 0 {
		out = append(out, label{r.title, r.seat, r.Ceiling, lineGap + r.title.height(), right})
	}
	numbers := r.numbers()
	below := vg.Length(tickLength)
	if len(numbers) > 0 {
		below = numberGap + numbers[0].height()
	}
	for i, b := range r.names {
		out = append(out, label{b, r.middle(i), 0, -below, middle})
	}
	return append(out, numbers...)
}

// middle is where a group stands, as a fraction of the width.
func (r *trialRoom) middle(i int) float64 { return (float64(i) + 0.5) / float64(len(r.Groups)) }

// Numbers of runs: their text size, how far below the axis they stand, and how
// far apart at least, in points.
const (
	numberSize  = 6
	numberGap   = 2 // clear of a point at zero
	numberApart = 2
)

// numbers count the runs of each group below the axis: every run where there is
// room, else the first and the last.
func (r *trialRoom) numbers() []label {
	hand := handOf(numberSize, regular, inkSoft)
	lanes := r.lanes(r.slot())
	var out []label
	for i, g := range r.Groups {
		n := len(g.Runs)
		if n < 2 {
			continue // nothing to put in order
		}
		wide := hand.width(strconv.Itoa(n)) + numberApart
		step := 1
		if lanes.pitch(n) < wide {
			step = n - 1
		}
		if vg.Length(step)*lanes.pitch(n) < wide {
			continue
		}
		for j := 0; j < n; j += step {
			at := r.middle(i) + float64(lanes.run(j, n)/r.width)
			out = append(out, label{hand.set(strconv.Itoa(j+1), r.width), at, 0, -numberGap, middle})
		}
	}
	return out
}
