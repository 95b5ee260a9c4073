package reports

import (
	"context"
	"fmt"
	"slices"

	"queuelab/measure/workload"
)

// replications is how many simulated runs a predicted band is made of.
const replications = 100

// predictClosed predicts throughput and latency for every number of clients,
// and for those in between that make the curve smooth around the knee.
func (r *runner) predictClosed(ctx context.Context, c *calibrated, e Experiment) (*ClosedResult, error) {
	out := &ClosedResult{Title: e.Title, Discipline: disciplineWords[c.closed.Discipline]}
	for _, n := range curveClients(e.Clients) {
		w := workload.Workload{Clients: n, Length: r.profile.Closed, Seed: uint64(n), Drain: workload.DefaultDrain(r.profile.Closed)}
		p, err := c.closed.Predict(ctx, w, replications)
		if err != nil {
			return nil, err
		}
		point := ClosedPoint{Clients: n, Predicted: p}
		out.Line = append(out.Line, point)
		if slices.Contains(e.Clients, n) {
			out.Points = append(out.Points, point)
		}
	}
	return out, nil
}

// curveClients are the measured numbers of clients and enough in between for a
// smooth curve.
func curveClients(measured []int) []int {
	out := slices.Clone(measured)
	for n := 1; n <= slices.Max(measured); n += max(1, n/4) {
		out = append(out, n)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// closedName is the name of a closed run.
func closedName(title string, clients int) string {
	return fmt.Sprintf("closed-%s-%d", slug(title), clients)
}

func (r *runner) measureClosed(ctx context.Context, s *site, c *ClosedResult) error {
	for i := range c.Points {
		p := &c.Points[i]
		w := workload.Workload{Clients: p.Clients, Length: r.profile.Closed}
		w.Seed = r.seed(s, closedName(c.Title, p.Clients), p.Clients)
		run, err := r.take(ctx, s, closedName(c.Title, p.Clients), fmt.Sprintf("closed, N = %d", p.Clients), w)
		if err != nil {
			return err
		}
		p.Observed = run
	}
	return nil
}
