package reports

import (
	"fmt"
	"slices"
	"time"

	"queuelab/analysis"
	"queuelab/analysis/figure"
	"queuelab/measure/lab"
	"queuelab/measure/workload"
)

// scenario is a kind of experiment whose runs belong together.
type scenario struct {
	kind, title string
	needs       []string // keys that may not be left out
	takes       []string // keys that may
	cases       func(e *Experiment) []Case
	view        func(w *workload.Workload, capacity float64) analysis.View // what its figure needs of a run
	draw        func(r *runner, t *TargetResult, s *ScenarioResult, text figure.Text) figure.Figure
	shows       string // the figure, in words
	caption     string // what its caption says beyond that of others, with a space before it
	words       func(s *ScenarioResult) string
}

// Case is one run of a scenario.
type Case struct {
	Name     string
	Clients  int               // closed: N; 0 for an open run
	Load     float64           // open: ρ
	Arrivals workload.Arrivals // open
	Length   time.Duration
	Retry    workload.Retry
}

// scenarios are all kinds of them, each in a file run_scenario_KIND.go; a new one
// adds its line here.
var scenarios = []scenario{stallScenario, littleScenario, overloadScenario, spacingScenario, retriesScenario}

func findScenario(kind string) (scenario, bool) {
	for _, s := range scenarios {
		if s.kind == kind {
			return s, true
		}
	}
	return scenario{}, false
}

func (e Experiment) isScenario() bool {
	_, ok := findScenario(e.Kind)
	return ok
}

// keys are all that the scenario takes.
func (s scenario) keys() []string {
	return slices.Concat(commonKeys, s.needs, s.takes, []string{"published"})
}

// Cases are the runs of a scenario, in their order, with the lengths that the
// profile makes of the study's.
func (e Experiment) Cases(p Profile) []Case {
	s, ok := findScenario(e.Kind)
	if !ok {
		return nil
	}
	lengths := make([]time.Duration, len(e.Lengths))
	for i, d := range e.Lengths {
		lengths[i] = e.scaled(d, p.Scale)
	}
	e.Lengths = lengths
	return s.cases(&e)
}

// leastStalls is how many whole periods of a stall a shortened run keeps: one to
// fall and one to show whether the server rose again.
const leastStalls = 2

// scaled is a length times the profile's scale; with a stall it is a whole
// number of periods, since half of one would be another experiment.
func (e *Experiment) scaled(d time.Duration, scale float64) time.Duration {
	if scale == 1 {
		return d
	}
	short := time.Duration(float64(d) * scale).Round(minRun)
	if period := e.Stall.Period; e.Stall.Any() {
		return min(d, max(short/period, leastStalls)*period)
	}
	return max(short, minRun)
}

// closedCases has a run for each number of clients.
func closedCases(e *Experiment) []Case {
	var out []Case
	for _, n := range e.Clients {
		out = append(out, Case{Name: fmt.Sprintf("closed, N = %d", n), Clients: n, Length: e.Lengths[0]})
	}
	return out
}

// openCases has a run for each load.
func openCases(e *Experiment) []Case {
	var out []Case
	for _, load := range e.Loads {
		out = append(out, Case{Name: fmt.Sprintf("open, ρ = %g", load), Load: load, Arrivals: workload.Poisson, Length: e.Lengths[0]})
	}
	return out
}

// readScenario reads the keys of a scenario.
func (s *Study) readScenario(o *object, e *Experiment) {
	kind, ok := findScenario(e.Kind)
	if !ok {
		return // refused already
	}
	o.forbid("it does not belong to kind: "+kind.kind, kind.keys()...)
	e.Title = kind.title
	before := len(o.r.problems)
	for _, key := range kind.needs {
		if v, ok := o.need(key, scenarioMeanings[key]); ok {
			e.readScenarioKey(key, v)
		}
	}
	if v, ok := o.get("copies"); ok {
		e.Retry.Copies = v.whole(2, workload.MaxCopies, "3")
	}
	if len(o.r.problems) > before {
		return
	}
	s.refuseStall(o, e)
	if v, ok := o.get("published"); ok {
		e.readPublished(v, len(kind.cases(e)))
	}
}

// scenarioMeanings say what the keys of scenarios are for.
var scenarioMeanings = map[string]string{
	"clients": "the numbers of closed clients, such as clients: [8]",
	"loads":   "the offered loads as fractions of the capacity, such as loads: [0.5]",
	"length":  "the length of each run, such as length: 30s",
	"lengths": "the lengths of the runs, such as lengths: [10s, 20s, 40s]",
	"stall":   "how the server stands still, such as stall: 500ms/5.5s",
	"retry":   "after how long an unanswered request is sent again, such as retry: 200ms",
	"timeout": "after how long a copy of a request is given up, such as timeout: 5s",
}

func (e *Experiment) readScenarioKey(key string, v value) {
	switch key {
	case "clients":
		e.Clients = v.clients()
	case "loads":
		e.Loads = v.loads()
		switch {
		case e.Kind != StallKind && len(e.Loads) > 1:
			v.r.refuse(v.line, "%s has %d loads; kind: %s takes one", v.name, len(e.Loads), e.Kind)
		case e.Kind == OverloadKind && len(e.Loads) == 1 && e.Loads[0] <= 1:
			v.r.refuse(v.line, "%s is %g, which is no overload; write one above 1, such as 1.1", v.name, e.Loads[0])
		}
	case "length":
		e.Lengths = []time.Duration{v.duration(minRun, maxRun)}
	case "lengths":
		for _, d := range v.list("[10s, 20s, 40s]") {
			e.Lengths = append(e.Lengths, d.duration(minRun, maxRun))
		}
		slices.Sort(e.Lengths)
		e.Lengths = distinct(v, e.Lengths)
		if len(e.Lengths) == 1 {
			v.r.refuse(v.line, "%s has one length; write several, such as [10s, 20s], since it is their difference that is shown", v.name)
		}
	case "stall":
		e.Stall = v.stall()
	case "retry":
		e.Retry = workload.Retry{After: v.duration(time.Millisecond, maxRun), Copies: workload.DefaultCopies}
	case "timeout":
		e.Timeout = v.duration(time.Millisecond, maxRun)
	}
}

// stall reads a stall.
func (v value) stall() workload.Stall {
	text, ok := v.scalar("a stall such as 500ms/5.5s")
	if !ok {
		return workload.Stall{}
	}
	s, err := workload.ParseStall(text)
	if err != nil {
		v.r.refuse(v.line, "%s is wrong: %s", v.name, err)
	}
	return s
}

// refuseStall refuses stalls of servers that nobody can stop, and of a kind that
// the server does not have.
func (s *Study) refuseStall(o *object, e *Experiment) {
	if !e.Stall.Any() {
		return
	}
	if e.Stall.Begin(leastStalls-1) > e.Lengths[0] {
		o.r.refuse(o.line, "%s ends before its second stall; make its length at least %s", o.what, spellDuration(leastStalls*e.Stall.Period))
	}
	for _, t := range s.Targets {
		switch {
		case !slices.Contains(e.Targets, t.Name):
		case t.Lab == "":
			o.r.refuse(o.line, "%s stalls the target %s, which only a lab can do; list the labs in its targets", o.what, shown(t.Name))
		default:
			if _, err := lab.StallKind(t.Lab, e.Stall.Kind); err != nil {
				o.r.refuse(o.line, "the stall of %s does not suit the target %s: %s", o.what, shown(t.Name), err)
			}
		}
	}
}

// shortestPublished is the shortest mean service time in seconds with which the
// simulation of another machine's runs ends soon.
const shortestPublished = 100e-6

// readPublished reads another machine's figures of n runs.
func (e *Experiment) readPublished(v value, n int) {
	o := v.object("the published part", []string{"service", "runs", "note"})
	if o == nil {
		return
	}
	e.Published = &Published{}
	if s, ok := o.need("service", "that machine's service law, such as service: det:4ms"); ok {
		e.Published.Service = s.serviceLaw()
		if l := e.Published.Service; l != nil && l.Mean() < shortestPublished {
			s.r.refuse(s.line, "%s has a mean of %g s; write one of at least %g s, since its runs are simulated whole", s.name, l.Mean(), shortestPublished)
		}
	}
	if n, ok := o.get("note"); ok {
		e.Published.Note = n.words()
	}
	e.readPublishedRuns(o, n, "- {throughput: 206, p99: 59.09}", analysis.Figures)
}

// readPublishedRuns reads the figures of each of n runs, by the known names.
func (e *Experiment) readPublishedRuns(o *object, n int, example string, known []string) {
	runs, ok := o.need("runs", "a list with the figures of each run, such as "+example)
	if !ok {
		return
	}
	list := runs.list(example)
	if len(list) != n {
		runs.r.refuse(runs.line, "%s has %d rows and the experiment has %d runs; write one for each, in their order", runs.name, len(list), n)
	}
	for _, row := range list {
		figures := map[string]float64{}
		f := row.object("a published run", known)
		if f == nil {
			return
		}
		for _, key := range f.keys {
			if key == spreadKey {
				figures[key] = f.values[key].percent()
			} else {
				figures[key] = f.values[key].number(0, 1e9, "59.09")
			}
		}
		e.Published.Runs = append(e.Published.Runs, figures)
	}
}
