package reports

import (
	"fmt"
	"slices"
	"strings"
)

// What a trial and its endpoints take.
var (
	trialKeys     = slices.Concat(commonKeys, []string{"clients", "ceiling", "endpoints", "published"})
	endpointKeys  = []string{"name", "path", "method", "body", "header", "expect", "cleanup_sql", "dsn"}
	publishedKeys = []string{"throughput", "mean", "p50", "p99", spreadKey}
)

// spreadKey is how far a trial's throughput moved.
const spreadKey = "spread"

// Bounds of a trial: one run has no spread, and a figure has a colour for each of
// six endpoints.
const (
	minTrialRuns = 2
	maxEndpoints = 6
)

// HasTrials says whether the study has an experiment of kind trial.
func (s *Study) HasTrials() bool {
	return slices.ContainsFunc(s.Experiments, func(e Experiment) bool { return e.Kind == TrialKind })
}

// predicted says whether the experiment predicts, and so needs a calibration.
func (e Experiment) predicted() bool { return e.Kind != TrialKind && !e.ofPeers() }

// readTrial reads the keys of a trial.
func (s *Study) readTrial(o *object, e *Experiment) {
	o.forbid("it does not belong to kind: trial", trialKeys...)
	e.Title = "Endpoints, measured several times"
	if v, ok := o.need("clients", "the number of closed clients, such as clients: [50]"); ok {
		if e.Clients = v.clients(); len(e.Clients) > 1 {
			v.r.refuse(v.line, "%s has %d numbers; a trial takes one, such as [50]", v.name, len(e.Clients))
		}
	}
	if v, ok := o.need("endpoints", "a list of what to ask for, such as - {name: health, path: /healthz}"); ok {
		e.readEndpoints(o.what, v)
	}
	if v, ok := o.get("ceiling"); ok && len(e.Endpoints) > 0 {
		e.Ceiling = v.choice(e.endpointNames()...)
	}
	if v, ok := o.get("published"); ok && len(e.Endpoints) > 0 {
		e.readPublishedTrial(v)
	}
	s.refuseTrial(o, e)
}

func (e *Experiment) endpointNames() []string {
	var names []string
	for _, p := range e.Endpoints {
		names = append(names, p.Name)
	}
	return names
}

func (e *Experiment) readEndpoints(experiment string, list value) {
	values := list.list("- {name: health, path: /healthz}")
	if len(values) > maxEndpoints {
		list.r.refuse(list.line, "%s has %d endpoints; a figure has room for %d", list.name, len(values), maxEndpoints)
	}
	for i, v := range values {
		v.name = fmt.Sprintf("endpoint %d of %s", i+1, experiment)
		o := v.object(v.name, endpointKeys)
		if o == nil {
			continue
		}
		p := readEndpoint(o)
		if slices.ContainsFunc(e.Endpoints, func(other Endpoint) bool { return slug(other.Name) == slug(p.Name) && p.Name != "" }) {
			o.r.refuse(o.line, "%s and another one are both called %s, in letters and digits; give each a name of its own", o.what, shown(p.Name))
		}
		e.Endpoints = append(e.Endpoints, p)
	}
}

// readEndpoint lets the driver judge the parts one after the other, so that its
// complaint gets the line it belongs to.
func readEndpoint(o *object) Endpoint {
	var p Endpoint
	if v, ok := o.need("name", "which figures and tables show"); ok {
		p.Name = v.words()
		if p.Name != "" && (slug(p.Name) == "" || len(p.Name) > 40) {
			v.r.refuse(v.line, "%s names files too, so it needs a letter or digit of a-z or 0-9 and at most 40 bytes", v.name)
		}
	}
	o.need("path", "what is asked for, such as path: /healthz")
	for _, key := range endpointKeys[1:] {
		v, ok := o.get(key)
		if !ok {
			continue
		}
		before := len(v.r.problems)
		p.readPart(key, v)
		if len(v.r.problems) > before {
			continue
		}
		if err := p.judge(); err != nil {
			v.r.refuse(v.line, "%s cannot be used: %s", v.name, err)
			break
		}
	}
	if v, ok := o.get("dsn"); ok && p.Cleanup == "" {
		v.r.refuse(v.line, "%s is the database in which cleanup_sql runs; write that too, or remove it", v.name)
	}
	return p
}

func (p *Endpoint) readPart(key string, v value) {
	switch key {
	case "path":
		p.Path = v.text()
		if p.Path != "" && !strings.HasPrefix(p.Path, "/") {
			v.r.refuse(v.line, "%s is %s and must begin with a slash, such as /healthz", v.name, shown(p.Path))
		}
	case "method":
		p.Method = v.text()
	case "body":
		p.Body = v.text()
	case "header":
		p.Header = v.header()
	case "expect":
		p.Expect = v.statuses()
	case "cleanup_sql":
		p.Cleanup = v.text()
	case "dsn":
		p.DSN = v.text()
	}
}

// judge asks those who will use it about what is known so far.
func (p Endpoint) judge() error {
	asked := Target{Driver: "http", URL: "http://127.0.0.1" + p.Path, Method: p.Method, Body: p.Body, Header: p.Header, Expect: p.Expect}
	if err := asked.judge(); err != nil || p.Cleanup == "" {
		return err
	}
	return p.cleanup().Check()
}

// speaksHTTP says whether the target answers HTTP requests.
func (t *Target) speaksHTTP() bool { return t.Lab != "postgres" && t.Driver != "postgres" }

// refuseTrial refuses what a trial cannot do with its targets.
func (s *Study) refuseTrial(o *object, e *Experiment) {
	running := false
	for i := range s.Targets {
		t := &s.Targets[i]
		if !slices.Contains(e.Targets, t.Name) {
			continue
		}
		running = running || t.Driver == "http"
		if !t.speaksHTTP() {
			o.r.refuse(o.line, "%s sends HTTP requests, which the target %s does not take; list the others in its targets", o.what, shown(t.Name))
		}
		if t.Driver == "http" && t.judge() == nil && origin(t.URL) == "" {
			o.r.refuse(o.line, "%s cannot put its paths into the url of the target %s, which has a %% that begins no percent-encoding; write %%25", o.what, shown(t.Name))
		}
		for _, name := range s.measuredOn(t.Name) {
			if slices.ContainsFunc(e.Endpoints, func(p Endpoint) bool { return slug(p.Name) == slug(name) && name != "" }) {
				o.r.refuse(o.line, "%s and an earlier trial both have an endpoint %s on the target %s; its name is that of its folder, so give each a name of its own", o.what, shown(name), shown(t.Name))
			}
		}
	}
	for _, p := range e.Endpoints {
		if p.Cleanup != "" && !running && len(s.Targets) > 0 {
			o.r.refuse(o.line, "cleanup_sql of %s has no effect, because none of its targets is a server that already runs; remove it", o.what)
			return
		}
	}
}

// measuredOn are the endpoints of all trials of a target so far.
func (s *Study) measuredOn(target string) []string {
	var names []string
	for _, e := range s.Experiments {
		if e.on(target) {
			names = append(names, e.endpointNames()...)
		}
	}
	return names
}

// readPublishedTrial reads another machine's figures of the endpoints.
func (e *Experiment) readPublishedTrial(v value) {
	o := v.object("the published part", []string{"runs", "note"})
	if o == nil {
		return
	}
	e.Published = &Published{}
	if n, ok := o.get("note"); ok {
		e.Published.Note = n.words()
	}
	e.readPublishedRuns(o, len(e.Endpoints), "- {throughput: 42424, p99: 4.7, spread: 2.6%}", publishedKeys)
}
