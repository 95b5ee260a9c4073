package figure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// kinds are the figures that can be saved and drawn again; a new kind adds its
// line here.
var kinds = []kind{
	{"data-over-model", func() Figure { return new(DataOverModel) }},
	{"closed-curve", func() Figure { return new(ClosedCurve) }},
	{"capacity-sweep", func() Figure { return new(CapacitySweep) }},
	{"percentiles", func() Figure { return new(Percentiles) }},
	{"course", func() Figure { return new(Course) }},
	{"trials", func() Figure { return new(Trials) }},
	{"peers", func() Figure { return new(Peers) }},
	{"lateness", func() Figure { return new(Lateness) }},
}

// kind is the name of a figure kind in files, and how to begin an empty one.
type kind struct {
	name  string
	empty func() Figure
}

// schema is the version of saved figures.
const schema = 1

// saved is the file form of a figure.
type saved struct {
	Schema int             `json:"schema"`
	Kind   string          `json:"kind"`
	Figure json.RawMessage `json:"figure"`
}

// Marshal turns a figure into JSON that holds everything that is drawn. Missing
// numbers (NaN, infinite) are null.
func Marshal(f Figure) ([]byte, error) {
	kind, err := kindOf(f)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("cannot save the %s figure: %w", kind, err)
	}
	return json.MarshalIndent(saved{schema, kind, data}, "", " ")
}

// kindOf accepts a figure as well as a pointer to one.
func kindOf(f Figure) (string, error) {
	for _, k := range kinds {
		pointer := reflect.TypeOf(k.empty())
		if t := reflect.TypeOf(f); t == pointer || t == pointer.Elem() {
			return k.name, nil
		}
	}
	return "", fmt.Errorf("a %T cannot be saved: it is no figure kind of this package", f)
}

// Unmarshal reads what Marshal wrote. Unknown kinds, schemas and keys are
// refused, so that nothing is left out of a redraw silently.
func Unmarshal(data []byte) (Figure, error) {
	var s saved
	if err := strict(data, &s); err != nil {
		return nil, fmt.Errorf("cannot read the saved figure: %w", err)
	}
	if s.Schema != schema {
		return nil, fmt.Errorf("the saved figure has schema %d and this program reads %d: draw it with the program that saved it", s.Schema, schema)
	}
	for _, k := range kinds {
		if k.name != s.Kind {
			continue
		}
		f := k.empty()
		if err := strict(s.Figure, f); err != nil {
			return nil, fmt.Errorf("cannot read the saved %s figure: %w", s.Kind, err)
		}
		return f, nil
	}
	return nil, fmt.Errorf("the saved figure is of the unknown kind %q: known are %s", s.Kind, kindNames())
}

func kindNames() string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return strings.Join(names, ", ")
}

// strict decodes exactly one JSON value without unknown keys.
func strict(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("something follows after its end")
	}
	return nil
}
