package figure

import "encoding/json"

// savedTrialPanel is a TrialPanel in JSON.
type savedTrialPanel struct {
	Label       string       `json:"label"`
	Groups      []TrialGroup `json:"groups"`
	Ceiling     optional     `json:"ceiling"`
	CeilingName string       `json:"ceiling_name,omitempty"`
}

// savedTrialGroup is a TrialGroup in JSON.
type savedTrialGroup struct {
	Name   string       `json:"name"`
	Colour Colour       `json:"colour,omitempty"`
	Median optional     `json:"median"`
	Span   *[2]optional `json:"interval,omitempty"`
	Runs   []optional   `json:"runs,omitempty"`
	Note   string       `json:"note,omitempty"`
}

// MarshalJSON writes {"label":…,"groups":[…],"ceiling":…,"ceiling_name":…}, with
// null for a ceiling that is not known.
func (p TrialPanel) MarshalJSON() ([]byte, error) {
	return json.Marshal(savedTrialPanel{p.Label, p.Groups, toOptional(p.Ceiling), p.CeilingName})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *TrialPanel) UnmarshalJSON(data []byte) error {
	var s savedTrialPanel
	if err := strict(data, &s); err != nil {
		return err
	}
	*p = TrialPanel{s.Label, s.Groups, fromOptional(s.Ceiling), s.CeilingName}
	return nil
}

// MarshalJSON writes {"name":…,"colour":…,"median":…,"interval":[lo,hi],
// "runs":[…],"note":…}, with null for what is missing and no interval where there
// is none.
func (g TrialGroup) MarshalJSON() ([]byte, error) {
	o := save(0, g.Median, g.Lo, g.Hi)
	s := savedTrialGroup{Name: g.Name, Colour: g.Colour, Median: o.Y, Span: o.Span, Note: g.Note}
	for _, r := range g.Runs {
		s.Runs = append(s.Runs, toOptional(r))
	}
	return json.Marshal(s)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (g *TrialGroup) UnmarshalJSON(data []byte) error {
	var s savedTrialGroup
	if err := strict(data, &s); err != nil {
		return err
	}
	o := savedPoint{Y: s.Median, Span: s.Span, Reps: s.Runs}.observation()
	*g = TrialGroup{Name: s.Name, Colour: s.Colour, Median: o.Y, Lo: o.Lo, Hi: o.Hi, Runs: o.Reps, Note: s.Note}
	return nil
}
