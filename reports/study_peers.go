package reports

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"queuelab/measure/peer"
)

// The kinds of experiment that put this load generator beside others. They start
// what they need themselves, so they have no targets.
const (
	// CostKind measures the CPU time that a request costs each load generator.
	CostKind = "cost"
	// QueriesKind measures how many trivial queries each gets answered.
	QueriesKind = "queries"
	// LatenessKind measures how late each sends what is due.
	LatenessKind = "lateness"
)

// ourselves is the load generator that the others stand beside.
const ourselves = "queuelab"

// peerKind is one of the kinds: what its experiments take, and how they are titled.
type peerKind struct {
	kind, title string
	tools       []string // that can do it
	takes       []string // beside kind, title, tools and goals
	goals       []string
}

var peerKinds = []peerKind{
	{CostKind, "What a request costs the load generator", []string{ourselves, "wrk", "bombardier", "hey", "ab", "vegeta"}, []string{"clients"}, []string{"at_most"}},
	{QueriesKind, "Trivial queries", []string{ourselves, "pgbench"}, []string{"clients"}, []string{"at_least"}},
	{LatenessKind, "How late requests are sent", []string{ourselves, "vegeta", "bombardier", "hey"}, []string{"rates"}, []string{"p50", "p99", "rate_error", "scv", "better"}},
}

func findPeerKind(kind string) (peerKind, bool) {
	for _, k := range peerKinds {
		if k.kind == kind {
			return k, true
		}
	}
	return peerKind{}, false
}

func (k peerKind) keys() []string {
	return slices.Concat([]string{"kind", "title", "tools", "goals"}, k.takes)
}

// ofPeers says whether the experiment compares load generators.
func (e Experiment) ofPeers() bool {
	_, ok := findPeerKind(e.Kind)
	return ok
}

// HasPeers says whether the study compares load generators.
func (s *Study) HasPeers() bool { return slices.ContainsFunc(s.Experiments, Experiment.ofPeers) }

// peersAlone says whether the study does nothing else, and so needs no target.
func (s *Study) peersAlone() bool {
	return s.HasPeers() && !slices.ContainsFunc(s.Experiments, func(e Experiment) bool { return !e.ofPeers() })
}

// Goals is what this load generator was to reach beside others, fixed in the study
// before the measurement; what is 0 or nil was not asked for.
type Goals struct {
	// AtMost bounds the CPU time of a request by a multiple of a tool's.
	AtMost map[string]float64
	// AtLeast bounds the queries answered each second by a share of a tool's.
	AtLeast map[string]float64
	// P50 and P99 bound the lateness at every rate.
	P50, P99 time.Duration
	// RateError bounds how far the offered rate is off, as a fraction.
	RateError float64
	// SCV bounds that of the gaps at some of the rates.
	SCV map[float64]float64
	// Better has by how many times a tool is to be later.
	Better map[string]Advantage
}

// Advantage is by how many times a quantile of the lateness is to be smaller than
// another tool's.
type Advantage struct{ P50, P99 float64 }

// Bounds of experiments with other load generators.
const (
	leastRate, mostRate   = 1, 1_000_000 // requests/s
	leastRatio, mostRatio = 0.01, 1e6
	leastSCV, mostSCV     = 1e-9, 10
	leastLate, mostLate   = time.Nanosecond, time.Second
	wholeSecond           = time.Second // some tools know no shorter unit
)

// read reads the keys of an experiment that compares load generators.
func (k peerKind) read(o *object, e *Experiment) {
	e.Title, e.Targets = k.title, nil
	o.forbid("it does not belong to kind: "+k.kind, k.keys()...)
	if slices.Contains(k.takes, "clients") {
		if v, ok := o.need("clients", "the number of closed clients, such as clients: [16]"); ok {
			if e.Clients = v.clients(); len(e.Clients) > 1 {
				v.r.refuse(v.line, "%s has %d numbers; kind: %s takes one, such as [16]", v.name, len(e.Clients), k.kind)
			}
		}
	} else if v, ok := o.need("rates", "the rates in requests a second, such as rates: [1000, 5000]"); ok {
		e.Rates = v.rates()
	}
	if v, ok := o.need("tools", "the load generators to compare, such as tools: ["+k.tools[0]+", "+k.tools[1]+"]"); ok {
		e.Tools = k.readTools(v)
	}
	if v, ok := o.get("goals"); ok && len(e.Tools) > 0 {
		k.readGoals(o.what, v, e)
	}
}

// rates reads rates, which need no order in the file. Tools take whole numbers.
func (v value) rates() []float64 {
	var rates []float64
	list := v.list("[1000, 5000]")
	for _, n := range list {
		rates = append(rates, float64(n.whole(leastRate, mostRate, "1000")))
	}
	if most := 5; len(list) > most {
		v.r.refuse(v.line, "%s has %d rates; a figure has room for %d", v.name, len(list), most)
	}
	slices.Sort(rates)
	return distinct(v, rates)
}

func (k peerKind) readTools(list value) []string {
	var tools []string
	for _, v := range list.list("[" + k.tools[0] + "]") {
		tool := v.choice(k.tools...)
		if tool != "" && slices.Contains(tools, tool) {
			v.r.refuse(v.line, "%s names %s twice; remove one", v.name, tool)
		}
		tools = append(tools, tool)
	}
	if len(list.r.problems) == 0 && !slices.Contains(tools, ourselves) {
		list.r.refuse(list.line, "%s lacks %s, which the others are compared with; add it", list.name, ourselves)
	}
	return tools
}

// readGoals reads what was to be reached; the tools must be known.
func (k peerKind) readGoals(experiment string, v value, e *Experiment) {
	what := "the goals of " + experiment
	v.name = what
	o := v.object(what, k.goals)
	if o == nil {
		return
	}
	e.Goals = &Goals{}
	for _, key := range o.keys {
		e.Goals.read(key, o.values[key], e)
	}
}

func (g *Goals) read(key string, v value, e *Experiment) {
	switch key {
	case "at_most":
		g.AtMost = v.ratios(others(e.Tools))
	case "at_least":
		g.AtLeast = v.ratios(others(e.Tools))
	case "p50":
		g.P50 = v.duration(leastLate, mostLate)
	case "p99":
		g.P99 = v.duration(leastLate, mostLate)
	case "rate_error":
		g.RateError = v.percent()
	case "scv":
		g.SCV = v.byRate(e.Rates)
	case "better":
		g.Better = v.advantages(others(e.Tools))
	}
}

// others are the tools without this one.
func others(tools []string) []string {
	var out []string
	for _, t := range tools {
		if t != ourselves {
			out = append(out, t)
		}
	}
	return out
}

// ratios reads a number for some of the tools.
func (v value) ratios(tools []string) map[string]float64 {
	o := v.object(v.name, tools)
	if o == nil {
		return nil
	}
	out := map[string]float64{}
	for _, tool := range o.keys {
		out[tool] = o.values[tool].number(leastRatio, mostRatio, "1.1")
	}
	return out
}

// byRate reads an SCV for some of the rates.
func (v value) byRate(rates []float64) map[float64]float64 {
	var known []string
	for _, rate := range rates {
		known = append(known, strconv.FormatFloat(rate, 'f', -1, 64))
	}
	o := v.object(v.name, known)
	if o == nil {
		return nil
	}
	out := map[float64]float64{}
	for i, rate := range rates {
		if n, ok := o.get(known[i]); ok {
			out[rate] = n.number(leastSCV, mostSCV, "0.02")
		}
	}
	return out
}

// advantages reads for some of the tools by how many times they are to be later.
func (v value) advantages(tools []string) map[string]Advantage {
	o := v.object(v.name, tools)
	if o == nil {
		return nil
	}
	out := map[string]Advantage{}
	for _, tool := range o.keys {
		inner := o.values[tool].object(o.values[tool].name, []string{"p50", "p99"})
		if inner == nil {
			continue
		}
		var a Advantage
		for key, to := range map[string]*float64{"p50": &a.P50, "p99": &a.P99} {
			if n, ok := inner.get(key); ok {
				*to = n.number(leastRatio, mostRatio, "10")
			}
		}
		out[tool] = a
	}
	return out
}

// peerLength is the length of a run of one of the kinds.
func (p Profile) peerLength(kind string) time.Duration {
	return map[string]time.Duration{CostKind: p.Cost, QueriesKind: p.Queries, LatenessKind: p.Lateness}[kind]
}

// refuseParts refuses lengths that not every tool can be asked for.
func (p Profile) refuseParts(o *object) {
	for _, k := range peerKinds {
		if v, ok := o.get(k.kind); ok && p.peerLength(k.kind)%wholeSecond != 0 {
			v.r.refuse(v.line, "%s is %s; write whole seconds, such as 5s, because some load generators take nothing else", v.name, p.peerLength(k.kind))
		}
	}
}

// tools are those of all experiments, each once.
func (s *Study) tools() []string {
	var all []string
	for _, name := range peer.Names() {
		if slices.ContainsFunc(s.Experiments, func(e Experiment) bool { return slices.Contains(e.Tools, name) }) {
			all = append(all, name)
		}
	}
	return all
}

// lengthMeaning says in an error what the length of a kind is.
func lengthMeaning(kind string) string {
	return fmt.Sprintf("the length of a run of an experiment of kind %s, such as %s: 5s", kind, kind)
}
