package figure

import "math"

// data is the hull of everything that must be visible: observed values with
// their intervals and repetitions, and predicted values.
func (q Quantity) data(scale Scale) hull {
	var s hull
	for _, sys := range q.Systems {
		for _, o := range sys.Observed {
			if !finite(o.X) {
				continue
			}
			s.add(o.Y, scale)
			for _, r := range o.Reps {
				s.add(r, scale)
			}
			if o.hasInterval() && scale.shows(o.Y) {
				s.add(o.Lo, scale)
				s.add(o.Hi, scale)
			}
		}
		for _, p := range sys.Predicted {
			if finite(p.X) {
				s.add(p.Y, scale)
			}
		}
	}
	return s
}

// references is the hull of the reference lines.
func (q Quantity) references(scale Scale) hull {
	var s hull
	for _, l := range q.References {
		for _, p := range l.Points {
			if finite(p.X) {
				s.add(p.Y, scale)
			}
		}
	}
	return s
}

// bands is the hull of the prediction bands.
func (q Quantity) bands(scale Scale) hull {
	var s hull
	for _, sys := range q.Systems {
		for _, p := range sys.Predicted {
			if p.hasBand() {
				s.add(p.Lo, scale)
				s.add(p.Hi, scale)
			}
		}
	}
	return s
}

// guests is how far, as a factor, references and bands may widen the range that
// the data need. Beyond it they leave the panel through its edge: a bound that
// goes to infinity must not press the data flat.
const guests = 1.3

// verticalRange is the range of the quantity's axis.
func (q Quantity) verticalRange(scale Scale) (lo, hi float64) {
	s := q.data(scale)
	others := q.bands(scale)
	others.merge(q.references(scale))
	if s.n == 0 {
		return others.padded(scale)
	}
	if others.n > 0 {
		limit := s
		limit.add(math.Min(others.lo, s.lo), scale)
		limit.add(math.Max(others.hi, s.hi), scale)
		if s.hi > 0 {
			limit.hi = math.Min(limit.hi, s.hi*guests)
		}
		if s.lo > 0 {
			limit.lo = math.Max(limit.lo, s.lo/guests)
		}
		s = limit
	}
	return s.padded(scale)
}

// horizontal is the hull of all x values of the quantity.
func (q Quantity) horizontal(scale Scale) hull {
	var s hull
	for _, sys := range q.Systems {
		for _, o := range sys.Observed {
			s.add(o.X, scale)
		}
		for _, p := range sys.Predicted {
			s.add(p.X, scale)
		}
	}
	for _, l := range q.References {
		for _, p := range l.Points {
			s.add(p.X, scale)
		}
	}
	return s
}

// choose resolves Auto for panels that are to be read against each other: one
// scale for all of them.
func (s Scale) choose(qs ...Quantity) Scale {
	if s != Auto {
		return s
	}
	wide := false
	for _, q := range qs {
		d := q.data(Linear)
		if d.n == 0 {
			continue
		}
		if d.lo <= 0 {
			return Linear
		}
		wide = wide || d.hi/d.lo > autoLogFactor
	}
	if wide {
		return Log
	}
	return Linear
}
