package figure

import (
	"encoding/json"
	"fmt"
	"math"
)

// optional is a number in JSON that may be null.
type optional *float64

func toOptional(v float64) optional {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func fromOptional(o optional) float64 {
	if o == nil {
		return math.NaN()
	}
	return *o
}

// savedPoint is a Point or an Observation in JSON. lo and hi are left out
// together where there is neither.
type savedPoint struct {
	X    optional     `json:"x"`
	Y    optional     `json:"y"`
	Span *[2]optional `json:"interval,omitempty"`
	Reps []optional   `json:"reps,omitempty"`
	// Ratio is a point of the ratio panel, at the same x.
	Ratio *savedPoint `json:"ratio,omitempty"`
}

func save(x, y, lo, hi float64) savedPoint {
	s := savedPoint{X: toOptional(x), Y: toOptional(y)}
	known := toOptional(lo) != nil || toOptional(hi) != nil
	if known && !(lo == 0 && hi == 0) {
		s.Span = &[2]optional{toOptional(lo), toOptional(hi)}
	}
	return s
}

func (s savedPoint) load() (x, y, lo, hi float64) {
	x, y = fromOptional(s.X), fromOptional(s.Y)
	if s.Span != nil {
		lo, hi = fromOptional(s.Span[0]), fromOptional(s.Span[1])
	}
	return x, y, lo, hi
}

// MarshalJSON writes {"x":…,"y":…,"interval":[lo,hi]}, with null for what is
// missing and no interval where there is none.
func (p Point) MarshalJSON() ([]byte, error) {
	return json.Marshal(save(p.X, p.Y, p.Lo, p.Hi))
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *Point) UnmarshalJSON(data []byte) error {
	var s savedPoint
	if err := strict(data, &s); err != nil {
		return err
	}
	if s.Reps != nil || s.Ratio != nil {
		return fmt.Errorf("a predicted point has no reps and no ratio")
	}
	p.X, p.Y, p.Lo, p.Hi = s.load()
	return nil
}

// MarshalJSON writes what Point writes, "reps":[…] and "ratio":{…}.
func (o Observation) MarshalJSON() ([]byte, error) { return json.Marshal(o.saved()) }

func (o Observation) saved() savedPoint {
	s := save(o.X, o.Y, o.Lo, o.Hi)
	for _, r := range o.Reps {
		s.Reps = append(s.Reps, toOptional(r))
	}
	if r := o.Ratio; r != nil {
		own := Observation{X: o.X, Y: r.Y, Lo: r.Lo, Hi: r.Hi, Reps: r.Reps}.saved()
		s.Ratio = &own
	}
	return s
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (o *Observation) UnmarshalJSON(data []byte) error {
	var s savedPoint
	if err := strict(data, &s); err != nil {
		return err
	}
	if s.Ratio != nil && s.Ratio.Ratio != nil {
		return fmt.Errorf("a ratio has no ratio of its own")
	}
	*o = s.observation()
	return nil
}

func (s savedPoint) observation() Observation {
	var o Observation
	o.X, o.Y, o.Lo, o.Hi = s.load()
	for _, r := range s.Reps {
		o.Reps = append(o.Reps, fromOptional(r))
	}
	if s.Ratio != nil {
		own := s.Ratio.observation()
		o.Ratio = &Ratio{Y: own.Y, Lo: own.Lo, Hi: own.Hi, Reps: own.Reps}
	}
	return o
}
