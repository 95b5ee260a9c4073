package sim

import (
	"context"
	"errors"
	"fmt"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/stats"
	"queuelab/measure/workload"
	"queuelab/sim/kendall"
)

// Options are what a simulation can do beyond the workload and the station.
type Options struct {
	// Warmup drops the requests that were scheduled before it, without
	// emptying the system.
	Warmup time.Duration
	// Sinks receive every request that is recorded, in the order in which
	// they ended.
	Sinks []record.Sink
}

// Run executes the workload at the station and returns what happened, every
// scheduled request accounted for. The same seed gives the same run. When ctx
// ends first, what is open counts as unfinished and the run is marked as
// interrupted.
//
// An open workload beyond the station's capacity is simulated like any other;
// its run says that it is not stable, how fast the latency grows, and gives no
// intervals, since there is nothing that they could be intervals for.
func Run(ctx context.Context, w *workload.Workload, s Station, o Options) (*record.Run, error) {
	if err := validate(w, &s, &o); err != nil {
		return nil, fmt.Errorf("the simulation cannot be run: %w", err)
	}
	offered := *w
	if s.Service != nil {
		offered.Service = s.Service
	}
	if offered.Service.Mean() == 0 && !w.Open && w.Think == nil {
		return nil, errors.New("the simulation cannot be run: clients that do not think at a server that takes no time would never let the clock move: give a think time or a service time")
	}
	rho := load(&offered, s.Servers)
	stable := rho < 1 || !w.Open || rho == 1 && constant(&offered)
	station, err := newDiscipline(&s, &offered)
	if err != nil {
		return nil, fmt.Errorf("the simulation cannot be run: %w", err)
	}
	e := newEngine(&offered, station, s.Servers, &o)
	if stable {
		e.ledger.batches = stats.NewBatches()
	}
	interrupted := e.run(ctx)

	run := e.ledger.collector.Run()
	run.Model = kendall.Of(&offered, offered.Service, s.Servers).String()
	run.Workload = offered.Describe()
	run.Workload.Warmup = o.Warmup.Seconds()
	run.Seed = w.Seed
	run.Interrupted = interrupted
	run.Stable = &stable
	run.Loss = 0
	if !stable {
		run.Growth = record.Value((rho - 1) * 1e3)
	}
	e.summarise(run, s.Servers)
	return run, nil
}

func newEngine(w *workload.Workload, station discipline, servers int, o *Options) *engine {
	e := &engine{
		source:   newSource(w),
		station:  station,
		timeouts: timeouts{after: int64(w.Timeout)},
		drain:    int64(w.Drain),
		warm:     -1,
		sampler:  newSampler(w, servers, int64(o.Warmup)),
	}
	e.ledger.collector = record.NewCollector(record.Simulated, o.Sinks...)
	e.ledger.collector.From(o.Warmup)
	e.ledger.warmup = int64(o.Warmup)
	return e
}

// load is ρ: the work that an open workload brings in each second, per server.
func load(w *workload.Workload, servers int) float64 {
	return w.Rate * w.Service.Mean() / float64(servers)
}

// constant says whether neither gaps nor service times vary: the one case in
// which a fully loaded queue does not grow.
func constant(w *workload.Workload) bool {
	return w.Gaps().SCV() == 0 && w.Service.SCV() == 0
}

func validate(w *workload.Workload, s *Station, o *Options) error {
	if err := w.Validate(); err != nil {
		return err
	}
	if err := s.validate(); err != nil {
		return err
	}
	switch {
	case o.Warmup < 0:
		return fmt.Errorf("the warm-up %v is below zero", o.Warmup)
	case w.Length > 0 && o.Warmup >= w.Length:
		return fmt.Errorf("the warm-up %v leaves nothing of the %v of the run", o.Warmup, w.Length)
	case s.Service == nil && w.Service == nil:
		return errors.New("nothing says how long a service takes: give the station a service law, such as exp:5ms")
	case s.Service != nil && w.Service != nil:
		return errors.New("service times travel with the requests and belong to the station too: leave one of the two laws out")
	case w.Open && w.Requests > 0 && float64(w.Requests)/w.Rate > longest.Seconds():
		return fmt.Errorf("%d requests at %g/s take longer than the %.0f years of a schedule: lower the one or raise the other", w.Requests, w.Rate, longest.Hours()/24/365)
	}
	return nil
}

// longest is the longest schedule that can be drawn, some 31 years.
const longest time.Duration = 1e18
