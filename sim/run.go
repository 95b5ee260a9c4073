package sim

import (
	"context"
	"errors"
	"fmt"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/stats"
	"queuelab/measure/workload"
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
// A workload beyond the station's capacity is simulated like any other; its run
// says that it is not stable, how fast the latency grows where that is known,
// and gives no intervals, since there is nothing that they could be intervals
// for. Nor does a run of which it is not known whether it is stable.
func Run(ctx context.Context, w *workload.Workload, s Station, o Options) (*record.Run, error) {
	e, offered, err := prepare(w, &s, &o)
	if err != nil {
		return nil, fmt.Errorf("the simulation cannot be run: %w", err)
	}
	interrupted := e.run(ctx)

	run := e.ledger.collector.Run()
	run.Model = s.model(offered)
	run.Workload = offered.Describe()
	run.Workload.Warmup = o.Warmup.Seconds()
	run.Seed = w.Seed
	run.Interrupted = interrupted
	run.Stable, run.Growth = e.outlook.stable, e.outlook.growth
	run.Loss = 0
	e.summarise(run, offered, s.Servers)
	return run, nil
}

// prepare sets up a run of a workload that now has the station's service law.
func prepare(w *workload.Workload, s *Station, o *Options) (*engine, *workload.Workload, error) {
	if err := validate(w, s, o); err != nil {
		return nil, nil, err
	}
	offered := *w
	if s.Service != nil {
		offered.Service = s.Service
	}
	if offered.Stall.Any() && offered.Stall.Kind == workload.AnyStall {
		offered.Stall.Kind = workload.Freeze // what a model does unless told otherwise
	}
	if offered.Service.Mean() == 0 && !w.Open && (w.Think == nil || w.Think.Mean() == 0) {
		return nil, nil, errors.New("clients that do not think at a server that takes no time would never let the clock move: give a think time or a service time")
	}
	kind, parameter, err := s.kind()
	if err != nil {
		return nil, nil, err
	}
	station, err := kind.build(parameter, s, &offered)
	if err != nil {
		return nil, nil, fmt.Errorf("the discipline %q, written %s, cannot be built: %w", s.Discipline, kind.form(), err)
	}
	e := newEngine(&offered, station, s.Servers, o)
	e.outlook = lookAhead(&offered, kind, s.Servers)
	if e.outlook.stable != nil && *e.outlook.stable {
		e.ledger.batches = stats.NewBatches()
	}
	return e, &offered, nil
}

func newEngine(w *workload.Workload, station discipline, servers int, o *Options) *engine {
	e := &engine{
		source:   newSource(w),
		station:  station,
		stalls:   newStalls(w.Stall),
		timeouts: timers{after: int64(w.Timeout)},
		retries:  timers{waited: true},
		copies:   w.MostCopies(),
		drain:    int64(w.Drain),
		warm:     -1,
		sampler:  newSampler(w, servers, int64(o.Warmup)),
	}
	if e.copies > 1 {
		e.retries.after = int64(w.Retry.After)
	}
	e.ledger.collector = record.NewCollector(record.Simulated, o.Sinks...)
	e.ledger.collector.From(o.Warmup)
	e.ledger.collector.Period(w.Stall.Period)
	e.ledger.warmup = int64(o.Warmup)
	return e
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
	case w.Open && w.Requests > 0 && float64(w.AtMost())/w.Rate > longest.Seconds():
		return fmt.Errorf("%d requests at %g/s take longer than the %.0f years of a schedule: lower the one or raise the other", w.Requests, w.Rate, longest.Hours()/24/365)
	}
	return nil
}

// longest is the longest schedule that can be drawn, some 31 years.
const longest time.Duration = 1e18
