package figure

import "slices"

// drawn reports whether a value of a trial has a place on its axis, which starts
// at zero: no rate, count or time is below it.
func drawn(v float64) bool { return finite(v) && v >= 0 }

func (g TrialGroup) hasInterval() bool {
	return drawn(g.Lo) && drawn(g.Hi) && g.Lo < g.Hi
}

// hull is everything of the group that must be visible.
func (g TrialGroup) hull() hull {
	var h hull
	for _, v := range append([]float64{g.Median}, g.Runs...) {
		if drawn(v) {
			h.add(v, Linear)
		}
	}
	if g.hasInterval() {
		h.add(g.Hi, Linear)
	}
	return h
}

// hull is everything of the panel that must be visible, from zero.
func (p TrialPanel) hull() hull {
	var h hull
	for _, g := range p.Groups {
		h.merge(g.hull())
	}
	if p.hasCeiling() {
		h.add(p.Ceiling, Linear)
	}
	return h
}

func (p TrialPanel) hasCeiling() bool { return finite(p.Ceiling) && p.Ceiling > 0 }

// empty reports whether no group has a value: a ceiling alone says nothing.
func (p TrialPanel) empty() bool {
	return !slices.ContainsFunc(p.Groups, func(g TrialGroup) bool { return g.hull().n > 0 })
}

func (p TrialPanel) hasIntervals() bool {
	return slices.ContainsFunc(p.Groups, TrialGroup.hasInterval)
}
