package figure

import "slices"

// systemKey names the systems of the quantities in order of appearance, each
// once: where many panels share them, names at the ends of lines would repeat.
// The mark is what the system has: a line, points, or both.
func systemKey(ps paints, qs ...Quantity) []keyItem {
	var names []string
	held := map[string][]Quantity{}
	for _, q := range qs {
		for _, s := range q.Systems {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
			held[s.Name] = append(held[s.Name], Quantity{Systems: []System{s}})
		}
	}
	var out []keyItem
	for _, name := range names {
		kind := keySystem
		switch has := marksIn(held[name]); {
		case !has[keyLine] && !has[keyPoint] && !has[keyReps]:
			continue // nothing of it is drawn
		case !has[keyPoint]:
			kind = keyLine
		case !has[keyLine]:
			kind = keyPoint
		}
		out = append(out, keyItem{kind, ps[name].ink, ps[name].shape, name})
	}
	return out
}
