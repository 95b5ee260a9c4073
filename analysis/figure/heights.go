package figure

import "gonum.org/v1/plot/vg"

// panelHeight is the height of the data area of a panel that stands alone.
func panelHeight(size Size) vg.Length {
	if size.Width < sideBySide {
		return 1.75 * vg.Inch
	}
	return 2.4 * vg.Inch
}

// pairHeight is the height of both data areas of a main panel and its ratio
// panel.
func pairHeight(size Size, single bool) vg.Length {
	switch {
	case size.Width < sideBySide && single:
		return 2.5 * vg.Inch
	case size.Width < sideBySide:
		return 2.2 * vg.Inch
	case single:
		return 3.6 * vg.Inch
	}
	return 3.1 * vg.Inch
}

// allEmpty reports whether no quantity has a value to draw.
func allEmpty(scale Scale, qs ...Quantity) bool {
	for _, q := range qs {
		if !q.empty(scale) {
			return false
		}
	}
	return true
}

// courseHeight is the height of the data area of one of n stacked panels: four
// of them make a post of about 7 by 6.5 in.
func courseHeight(size Size, n int) vg.Length {
	post := [...]vg.Length{2.4, 1.75, 1.4, 1.15, 1.05}
	column := [...]vg.Length{1.75, 1.4, 1.2, 1.05, 0.95}
	if size.Width < sideBySide {
		return column[n-1] * vg.Inch
	}
	return post[n-1] * vg.Inch
}
