package reports

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"queuelab/drivers"
	"queuelab/measure"
	"queuelab/measure/record"
	"queuelab/measure/trial"
	"queuelab/measure/workload"
)

// origin is a URL without its path; "" when it is none.
func origin(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, User: u.User, Host: u.Host}).String()
}

// measureTrials takes the trials of a target, one endpoint after another.
func (r *runner) measureTrials(ctx context.Context, s *site) error {
	for _, e := range r.Study.Experiments {
		if e.Kind != TrialKind || !e.on(s.target.Name) {
			continue
		}
		out := &TrialResult{Title: e.Title, Ceiling: e.Ceiling, Known: s.result.Known}
		s.result.Trials = append(s.result.Trials, out)
		for i, p := range e.Endpoints {
			endpoint, err := r.takeTrial(ctx, s, e, p)
			if err != nil {
				return fmt.Errorf("endpoint %s: %w", p.Name, err)
			}
			if e.Published != nil {
				out.Note, endpoint.Published = e.Published.Note, e.Published.Runs[i]
			}
			out.Endpoints = append(out.Endpoints, endpoint)
		}
		out.Work = s.result.Speeds.moved(trialRuns(out.Endpoints[:1])[:1], trialRuns(out.Endpoints))
	}
	return nil
}

// trialRun is the name of an endpoint's run, counted from 0.
func trialRun(endpoint string, i int) string { return fmt.Sprintf("%s-%d", slug(endpoint), i+1) }

// trialRuns are the names of all runs.
func trialRuns(endpoints []*EndpointResult) (names []string) {
	for _, e := range endpoints {
		for i := range e.Run.Reps {
			names = append(names, trialRun(e.Name, i))
		}
	}
	return names
}

// takeTrial takes an endpoint's trial and keeps its folder, whatever part of it
// there is in the end.
func (r *runner) takeTrial(ctx context.Context, s *site, e Experiment, p Endpoint) (*EndpointResult, error) {
	out := &EndpointResult{Name: p.Name, Folder: "data/runs/" + slug(s.target.Name) + "/" + slug(p.Name)}
	folder, err := trial.CreateFolder(r.folder.Path(out.Folder), false)
	if err != nil {
		return nil, err
	}
	run, rows, err := r.takeGuarded(ctx, s, p, trial.Plan{
		Name: p.Name, Run: r.trialPlan(s, e, p), Reps: r.trialReps(), Pause: r.profile.Pause, Folder: folder,
	})
	if run == nil {
		return nil, errors.Join(err, folder.Discard())
	}
	run.Header.Rows = rows
	if failed := folder.Commit(run); failed != nil {
		return nil, errors.Join(err, failed)
	}
	r.taken++ // even if it ended early, or its rows could not be deleted
	switch {
	case err != nil:
		return nil, err
	case run.Interrupted:
		return nil, context.Cause(ctx)
	}
	r.results.Header.Host = run.Header.Host
	for i, rep := range run.Reps {
		s.result.Speeds = append(s.result.Speeds, speedOf(trialRun(p.Name, i), rep))
		s.result.judged(trialRun(p.Name, i), rep)
		rep.Header = nil // it stands in the trial's own folder, as the trial's own does
	}
	run.Header = nil
	out.Run, out.Rows = run, rows
	return out, nil
}

// takeGuarded takes a trial; what it writes is deleted afterwards.
func (r *runner) takeGuarded(ctx context.Context, s *site, p Endpoint, plan trial.Plan) (run *record.Run, rows *record.Rows, err error) {
	guard, err := s.guard(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	if guard != nil {
		defer func() {
			counted, failed := guard.Finish()
			if err = errors.Join(err, failed); counted.Table != "" {
				rows = &counted
			}
		}()
	}
	done, left := r.done, r.left
	plan.Watch = func(next trial.Step) {
		length := next.Length
		if strings.HasPrefix(next.What, "pause") {
			length = 0 // mostly it is over at once
		}
		r.step(fmt.Sprintf("%s: %s: %s", s.target.Name, p.Name, next.What), length)
	}
	run, err = trial.Take(ctx, plan)
	r.done, r.left = done+r.trialTime(), left-r.trialTime()
	return run, nil, err
}

// trialTime is how long an endpoint's trial takes without its pauses.
func (r *runner) trialTime() time.Duration {
	return r.profile.Warmup + time.Duration(r.trialReps())*r.trialLength()
}

// trialPlan is what each run of an endpoint's trial does.
func (r *runner) trialPlan(s *site, e Experiment, p Endpoint) measure.Plan {
	w := workload.Workload{Clients: r.trialClients(e), Length: r.trialLength()}
	w.Drain, w.Seed = workload.DefaultDrain(w.Length), r.seed(s, "trial of "+p.Name, 0)
	plan := measure.Plan{
		Workload: &w, Driver: "http", Options: s.asks(p), Warmup: r.profile.Warmup, CPU: s.cpu, Header: r.Header,
	}
	plan.Header.Server, plan.Counter = s.result.Server, s.counter(&w)
	return plan
}

// asks are the options of the driver that asks for an endpoint.
func (s *site) asks(p Endpoint) drivers.Options {
	t := s.target
	options := drivers.Options{
		URL: s.base + p.Path, Method: p.Method, Body: p.Body, Header: slices.Concat(t.Header, p.Header),
		Expect: p.Expect, Connections: t.Connections,
	}
	if len(p.Expect) == 0 {
		options.Expect = t.Expect
	}
	return options
}
