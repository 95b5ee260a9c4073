package figure

import (
	"errors"
	"fmt"
	"slices"
)

// Text is the words around the panels; every figure kind embeds it.
type Text struct {
	Title    string `json:"title"`
	Subtitle string `json:"subtitle,omitempty"`
	// Requests and Runs are the n and the R of the caption line; a zero is left
	// out.
	Requests int64 `json:"requests,omitempty"`
	Runs     int   `json:"runs,omitempty"`
	// Verdict is VALID, SUSPECT, INVALID, or empty while nothing was judged. It
	// stands in the caption; any that is not VALID also stands beside the title.
	Verdict string `json:"verdict,omitempty"`
	// Caption follows n, R and the verdict.
	Caption string `json:"caption,omitempty"`
	// IntervalNote says what the vertical bars of observed points are, such as
	// "95 % interval of the median over runs". Empty: "interval".
	IntervalNote string `json:"interval_note,omitempty"`
	// BandNote says what the shaded band of a prediction is, such as "range
	// over 20 seeds". Empty: "prediction band".
	BandNote string `json:"band_note,omitempty"`
}

// Point is one value of a predicted curve or of a reference line. Lo and Hi
// bound the band there; a band is drawn where Lo ≤ Y ≤ Hi, so zero or NaN for
// both means none. A NaN X or Y breaks the line.
type Point struct {
	X, Y, Lo, Hi float64
}

// Observation is one measured value: a point, its interval (none unless
// Lo < Hi, both finite) and the value of every repetition. A NaN X or Y skips
// the point; finite repetitions are drawn even then.
type Observation struct {
	X, Y, Lo, Hi float64
	Reps         []float64
	// Ratio is observed / predicted where the observation has a prediction of
	// its own, such as the simulation of its very arrivals. Nil: the ratio panel
	// divides by the predicted curve.
	Ratio *Ratio
}

// Ratio is observed / predicted: its value, its interval (none unless Lo < Hi,
// both finite) and that of every repetition.
type Ratio struct {
	Y, Lo, Hi float64
	Reps      []float64
}

// System is something that was predicted, observed, or both: a server, or a
// model of one. The same name has the same colour throughout a figure; give the
// colour to keep it throughout a report.
type System struct {
	Name      string        `json:"name"`
	Colour    Colour        `json:"colour,omitempty"`
	Predicted []Point       `json:"predicted,omitempty"`
	Observed  []Observation `json:"observed,omitempty"`
}

// Line is a reference to read the systems against: an idealised model, an
// asymptotic bound. Drawn thin, grey and dashed; Lo and Hi are not used.
type Line struct {
	Name   string  `json:"name"`
	Points []Point `json:"points"`
}

// Quantity is what one panel shows: its axis label with the unit, such as
// "mean latency (ms)", the systems, and the references.
type Quantity struct {
	Label      string   `json:"label"`
	Systems    []System `json:"systems,omitempty"`
	References []Line   `json:"references,omitempty"`
}

// mostReferences is the largest number of references that dash patterns tell apart.
const mostReferences = 5

// check refuses what cannot be told apart on paper.
func (q Quantity) check() error {
	if len(q.References) > mostReferences {
		return fmt.Errorf("%q has %d reference lines and at most %d can be told apart: leave some out or draw two figures",
			q.Label, len(q.References), mostReferences)
	}
	seen := map[string]bool{}
	for _, s := range q.Systems {
		if seen[s.Name] {
			return fmt.Errorf("%q has two systems named %q: give each its own name", q.Label, s.Name)
		}
		seen[s.Name] = true
	}
	return nil
}

// empty reports whether nothing in the quantity can be drawn on the scale.
func (q Quantity) empty(s Scale) bool {
	return q.data(s).n == 0 && q.references(s).n == 0
}

// observed reports whether any system has a point or a repetition to draw on the
// scale.
func (q Quantity) observed(s Scale) bool {
	for _, sys := range q.Systems {
		for _, o := range sys.Observed {
			if finite(o.X) && (s.shows(o.Y) || slices.ContainsFunc(o.Reps, s.shows)) {
				return true
			}
		}
	}
	return false
}

// errNothing is what a figure without a single finite value returns.
var errNothing = errors.New("no finite value to draw: every predicted, observed and reference value is missing, not finite or, on a log axis, not above zero")

func (p Point) hasBand() bool {
	return finite(p.X) && finite(p.Lo) && finite(p.Hi) && p.Lo <= p.Y && p.Y <= p.Hi
}

func (o Observation) hasInterval() bool {
	return finite(o.Lo) && finite(o.Hi) && o.Lo < o.Hi
}
