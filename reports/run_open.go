package reports

import (
	"context"
	"fmt"

	"queuelab/analysis"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// lineSteps is how many loads the predicted curve is drawn through.
const lineSteps = 18

// predictOpen predicts latency against load, and simulates every run that will
// be measured on its own arrivals.
func (r *runner) predictOpen(ctx context.Context, s *site, c *calibrated, index int, e Experiment) (*OpenResult, error) {
	model := c.open.Model
	out := &OpenResult{
		Title: e.Title, Even: e.Even, Model: c.open.words, Capacity: model.Capacity(),
		Service: record.Value(model.Service.Mean() * 1e3), DelayMS: record.Milliseconds(model.Delay), Servers: model.Servers,
	}
	loads := r.profile.Loads(e)
	if len(loads) == 0 {
		return nil, fmt.Errorf("the experiment %q has no load below the profile's max_load %g: raise it", e.Title, r.profile.MaxLoad)
	}
	highest := loads[len(loads)-1]
	for i := 1; i <= lineSteps; i++ {
		point, err := r.predictLoad(ctx, model, e, highest*float64(i)/lineSteps)
		if err != nil {
			return nil, err
		}
		out.Line = append(out.Line, point)
	}
	for _, load := range loads {
		point, err := r.predictLoad(ctx, model, e, load)
		if err != nil {
			return nil, err
		}
		p := OpenPoint{LinePoint: point}
		for rep := range r.profile.Reps {
			seed := r.seed(s, fmt.Sprintf("experiment %d at %g", index, load), rep)
			replay, err := model.Replay(ctx, s.offered(r.openWorkload(point.Rate, e.Even, seed)))
			if err != nil {
				return nil, err
			}
			p.Runs = append(p.Runs, OpenRun{Seed: seed, Replay: replay})
		}
		out.Points = append(out.Points, p)
	}
	return out, nil
}

func (r *runner) predictLoad(ctx context.Context, model analysis.Model, e Experiment, load float64) (LinePoint, error) {
	rate := load * model.Capacity()
	p, err := model.Predict(ctx, r.openWorkload(rate, e.Even, uint64(1e6*load)), replications)
	return LinePoint{Load: load, Rate: rate, Predicted: p}, err
}

func (r *runner) openWorkload(rate float64, even bool, seed uint64) workload.Workload {
	w := workload.Workload{Open: true, Rate: rate, Length: r.profile.Open, Seed: seed, Drain: workload.DefaultDrain(r.profile.Open)}
	if even {
		w.Arrivals = workload.Even
	}
	return w
}

// measureOpen goes through the loads once for each repetition, so that a
// machine that drifts does not bend the curve.
func (r *runner) measureOpen(ctx context.Context, s *site, o *OpenResult) error {
	for rep := range r.profile.Reps {
		for i := range o.Points {
			p := &o.Points[i]
			w := r.openWorkload(p.Rate, o.Even, p.Runs[rep].Seed)
			run, err := r.take(ctx, s, openName(o.Title, p.Load, rep), fmt.Sprintf("open, ρ = %g, run %d", p.Load, rep+1), w)
			if err != nil {
				return err
			}
			p.Runs[rep].Observed = run
		}
	}
	o.compare(r.Study.Margin)
	return nil
}

// openName is the name of an open run.
func openName(title string, load float64, rep int) string {
	return fmt.Sprintf("open-%s-%g-%d", slug(title), load, rep+1)
}

// compare judges every load, then the whole table.
func (o *OpenResult) compare(margin float64) {
	var all []*analysis.Agreement
	for i := range o.Points {
		p := &o.Points[i]
		p.Mean = p.agreement("mean", margin)
		p.P99 = p.agreement("p99", margin)
		all = append(all, &p.Mean, &p.P99)
	}
	analysis.Holm(all)
}

// agreed is the agreement on a quantity.
func (p *OpenPoint) agreed(key string) *analysis.Agreement {
	if key == "p99" {
		return &p.P99
	}
	return &p.Mean
}

func (p *OpenPoint) agreement(key string, margin float64) analysis.Agreement {
	var observed, predicted []record.Value
	for _, run := range p.Runs {
		observed = append(observed, run.Observed.Observed(key))
		predicted = append(predicted, run.Replay.Latency.Get(key))
	}
	return analysis.Agree(observed, predicted, margin)
}
