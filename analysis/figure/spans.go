package figure

import (
	"encoding/json"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Span is a stretch of a horizontal axis. It is drawn where From < To, both
// finite.
type Span struct {
	From, To float64
}

// savedSpan is a Span in JSON.
type savedSpan struct {
	From optional `json:"from"`
	To   optional `json:"to"`
}

// MarshalJSON writes {"from":…,"to":…}, with null for what is missing.
func (s Span) MarshalJSON() ([]byte, error) {
	return json.Marshal(savedSpan{toOptional(s.From), toOptional(s.To)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *Span) UnmarshalJSON(data []byte) error {
	var from savedSpan
	if err := strict(data, &from); err != nil {
		return err
	}
	s.From, s.To = fromOptional(from.From), fromOptional(from.To)
	return nil
}

// shownOn reports whether any of the span lies on the axis.
func (s Span) shownOn(x axis) bool {
	return finite(s.From) && finite(s.To) && s.From < s.To && s.From < x.hi && s.To > x.lo
}

// shades are spans shaded over the whole height of the panel.
type shades struct {
	spans []Span
	x     axis
	ink   color.Color
}

var _ plot.Plotter = shades{}

func (s shades) Plot(c draw.Canvas, p *plot.Plot) {
	for _, span := range s.spans {
		if !span.shownOn(s.x) {
			continue
		}
		from, to := c.X(p.X.Norm(max(span.From, s.x.lo))), c.X(p.X.Norm(min(span.To, s.x.hi)))
		c.FillPolygon(s.ink, []vg.Point{{X: from, Y: c.Min.Y}, {X: to, Y: c.Min.Y}, {X: to, Y: c.Max.Y}, {X: from, Y: c.Max.Y}})
	}
}
