package reports

import (
	"context"
	"errors"
	"fmt"
	"time"

	"queuelab/analysis"
	"queuelab/drivers"
	"queuelab/measure"
	"queuelab/measure/lab"
	"queuelab/measure/lab/known"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// site is a target that answers.
type site struct {
	target  *Target
	driver  string
	options drivers.Options
	cpu     int // the server's, -1 when it is not known
	result  *TargetResult
	close   func() error
}

// measureTarget starts a target, calibrates, predicts everything, and only then
// measures.
func (r *runner) measureTarget(ctx context.Context, target *Target) (err error) {
	s, err := openSite(ctx, target)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	r.results.Targets = append(r.results.Targets, s.result)

	one, several, err := r.calibrationRuns(ctx, s, "before")
	if err != nil {
		return err
	}
	calibration, err := analysis.Calibrate(one, several)
	if err != nil {
		return err
	}
	s.result.Calibration = calibrationResult(calibration)
	if err := r.predict(ctx, s, calibration); err != nil {
		return err
	}
	for _, c := range s.result.Closed {
		if err := r.measureClosed(ctx, s, c); err != nil {
			return err
		}
	}
	for _, o := range s.result.Open {
		if err := r.measureOpen(ctx, s, o); err != nil {
			return err
		}
	}
	if one, several, err = r.calibrationRuns(ctx, s, "after"); err != nil {
		return err
	}
	// It only shows drift: a report does without it when it says nothing.
	again, err := analysis.Calibrate(one, several)
	if err != nil {
		s.result.Again = CalibrationResult{record.Unknown(), record.Unknown(), record.Unknown(), record.Unknown(), record.Unknown()}
		return nil
	}
	s.result.Again = calibrationResult(again)
	return nil
}

// predict fills the predictions of every experiment on the target and stores
// them before anything is compared with them.
func (r *runner) predict(ctx context.Context, s *site, c *analysis.Calibration) error {
	for i, e := range r.Study.Experiments {
		if !e.on(s.target.Name) {
			continue
		}
		if e.Kind == ClosedKind {
			closed, err := r.predictClosed(ctx, c, e)
			if err != nil {
				return err
			}
			s.result.Closed = append(s.result.Closed, closed)
			continue
		}
		open, err := r.predictOpen(ctx, s, c, i, e)
		if err != nil {
			return err
		}
		s.result.Open = append(s.result.Open, open)
	}
	s.result.Predicted = time.Now().UTC()
	return r.folder.writeJSON("data/predictions-"+slug(s.target.Name)+".json", s.result)
}

func (e Experiment) on(target string) bool {
	for _, name := range e.Targets {
		if name == target {
			return true
		}
	}
	return false
}

// openSite starts the target's server, or takes the one that runs already.
func openSite(ctx context.Context, t *Target) (*site, error) {
	switch {
	case t.Lab != "":
		return openLab(ctx, t)
	case t.Serve != nil:
		return openKnown(t)
	}
	return &site{
		target: t, driver: t.Driver, cpu: -1, result: &TargetResult{Name: t.Name},
		options: drivers.Options{
			URL: t.URL, Method: t.Method, Body: t.Body, Header: t.Header, Expect: t.Expect,
			DSN: t.DSN, SQL: t.SQL, Connections: t.Connections,
		},
		close: func() error { return nil },
	}, nil
}

func openLab(ctx context.Context, t *Target) (*site, error) {
	server, err := lab.Start(ctx, t.Lab, lab.Options{})
	if err != nil {
		return nil, err
	}
	release, err := lab.KeepOff(server.CPU())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the generator could not be kept off the server's CPU: %w", err), server.Stop())
	}
	return &site{
		target: t, driver: server.Driver(), cpu: server.CPU(),
		options: drivers.Options{URL: server.URL(), DSN: server.DSN(), SQL: server.SQL()},
		result:  &TargetResult{Name: t.Name, Server: server.Facts()},
		close: func() error {
			release()
			return server.Stop()
		},
	}, nil
}

func openKnown(t *Target) (*site, error) {
	server, err := known.Start(known.Config{Addr: "127.0.0.1:0", Service: t.Serve, Servers: t.Servers, Seed: workload.NewSeed()})
	if err != nil {
		return nil, err
	}
	return &site{
		target: t, driver: "http", cpu: -1,
		options: drivers.Options{URL: server.URL()},
		result:  &TargetResult{Name: t.Name, Server: map[string]string{"known-answer server": fmt.Sprintf("%s, %d server(s)", t.Serve, t.Servers)}},
		close:   server.Stop,
	}, nil
}

// calibrationClients keep the server busy all the time: with one of them on
// its way, the others wait.
const calibrationClients = 8

// calibrationRuns takes a closed run with one client and one with several.
func (r *runner) calibrationRuns(ctx context.Context, s *site, when string) (one, several *analysis.Sample, err error) {
	one, several = &analysis.Sample{}, &analysis.Sample{}
	for _, run := range []struct {
		clients int
		sample  *analysis.Sample
	}{{1, one}, {calibrationClients, several}} {
		w := workload.Workload{Clients: run.clients, Length: r.profile.Calibrate}
		w.Seed = r.seed(s, "calibration "+when, run.clients)
		name := fmt.Sprintf("calibration-%s-%d", when, run.clients)
		if _, err := r.take(ctx, s, name, w, run.sample); err != nil {
			return nil, nil, err
		}
	}
	return one, several, nil
}

// take takes one run, keeps its folder under data/runs, and notes how fast the
// machine was around it.
func (r *runner) take(ctx context.Context, s *site, name string, w workload.Workload, sinks ...record.Sink) (*record.Run, error) {
	r.step(fmt.Sprintf("%s: %s", s.target.Name, name), w.Length+r.profile.Warmup)
	w.Drain = workload.DefaultDrain(w.Length)
	kept, err := record.CreateFolder(r.folder.path("data/runs/"+slug(s.target.Name)+"/"+name), false)
	if err != nil {
		return nil, err
	}
	started := time.Now()
	run, err := measure.Take(ctx, measure.Plan{
		Workload: &w, Driver: s.driver, Options: s.options, Warmup: r.profile.Warmup,
		CPU: s.cpu, Header: r.Header, Sinks: append(sinks, kept),
		Started: func(at time.Time) { started = at },
	})
	if err != nil {
		return nil, errors.Join(err, kept.Discard())
	}
	if err := kept.Commit(run, started); err != nil {
		return nil, err
	}
	if run.Interrupted {
		return nil, context.Cause(ctx)
	}
	s.result.Address = run.Target
	r.results.Header.Host = run.Header.Host
	s.result.Speeds = append(s.result.Speeds, SpeedResult{name, run.Header.SpeedBefore, run.Header.SpeedAfter})
	run.Header = nil // it stands in the run's own folder
	return run, nil
}

// seed is the seed of one run of the study: the same in every execution.
func (r *runner) seed(s *site, purpose string, index int) uint64 {
	return workload.Stream(r.Study.Seed, s.target.Name+"/"+purpose, index).Uint64N(workload.MaxSeed)
}

func calibrationResult(c *analysis.Calibration) CalibrationResult {
	return CalibrationResult{
		IdleMS:      record.Value(c.Idle * 1e3),
		DemandMS:    record.Value(c.Demand * 1e3),
		DelayMS:     record.Value(c.Delay() * 1e3),
		Capacity:    record.Value(c.Capacity()),
		DemandError: record.Value(c.DemandError),
	}
}
