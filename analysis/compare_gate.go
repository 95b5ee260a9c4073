package analysis

import "queuelab/measure/record"

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
