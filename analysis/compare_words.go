package analysis

import (
	"fmt"
	"math"

	"queuelab/measure/record"
	"queuelab/measure/stats"
)

// sentence is the verdict in words. Its percentages are of A's value and always
// positive: how much less throughput, or more latency, B has when it is slower.
func (s *sample) sentence(c *Compared, family int) string {
	switch {
	case !s.resolved():
		return s.unresolved()
	case c.Verdict != NotShown:
		return fmt.Sprintf("B is %s by %s", c.Verdict, c.size())
	case !s.enough(family):
		return tooFew(len(s.a), len(s.b), family)
	case c.outside():
		return fmt.Sprintf("no difference shown: alone, B would be %s by %s, but among %d quantities that may be chance (Holm's p is %.2g)",
			c.direction(), c.size(), family, float64(c.Holm))
	case c.Smallest == 0:
		return "no difference shown: all runs are equal"
	}
	return fmt.Sprintf("no difference shown: the smallest difference this trial could have shown is %s %%", percent(float64(c.Smallest)))
}

// unresolved says why a quantity is not compared.
func (s *sample) unresolved() string {
	if s.name == record.ThroughputKey {
		return fmt.Sprintf("not compared: the throughput is 0 or not known in %d of A's %s and %d of B's %s",
			s.runsA-len(s.a), count(s.runsA, "run"), s.runsB-len(s.b), count(s.runsB, "run"))
	}
	return fmt.Sprintf("not compared: %d of %s have too few answers to resolve it",
		s.runsA+s.runsB-len(s.a)-len(s.b), count(s.runsA+s.runsB, "run"))
}

// size is the change and its interval as a percentage, without a sign.
func (c *Compared) size() string {
	change, lo, hi := float64(c.Change), float64(c.Interval[0]), float64(c.Interval[1])
	if change < 0 {
		change, lo, hi = -change, -hi, -lo
	}
	return fmt.Sprintf("%s %% [%s, %s]", percent(change), percent(lo), percent(hi))
}

// percent writes a fraction as a percentage: to a tenth, or where that is 0 to one
// digit.
func percent(fraction float64) string {
	v := 100 * fraction
	if v != 0 && math.Abs(v) < 0.05 {
		return fmt.Sprintf("%.1g", v)
	}
	return fmt.Sprintf("%.1f", v)
}

// tooFew says how many runs it takes until the largest difference can be shown.
func tooFew(a, b, family int) string {
	least := 1
	for stats.LeastP(least, least) > significance/float64(family) {
		least++
	}
	among := ""
	if family > 1 {
		among = fmt.Sprintf(" for %d quantities at once", family)
	}
	return fmt.Sprintf("no difference can be shown with %s against %s: the least is %d against %d%s", count(a, "run"), count(b, "run"), least, least, among)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
