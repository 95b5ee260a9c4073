package reports

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"queuelab/measure/peer"
	"queuelab/measure/record"
)

// peersLead is what the comparison of load generators found.
func (r *runner) peersLead() (lead []string) {
	p := r.results.Peers
	for _, c := range p.Costs {
		lead = append(lead, c.words())
	}
	for _, l := range p.Lateness {
		lead = append(lead, l.words())
	}
	if len(p.goals()) > 0 {
		lead = append(lead, p.goalWords())
	}
	if len(p.Missing) > 0 {
		lead = append(lead, p.missingWords())
	}
	return lead
}

// missingWords name what was not compared.
func (p *PeersResult) missingWords() string {
	var parts []string
	for _, m := range p.Missing {
		parts = append(parts, fmt.Sprintf("%s (%s)", m.Name, m.Install))
	}
	return "Missing, because not installed on this machine: " + strings.Join(parts, ", ") + "."
}

// peersSections are the sections of one experiment.
func (r *runner) peersSections(e Experiment) ([]Section, error) {
	p := r.results.Peers
	for _, c := range p.Costs {
		if c.Title == e.Title {
			f, err := r.costFigure(c, e.Goals)
			return []Section{{Heading: c.Title, Text: []string{c.procedure(r.profile.Reps), c.Work.words()}, Figure: f, Table: c.table()}}, err
		}
	}
	var rates []*LatenessResult
	for _, l := range p.Lateness {
		if l.Title == e.Title {
			rates = append(rates, l)
		}
	}
	f, err := r.latenessFigure(e, rates)
	return []Section{{Heading: e.Title, Text: []string{latenessProcedure(rates[0], r.profile.Reps), steadinessOf(rates).words()}, Figure: f, Table: latenessTable(rates)}}, err
}

// toolSection says which load generators were run, and which were not there.
func (p *PeersResult) toolSection() Section {
	table := &Table{
		Columns: []string{"load generator", "version", "program"},
		Caption: "The load generators as they were found; one that is missing has the command that installs it.",
	}
	for _, t := range p.Tools {
		if t.Name == ourselves {
			t.Path = "the one that made this report"
		}
		table.Rows = append(table.Rows, Cells(t.Name, t.Version, t.Path))
	}
	for _, m := range p.Missing {
		table.Rows = append(table.Rows, Cells(m.Name, "missing", m.Install))
	}
	return Section{Heading: "Load generators", Table: table}
}

// words say what a request cost, or how many queries were answered.
func (c *CostResult) words() string {
	own := c.median(ourselves, c.compared)
	what := fmt.Sprintf("a request cost %s %s µs of CPU time", ourselves, digits(own))
	unit := " µs"
	if c.Kind == QueriesKind {
		what, unit = fmt.Sprintf("%s had %s queries answered each second", ourselves, digits(own)), "/s"
	}
	var parts []string
	for _, tool := range c.tools() {
		if m := c.median(tool, c.compared); tool != ourselves && m.Known() {
			parts = append(parts, fmt.Sprintf("%s times %s's %s%s", digits(own/m), tool, digits(m), unit))
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("%s: %s; no other load generator was there to compare.", c.Title, what)
	}
	return fmt.Sprintf("%s: %s: %s.", c.Title, what, strings.Join(parts, ", "))
}

// procedure says how the runs were taken and what is counted.
func (c *CostResult) procedure(runs int) string {
	text := fmt.Sprintf("%s of %g s of each load generator, in turn (A B C, C B A, …), closed, %s, ", plural(runs, "run"), c.Seconds, plural(c.Clients, "client"))
	if c.Kind == QueriesKind {
		return text + "SELECT 1 as a prepared statement against a private PostgreSQL, which has one CPU; the load generator has the others."
	}
	return text + "against an empty page of a private nginx, which has one CPU; the load generator has the others. " +
		"CPU time is user and system time of the whole process as the kernel counts it, its start and its report included. " +
		"queuelab records what it always does: when each request was due, sent and answered, its outcome, and histograms."
}

// table has a row a tool, the best first.
func (c *CostResult) table() *Table {
	out := &Table{
		Columns: []string{"load generator", "CPU time a request", "least", "most", "answered", "queuelab's CPU time"},
		Units:   []string{"", "µs", "µs", "µs", "1/s", "times this one's"},
		Caption: "Medians over the runs, with the least and the most of them.",
	}
	other := CostRun.rate
	if c.Kind == QueriesKind {
		out.Columns = []string{"load generator", "answered", "least", "most", "CPU time a request", "queuelab's answered"}
		out.Units = []string{"", "1/s", "1/s", "1/s", "µs", "times this one's"}
		other = CostRun.cost
	}
	for _, tool := range c.tools() {
		values := finite(c.of(tool, c.compared))
		least, most := record.Unknown(), record.Unknown()
		if len(values) > 0 {
			least, most = record.Value(values[0]), record.Value(values[len(values)-1])
		}
		ratio := "-"
		if tool != ourselves {
			ratio = ratioOf(c.median(ourselves, c.compared), c.median(tool, c.compared))
		}
		out.Rows = append(out.Rows, Cells(tool, digits(c.median(tool, c.compared)), digits(least), digits(most), digits(c.median(tool, other)), ratio))
	}
	return out
}

// ratioOf prints a ratio with two decimals.
func ratioOf(a, b record.Value) string {
	if r := a / b; r.Known() {
		return fmt.Sprintf("%.2f", float64(r))
	}
	return "-"
}

// words say how late the tools were.
func (l *LatenessResult) words() string {
	var parts []string
	for _, tool := range l.tools() {
		if tool != ourselves {
			parts = append(parts, fmt.Sprintf("%s was %s times as late at p50 and %s times at p99", tool, digits(l.times(tool, lateP50)), digits(l.times(tool, lateP99))))
		}
	}
	text := fmt.Sprintf("%s: at %s requests/s half of %s's requests were sent at most %s µs late, and 99 %% at most %s µs", l.Title, grouped(l.Rate), ourselves,
		digits(l.median(ourselves, lateP50)), digits(l.median(ourselves, lateP99)))
	if len(parts) > 0 {
		text += "; " + strings.Join(parts, ", ")
	}
	for _, tool := range l.tools() {
		if off := l.largest(tool, l.rateError); off > invalidRate {
			text += fmt.Sprintf("; %s did not keep the rate, which was off by up to %s %%, and is late by what it left out", tool, digits(100*off))
		}
	}
	return text + "."
}

// invalidRate is the share by which an offered rate may be off before it is another
// rate: a run of our own is INVALID then.
const invalidRate = 0.05

// latenessProcedure says how the runs were taken and what lateness is.
func latenessProcedure(l *LatenessResult, runs int) string {
	return fmt.Sprintf("%s of %g s of each load generator at each rate, in turn (A B C, C B A, …), open, with even gaps, against a server that answers at once and keeps the kernel's receive time stamp of every request; it has one CPU and the load generator the others. "+
		"Lateness is how long after its instant of the even schedule a request arrived. No tool tells when its schedule began: it is taken to be the latest beginning at which no request is early, for all tools alike.", plural(runs, "run"), l.Seconds)
}

// latenessTable has a row a rate and tool, the most punctual first.
func latenessTable(rates []*LatenessResult) *Table {
	out := &Table{
		Columns: []string{"rate", "load generator", "p50", "p99", "max", "offered", "rate off by", "SCV of gaps", "p50", "p99"},
		Units:   []string{"1/s", "", "µs", "µs", "µs", "1/s", "%", "", "times queuelab's", "times queuelab's"},
		Caption: "Medians over the runs; the maximum, and how far the offered rate is off, are those of the worst run. An even schedule has an SCV of 0, Poisson arrivals one of 1.",
	}
	for _, l := range rates {
		for _, tool := range l.tools() {
			p50, p99 := "-", "-"
			if tool != ourselves {
				p50, p99 = digits(l.times(tool, lateP50)), digits(l.times(tool, lateP99))
			}
			out.Rows = append(out.Rows, Cells(grouped(l.Rate), tool,
				digits(l.median(tool, lateP50)), digits(l.median(tool, lateP99)), digits(l.largest(tool, lateMax)),
				fmt.Sprintf("%.1f", float64(l.median(tool, offered))), digits(100*l.largest(tool, l.rateError)), digits(l.median(tool, gapSCV)), p50, p99))
		}
	}
	return out
}

// grouped prints a whole number with its thousands apart.
func grouped(v float64) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// orderedTools are the keys in the order in which tools are always named.
func orderedTools[T any](of map[string]T) []string {
	order := peer.Names()
	return slices.SortedFunc(maps.Keys(of), func(a, b string) int { return slices.Index(order, a) - slices.Index(order, b) })
}
