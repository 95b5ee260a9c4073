package figure

import (
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
)

// trialRoom finds the room for the texts of one panel of trials: notes stand
// above the bars, off the points and off the ceiling, and the name of the ceiling
// stands on its line where no group reaches it.
type trialRoom struct {
	TrialPanel
	usual  vg.Length // height of a data area with short notes
	height vg.Length // of the data area
	width  vg.Length // of the data area
	hi     float64   // upper end of the vertical axis; it only grows
	// aside: the ceiling's name stands beside the panel; once there it stays.
	aside bool

	names []block   // of the groups
	notes []block   // of the groups
	bases []float64 // of the groups: the value above which the note stands
	title block     // name of the ceiling
	seat  float64   // its right end, as a fraction of the width
}

func newTrialRoom(p TrialPanel, height vg.Length) *trialRoom {
	_, hi := p.hull().padded(Linear)
	return &trialRoom{TrialPanel: p, usual: height, height: height, hi: hi}
}

// settle fits the texts of all panels to the width of their data areas, which
// all have one height. It reports whether that may have changed the margins.
func settle(rooms []*trialRoom, width vg.Length) (changed bool) {
	height := vg.Length(0)
	for _, r := range rooms {
		changed = changed || r.width != width
		r.wrap(width)
		height = max(height, r.usual, r.least())
	}
	for _, r := range rooms {
		hi, aside := r.hi, r.aside
		r.height = height
		r.raise()
		changed = changed || r.hi != hi || r.aside != aside
	}
	return changed
}

// slot is the width that one group has.
func (r *trialRoom) slot() vg.Length { return r.width / vg.Length(max(1, len(r.Groups))) }

// wrap breaks names and notes into lines that fit beside each other.
func (r *trialRoom) wrap(width vg.Length) {
	r.width = width
	var names, notes []string
	for _, g := range r.Groups {
		names = append(names, g.Name)
		notes = append(notes, unbroken.Replace(g.note()))
	}
	r.names = setAlike(names, r.slot()-textGap)
	r.notes = setAlike(notes, r.slot()-textGap)
}

// unbroken keeps a number on the line of its sign.
var unbroken = strings.NewReplacer(" %", "\u00A0%", " = ", "\u00A0=\u00A0")

// note is what stands above the group's bar.
func (g TrialGroup) note() string {
	if g.hull().n > 0 {
		return g.Note
	}
	return strings.TrimSpace("no data " + g.Note)
}

// Distances in points, and the share of a panel's usual height that is left to
// the data however long the notes are.
const (
	noteGap   = 4.2 // from a value, whose point reaches up to 3.2, to the note above it
	lineGap   = 1.5 // between a text and the ceiling
	leastData = 0.6
)

// least is the height that the notes ask for.
func (r *trialRoom) least() vg.Length {
	var most vg.Length
	for _, b := range r.notes {
		most = max(most, b.height())
	}
	return most + noteGap + leastData*r.usual
}

// raise lengthens the axis until everything has its place below its end. A
// longer axis presses the bars and the ceiling together, so that a note may have
// to change to above the line: each does so at most once.
func (r *trialRoom) raise() {
	r.bases = nil
	for _, g := range r.Groups {
		r.bases = append(r.bases, math.Max(0, g.hull().hi))
	}
	for before := 0.0; r.hi != before; {
		before = r.hi
		for i := range r.Groups {
			r.avoidCeiling(i)
			r.reach(r.bases[i], noteGap+r.notes[i].height())
		}
		r.nameCeiling()
	}
}

// avoidCeiling moves a note above the ceiling if the line would run through it.
func (r *trialRoom) avoidCeiling(i int) {
	if !r.hasCeiling() || r.bases[i] >= r.Ceiling {
		return
	}
	if top := r.points(r.bases[i]) + noteGap + r.notes[i].height(); top > r.points(r.Ceiling)-lineGap {
		r.bases[i] = r.Ceiling
	}
}

// points is the height of a value above the foot of the panel.
func (r *trialRoom) points(v float64) vg.Length { return vg.Length(v/r.hi) * r.height }

// reach lengthens the axis so that so many points are free above a value.
func (r *trialRoom) reach(v float64, free vg.Length) {
	r.hi = math.Max(r.hi, v*float64(r.height/(r.height-free)))
}

// titleLines is how many lines the name of the ceiling may take on its line.
const titleLines = 2

// nameCeiling seats the name above the line, at the right end of the widest
// stretch that no group and no note reaches; without such a stretch the name
// stands beside the panel.
func (r *trialRoom) nameCeiling() {
	r.title = block{}
	if !r.hasCeiling() || r.aside {
		return
	}
	from, to := r.belowCeiling()
	room := r.slot()*vg.Length(to-from) - 2*textGap
	hand := body(inkSoft)
	b := hand.set(r.ceilingName(), room)
	if to == from || len(b.lines) > titleLines || hand.cuts(r.ceilingName(), room) {
		r.aside = true
		return
	}
	r.title, r.seat = b, float64(to)/float64(len(r.Groups))
	r.reach(r.Ceiling, lineGap+b.height())
}

func (r *trialRoom) ceilingName() string { return or(r.CeilingName, "ceiling") }

// belowCeiling is the longest row of groups that stay below the ceiling with
// their notes, from the first up to but not including the last; the rightmost of
// equals.
func (r *trialRoom) belowCeiling() (from, to int) {
	start := 0
	for i, base := range r.bases {
		if base >= r.Ceiling {
			start = i + 1
			continue
		}
		if i+1-start >= to-from {
			from, to = start, i+1
		}
	}
	return from, to
}
