package reports

import (
	"context"
	"fmt"
	"time"

	"queuelab/analysis"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// scenarioReplications is how many simulated runs a scenario's bands and its
// probability of collapse are made of.
const scenarioReplications = 200

// runScenario predicts a scenario with the newest calibration, measures it, and
// calibrates again; it returns that calibration for whatever comes next.
func (r *runner) runScenario(ctx context.Context, s *site, c *calibrated, index int, e Experiment) (*calibrated, error) {
	var err error
	if e.Stall, err = s.stall(e.Stall); err != nil {
		return nil, err
	}
	out, err := r.predictScenario(ctx, s, c, index, e)
	if err != nil {
		return nil, err
	}
	s.result.Scenarios = append(s.result.Scenarios, out)
	var runs []string
	for rep := range r.profile.ScenarioReps {
		for i, k := range e.Cases(r.profile) {
			if err := r.measureCase(ctx, s, e, k, out.Cases[i], rep); err != nil {
				return nil, err
			}
			runs = append(runs, caseName(e.Title, k.Name, rep))
		}
	}
	out.Work = s.result.Speeds.moved(c.runs, runs)
	out.compare(r.Study.Margin)
	again, err := r.calibrate(ctx, s, "after-"+slug(e.Title))
	if err != nil {
		return nil, err
	}
	out.Again = again.result
	return again, nil
}

// predictScenario predicts every case and stores the predictions before anything
// is compared with them.
func (r *runner) predictScenario(ctx context.Context, s *site, c *calibrated, index int, e Experiment) (*ScenarioResult, error) {
	r.step(s.target.Name+": predicting "+e.Title, 0)
	out := &ScenarioResult{Kind: e.Kind, Title: e.Title, Calibration: c.result, Known: s.result.Known}
	for i, k := range e.Cases(r.profile) {
		predicted, err := r.predictCase(ctx, s, c, e, k, fmt.Sprintf("experiment %d case %d", index, i))
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", e.Title, k.Name, err)
		}
		out.Cases = append(out.Cases, predicted)
	}
	if e.Published != nil {
		out.Published, out.Note = e.Published.Service.String(), e.Published.Note
		if err := r.simulatePublished(ctx, s, c, e, out.Cases); err != nil {
			return nil, err
		}
	}
	out.Predicted = time.Now().UTC()
	return out, r.folder.writeJSON("data/predictions-"+slug(s.target.Name)+"-"+slug(e.Title)+".json", out)
}

// model is what a case's requests meet.
func (k Case) model(c *calibrated) predictor {
	if k.Clients > 0 {
		return c.closed
	}
	return c.open
}

// workload is what the case offers to a server of the given capacity.
func (k Case) workload(e Experiment, capacity float64, seed uint64) workload.Workload {
	w := workload.Workload{
		Clients: k.Clients, Length: k.Length, Drain: workload.DefaultDrain(k.Length),
		Timeout: e.Timeout, Retry: k.Retry, Stall: e.Stall, Seed: seed,
	}
	if k.Clients == 0 {
		w.Open, w.Rate, w.Arrivals = true, k.Load*capacity, k.Arrivals
	}
	return w
}

func (r *runner) predictCase(ctx context.Context, s *site, c *calibrated, e Experiment, k Case, purpose string) (*CaseResult, error) {
	model := k.model(c)
	w := s.offered(k.workload(e, model.Capacity(), r.seed(s, purpose+", any arrivals", 0)))
	view := e.view(&w, model.Capacity())
	out := &CaseResult{
		Name: k.Name, Model: model.words, Service: record.Value(model.Service.Mean() * 1e3), Capacity: model.Capacity(),
		Workload: w.Describe(), Quantiles: view.Quantiles,
	}
	var err error
	if out.Predicted, err = model.Outlook(ctx, w, view, scenarioReplications); err != nil {
		return nil, err
	}
	for rep := range r.profile.ScenarioReps {
		w.Seed = r.seed(s, purpose, rep)
		trace := view.Trace(&w)
		replay, err := model.Replay(ctx, w, trace)
		if err != nil {
			return nil, err
		}
		out.Runs = append(out.Runs, CaseRun{Seed: w.Seed, Replay: view.See(replay, trace)})
	}
	return out, nil
}

// simulatePublished feeds the simulator with the other machine's service law, at
// the lengths that the study states.
func (r *runner) simulatePublished(ctx context.Context, s *site, c *calibrated, e Experiment, cases []*CaseResult) error {
	whole := Profile{Scale: 1}
	for i, k := range e.Cases(whole) {
		discipline := k.model(c).Discipline
		model := analysis.Model{Service: e.Published.Service, Servers: 1, Discipline: discipline}
		w := k.workload(e, model.Capacity(), r.seed(s, e.Title+", published", i))
		simulated, err := model.Outlook(ctx, w, analysis.View{}, scenarioReplications)
		if err != nil {
			return fmt.Errorf("%s, %s, with the published service law: %w", e.Title, k.Name, err)
		}
		cases[i].Published = &PublishedResult{Figures: e.Published.Runs[i], Simulated: simulated}
	}
	return nil
}

// view is what the scenario's figure needs of a run.
func (e Experiment) view(w *workload.Workload, capacity float64) analysis.View {
	kind, _ := findScenario(e.Kind)
	return kind.view(w, capacity)
}

// measureCase takes one repetition of a case: what was predicted for it, on the
// wall clock.
func (r *runner) measureCase(ctx context.Context, s *site, e Experiment, k Case, out *CaseResult, rep int) error {
	run := &out.Runs[rep]
	w := k.workload(e, out.Capacity, run.Seed)
	view := e.view(&w, out.Capacity)
	trace := view.Trace(&w)
	observed, err := r.take(ctx, s, caseName(e.Title, k.Name, rep), fmt.Sprintf("%s: %s, run %d", e.Title, k.Name, rep+1), w, trace)
	if err != nil {
		return err
	}
	if n := observed.Requests; n.Answered < n.Scheduled {
		if err := s.renew(ctx); err != nil {
			return err
		}
	}
	run.Observed = observed
	run.Seen = view.See(analysis.Replayed{Latency: observed.NearestRank, Throughput: observed.Throughput, Requests: observed.Requests}, trace)
	run.Collapsed, _ = trace.Collapsed()
	return nil
}

// caseName is the name of a scenario's run.
func caseName(title, name string, rep int) string {
	return fmt.Sprintf("%s-%s-%d", slug(title), slug(name), rep+1)
}

// compare judges the figures of every case, then the whole table.
func (s *ScenarioResult) compare(margin float64) {
	var all []*analysis.Agreement
	for _, c := range s.Cases {
		c.Agreements = map[string]*analysis.Agreement{}
		for _, key := range analysis.Figures {
			var observed, predicted []record.Value
			for _, run := range c.Runs {
				observed = append(observed, run.Seen.Figures[key])
				predicted = append(predicted, run.Replay.Figures[key])
			}
			a := analysis.Agree(observed, predicted, margin)
			c.Agreements[key] = &a
			all = append(all, &a)
		}
	}
	analysis.Holm(all)
}
