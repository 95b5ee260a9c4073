package stats

import "slices"

// dixon are the critical values of Dixon's r10 for samples of 3 to 30 normal
// values, which each end of a sample exceeds with a probability of 5 %: the
// two-sided ones at 90 %, or one-sided ones at 95 %.
// Source: Rorabacher, Statistical Treatment for Rejection of Deviant Values,
// Analytical Chemistry 63 (1991).
var dixon = [...]float64{
	0.941, 0.765, 0.642, 0.560, 0.507, 0.468, 0.437, 0.412, 0.392, 0.376,
	0.361, 0.349, 0.338, 0.329, 0.320, 0.313, 0.306, 0.300, 0.295, 0.290,
	0.285, 0.281, 0.277, 0.273, 0.269, 0.266, 0.263, 0.260,
}

// smallestDixon is how many values the first critical value is for.
const smallestDixon = 3

// StandsApart says whether the first of a trial's values stands apart from the
// others, as it does after too short a warm-up: it is the smallest or the largest
// of all, and the ratio of its distance from the nearest one to the range of all,
// Dixon's r10 or Q, is above the critical value for so many.
//
// The test is at 95 % for each end of a sample. Only the first value is looked at,
// which is one of the ends in two of n samples: among runs that do not differ it
// stands apart in 10 %/n of all trials, 2 % for five runs. More than 30 values are held against the
// critical value for 30, which is more than they would need. Fewer than three,
// or values that are all equal, never stand apart.
func StandsApart(first float64, others []float64) bool {
	n := len(others) + 1
	if n < smallestDixon {
		return false
	}
	lo, hi := slices.Min(others), slices.Max(others)
	gap := max(lo-first, first-hi)
	reach := max(hi, first) - min(lo, first)
	critical := dixon[min(n-smallestDixon, len(dixon)-1)]
	return gap > critical*reach
}
