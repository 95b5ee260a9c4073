package figure

import "fmt"

// paints is the look of every system of a figure by name, so that a system has
// the same colour in all its panels.
type paints map[string]paint

// paintsOf checks the quantities and gives each system its colour: the one it
// asks for, else the first free one in order of appearance.
func paintsOf(qs ...Quantity) (paints, error) {
	var names []string
	wanted := map[string]Colour{}
	for _, q := range qs {
		if err := q.check(); err != nil {
			return nil, err
		}
		for _, s := range q.Systems {
			before, known := wanted[s.Name]
			if !known {
				names = append(names, s.Name)
			}
			if before != "" && s.Colour != "" && before != s.Colour {
				return nil, fmt.Errorf("system %q asks for %s and for %s: one system has one colour", s.Name, before, s.Colour)
			}
			if before == "" {
				wanted[s.Name] = s.Colour
			}
		}
	}
	if len(names) > len(palette) {
		return nil, fmt.Errorf("%d systems in one figure and at most %d colours can be told apart: split the figure", len(names), len(palette))
	}
	return assign(names, wanted)
}

// assign serves the systems with a wish first, then the others.
func assign(names []string, wanted map[string]Colour) (paints, error) {
	out := paints{}
	taken := map[Colour]string{}
	for _, name := range names {
		c := wanted[name]
		if c == "" {
			continue
		}
		if by, ok := taken[c]; ok {
			return nil, fmt.Errorf("systems %q and %q both ask for %s: give each its own colour", by, name, c)
		}
		p, err := c.paint()
		if err != nil {
			return nil, fmt.Errorf("system %q: %w", name, err)
		}
		out[name], taken[c] = p, name
	}
	for _, name := range names {
		if wanted[name] != "" {
			continue
		}
		for _, p := range palette {
			if _, used := taken[p.name]; !used {
				out[name], taken[p.name] = p, name
				break
			}
		}
	}
	return out, nil
}
