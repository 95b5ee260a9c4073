package analysis

import (
	"slices"

	"queuelab/measure/record"
	"queuelab/measure/stats"
)

// Exceeding are the quantities in which B is shown to be slower, by the estimate at
// least by a share of A's value. When B has runs in which nothing was answered, and A
// has none, it is slower in all.
func (c *Comparison) Exceeding(share float64) []Compared {
	var out []Compared
	for _, q := range c.Quantities {
		if q.dead || q.Verdict == Slower && q.SlowDown() >= share {
			out = append(out, q)
		}
	}
	return out
}

// FailsMore says whether B leaves more of its requests without an answer than A, by
// a share of all: what fails fast is no faster.
func (c *Comparison) FailsMore(share float64) bool {
	return float64(c.UnansweredB-c.UnansweredA) > share
}

// TooFew says whether no quantity could show a difference, however large, because
// the runs are too few.
func (c *Comparison) TooFew() bool {
	return !slices.ContainsFunc(c.Quantities, func(q Compared) bool { return !q.few })
}

// TooFewRuns says whether a number of runs a side is too few to show a difference in
// any of so many quantities.
func TooFewRuns(reps, quantities int) bool {
	return stats.LeastP(reps, reps) > significance/float64(quantities)
}

// Blind are the quantities in which no difference is shown, and in which these runs
// could not have shown that B is slower by a share of A's value.
func (c *Comparison) Blind(share float64) []Compared {
	var out []Compared
	for _, q := range c.Quantities {
		if !q.dead && (q.Verdict == NotShown || q.Verdict == "") && !(q.smallestSlowDown() <= share) {
			out = append(out, q)
		}
	}
	return out
}

// SlowDown is by which share of A's value B is slower, by the estimate: negative
// when it is faster, NaN when it is not known.
func (c *Compared) SlowDown() float64 {
	if c.Quantity == record.ThroughputKey {
		return -float64(c.Change)
	}
	return float64(c.Change)
}

// smallestSlowDown is the smallest share of A's value by which B could have been
// shown to be slower, NaN where none could.
func (c *Compared) smallestSlowDown() float64 {
	reach := float64(c.Smallest)
	if c.Quantity == record.ThroughputKey {
		return reach / (1 + reach) // a factor that divides
	}
	return reach
}
