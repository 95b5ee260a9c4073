package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// What each kind of experiment takes beside the keys that all have; scenarios
// have a table of their own.
var (
	commonKeys = []string{"kind", "title", "targets"}
	closedKeys = slices.Concat(commonKeys, []string{"clients"})
	openKeys   = slices.Concat(commonKeys, []string{"loads", "even", "together"})
)

// experimentKeys are the keys of all kinds.
func experimentKeys() []string {
	keys := slices.Concat(closedKeys, openKeys)
	for _, s := range scenarios {
		keys = append(keys, s.keys()...)
	}
	keys = append(keys, trialKeys...)
	for _, k := range peerKinds {
		keys = append(keys, k.keys()...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// experimentKinds are the names of all kinds.
func experimentKinds() []string {
	kinds := []string{ClosedKind, OpenKind}
	for _, s := range scenarios {
		kinds = append(kinds, s.kind)
	}
	kinds = append(kinds, TrialKind)
	for _, k := range peerKinds {
		kinds = append(kinds, k.kind)
	}
	return kinds
}

// Bounds of an experiment: a load is ρ, a fraction of the capacity.
const (
	maxClients = 10_000
	minLoad    = 0.01
	maxLoad    = 1.5
)

func (s *Study) readExperiments(list value) {
	for i, v := range list.list("- {kind: closed, clients: [1, 2, 4, 8]}") {
		what := fmt.Sprintf("experiment %d", i+1)
		v.name = what
		o := v.object(what, experimentKeys())
		if o == nil {
			continue
		}
		e := s.readExperiment(o)
		for _, other := range s.Experiments {
			if slug(other.Title) == slug(e.Title) && e.Title != "" {
				o.r.refuse(o.line, "%s has the title of another experiment, %s; give each a title of its own", what, shown(e.Title))
			}
		}
		s.Experiments = append(s.Experiments, e)
	}
	s.refuseIdle(list)
}

func (s *Study) readExperiment(o *object) Experiment {
	var e Experiment
	kinds := experimentKinds()
	if v, ok := o.need("kind", "which is one of "+strings.Join(kinds, ", ")); ok {
		e.Kind = v.choice(kinds...)
	}
	e.Targets = s.readNames(o)
	switch e.Kind {
	case ClosedKind:
		o.forbid("it does not belong to kind: closed", closedKeys...)
		e.Title = "Latency and throughput against clients"
		if v, ok := o.need("clients", "the numbers of clients, such as clients: [1, 2, 4, 8]"); ok {
			e.Clients = v.clients()
		}
	case OpenKind:
		o.forbid("it does not belong to kind: open", openKeys...)
		e.Title = "Latency against offered load"
		if v, ok := o.need("loads", "the offered loads as fractions of the capacity, such as loads: [0.4, 0.6, 0.8]"); ok {
			e.Loads = v.loads()
		}
		if v, ok := o.get("even"); ok {
			e.Even = v.flag()
		}
		e.readTogether(o)
	case TrialKind:
		s.readTrial(o, &e)
	case CostKind, QueriesKind, LatenessKind:
		k, _ := findPeerKind(e.Kind)
		k.read(o, &e)
	default:
		s.readScenario(o, &e)
	}
	if v, ok := o.get("title"); ok {
		e.Title = v.words()
		if e.Title != "" && slug(e.Title) == "" {
			v.r.refuse(v.line, "%s names files too, so it needs a letter or digit of a-z or 0-9", v.name)
		}
	}
	return e
}

func (e *Experiment) readTogether(o *object) {
	v, ok := o.get("together")
	if !ok {
		return
	}
	e.Together = v.flag()
	if e.Together && len(e.Targets) == 1 {
		v.r.refuse(v.line, "%s draws several targets in one figure, but there is only one; remove it", v.name)
	}
}

// readNames reads the targets of an experiment: all where it names none.
func (s *Study) readNames(o *object) []string {
	var all, names []string
	for _, t := range s.Targets {
		all = append(all, t.Name)
	}
	v, ok := o.get("targets")
	if !ok || len(all) == 0 {
		return all
	}
	for _, n := range v.list("[" + all[0] + "]") {
		name := n.words()
		switch {
		case name == "":
		case !slices.Contains(all, name):
			n.r.refuse(n.line, "%s has no target %s%s", o.what, shown(name), meant(name, all))
		case slices.Contains(names, name):
			n.r.refuse(n.line, "%s names the target %s twice; remove one", o.what, shown(name))
		default:
			names = append(names, name)
		}
	}
	return names
}

// clients reads numbers of clients, which need no order in the file.
func (v value) clients() []int {
	var clients []int
	for _, n := range v.list("[1, 2, 4, 8]") {
		clients = append(clients, n.whole(1, maxClients, "8"))
	}
	slices.Sort(clients)
	return distinct(v, clients)
}

// loads reads offered loads, which need no order in the file.
func (v value) loads() []float64 {
	var loads []float64
	for _, n := range v.list("[0.4, 0.6, 0.8]") {
		loads = append(loads, n.number(minLoad, maxLoad, "0.8 for 80 % of the capacity"))
	}
	slices.Sort(loads)
	return distinct(v, loads)
}

// distinct refuses a number that comes twice in a sorted list; 0 is one that
// was refused already.
func distinct[T int | float64 | time.Duration](v value, sorted []T) []T {
	for i, n := range sorted {
		if i > 0 && n == sorted[i-1] && n != 0 {
			v.r.refuse(v.line, "%s has %v twice; remove one", v.name, n)
		}
	}
	return sorted
}

// refuseIdle refuses targets that nothing is done with.
func (s *Study) refuseIdle(list value) {
	if len(list.r.problems) > 0 {
		return // it may be why
	}
	for i, t := range s.Targets {
		busy := slices.ContainsFunc(s.Experiments, func(e Experiment) bool { return slices.Contains(e.Targets, t.Name) })
		if !busy {
			list.r.refuse(list.line, "no experiment has target %d, %s; name it in one or remove it", i+1, shown(t.Name))
		}
	}
}
