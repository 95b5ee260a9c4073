package figure

import "encoding/json"

// Values are numbers of which some may be missing: NaN in Go, null in JSON.
type Values []float64

// MarshalJSON writes [1,null,3].
func (v Values) MarshalJSON() ([]byte, error) {
	out := make([]optional, len(v))
	for i, x := range v {
		out[i] = toOptional(x)
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (v *Values) UnmarshalJSON(data []byte) error {
	var in []optional
	if err := strict(data, &in); err != nil {
		return err
	}
	*v = make(Values, len(in))
	for i, x := range in {
		(*v)[i] = fromOptional(x)
	}
	return nil
}

// savedPeerRow is a PeerRow in JSON.
type savedPeerRow struct {
	Name   string   `json:"name"`
	Colour Colour   `json:"colour,omitempty"`
	Median optional `json:"median"`
	Runs   Values   `json:"runs"`
	Note   string   `json:"note,omitempty"`
}

// MarshalJSON writes {"name":…,"colour":…,"median":…,"runs":[…],"note":…}, with null
// for what is missing.
func (r PeerRow) MarshalJSON() ([]byte, error) {
	return json.Marshal(savedPeerRow{r.Name, r.Colour, toOptional(r.Median), r.Runs, r.Note})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (r *PeerRow) UnmarshalJSON(data []byte) error {
	var s savedPeerRow
	if err := strict(data, &s); err != nil {
		return err
	}
	*r = PeerRow{s.Name, s.Colour, fromOptional(s.Median), s.Runs, s.Note}
	return nil
}
