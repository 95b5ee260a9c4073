package reports

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// object is one mapping of a study file.
type object struct {
	r      *reading
	what   string // such as "target 2"; empty for the study itself
	line   int
	keys   []string // in the order of the file
	values map[string]value
	// misspelt are the keys that an unknown one probably means: they are not
	// asked for as well.
	misspelt map[string]bool
}

// object reads a mapping; keys that are not among the known ones, or come
// twice, are refused. It is nil when the value is no mapping.
func (v value) object(what string, known []string) *object {
	mapping, ok := v.node.(ast.MapNode)
	if _, anchored := v.node.(*ast.AnchorNode); !ok || anchored {
		v.r.refuse(v.line, "%s must be a mapping with %s", v.name, strings.Join(known, ", "))
		return nil
	}
	o := &object{r: v.r, what: what, line: v.line, values: map[string]value{}, misspelt: map[string]bool{}}
	for i := mapping.MapRange(); i.Next(); {
		o.add(i.Key(), i.Value(), known)
	}
	return o
}

func (o *object) add(keyNode ast.MapKeyNode, node ast.Node, known []string) {
	if keyNode == nil || keyNode.GetToken() == nil {
		o.r.refuse(o.line, "%s has a key that cannot be read", o.title())
		return
	}
	key, line := keyNode.GetToken().Value, lineOf(keyNode)
	switch _, twice := o.values[key]; {
	case keyNode.IsMergeKey():
		o.r.refuse(line, "merge keys (<<) are not read in a study; write the keys out")
	case !slices.Contains(known, key):
		o.r.refuse(line, "%s has no key %s%s", o.title(), shown(key), meant(key, known))
		o.misspelt[nearest(key, known)] = true
	case twice:
		o.r.refuse(line, "%s is set twice, first in line %d; remove one of them", o.name(key), o.values[key].line)
	default:
		o.keys = append(o.keys, key)
		o.values[key] = value{o.r, o.name(key), line, node}
	}
}

func (o *object) title() string {
	if o.what == "" {
		return "a study"
	}
	return o.what
}

// name is how a key is called in errors.
func (o *object) name(key string) string {
	if o.what == "" {
		return key
	}
	return key + " of " + o.what
}

// get returns the value of a key that may be left out.
func (o *object) get(key string) (value, bool) {
	v, found := o.values[key]
	return v, found
}

// need returns the value of a key that may not be left out; meaning says what
// it is for, with an example.
func (o *object) need(key, meaning string) (value, bool) {
	v, found := o.values[key]
	if !found && !o.misspelt[key] {
		o.r.refuse(o.line, "%s needs %s, %s", o.title(), key, meaning)
	}
	return v, found
}

// forbid refuses every key that is not among the allowed ones, because of what
// another key says.
func (o *object) forbid(because string, allowed ...string) {
	for _, key := range o.keys {
		if !slices.Contains(allowed, key) {
			o.r.refuse(o.values[key].line, "%s cannot be set, because %s; remove it", o.name(key), because)
		}
	}
}
