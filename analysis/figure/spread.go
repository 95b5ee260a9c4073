package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"
)

// wish is a label that would like to be centred at a place on a line.
type wish struct {
	centre, size vg.Length
}

// spread moves labels along a line until none overlap and all lie within lo and
// hi, each as near to its wish as the others allow: groups of colliding labels
// settle at the mean of their wishes. It returns the centres in the order of the
// wishes. Labels that need more than hi − lo run over hi; callers make room.
func spread(wishes []wish, lo, hi vg.Length) []vg.Length {
	order := make([]int, len(wishes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case wishes[a].centre < wishes[b].centre:
			return -1
		case wishes[a].centre > wishes[b].centre:
			return 1
		}
		return 0
	})
	var groups []group
	for _, i := range order {
		g := group{members: []int{i}, size: wishes[i].size, sum: wishes[i].centre - wishes[i].size/2}
		for len(groups) > 0 && groups[len(groups)-1].end(lo, hi) > g.start(lo, hi) {
			g = groups[len(groups)-1].joined(g)
			groups = groups[:len(groups)-1]
		}
		groups = append(groups, g)
	}
	centres := make([]vg.Length, len(wishes))
	for _, g := range groups {
		at := g.start(lo, hi)
		for _, i := range g.members {
			centres[i] = at + wishes[i].size/2
			at += wishes[i].size
		}
	}
	return centres
}

// group is a run of labels that touch each other.
type group struct {
	members []int
	size    vg.Length
	// sum adds up, over the members, the start of the group at which that
	// member would have its wish.
	sum vg.Length
}

func (g group) start(lo, hi vg.Length) vg.Length {
	return max(lo, min(g.sum/vg.Length(len(g.members)), hi-g.size))
}

func (g group) end(lo, hi vg.Length) vg.Length { return g.start(lo, hi) + g.size }

func (g group) joined(next group) group {
	return group{
		members: append(g.members, next.members...),
		size:    g.size + next.size,
		sum:     g.sum + next.sum - g.size*vg.Length(len(next.members)),
	}
}
