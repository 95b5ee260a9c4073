package reports

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"queuelab/drivers"
	"queuelab/measure"
	"queuelab/measure/database"
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
	cpu     int        // the server's, -1 when it is not known
	base    string     // URL without a path, "" for a target that speaks no HTTP
	server  lab.Server // nil for a target that is no lab
	result  *TargetResult
	close   func() error
}

// measureTarget starts a target, calibrates, predicts everything, and only then
// measures; trials, which predict nothing, come last.
func (r *runner) measureTarget(ctx context.Context, target *Target) (err error) {
	r.step(target.Name+": starting", 0)
	s, err := openSite(ctx, target)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	r.results.Targets = append(r.results.Targets, s.result)
	if r.predicted(target) {
		if err := r.measurePredicted(ctx, s); err != nil {
			return err
		}
	}
	return r.measureTrials(ctx, s)
}

// predicted says whether an experiment predicts what the target will do.
func (r *runner) predicted(t *Target) bool {
	return slices.ContainsFunc(r.Study.Experiments, func(e Experiment) bool { return e.predicted() && e.on(t.Name) })
}

// measurePredicted calibrates, and predicts and measures curves and scenarios.
func (r *runner) measurePredicted(ctx context.Context, s *site) error {
	c, err := r.calibrate(ctx, s, "before")
	if err != nil {
		return err
	}
	s.result.Calibration = c.result
	if c, err = r.measureCurves(ctx, s, c); err != nil {
		return err
	}
	s.result.Again = c.result
	for i, e := range r.Study.Experiments {
		if e.isScenario() && e.on(s.target.Name) {
			if c, err = r.runScenario(ctx, s, c, i, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// measureCurves predicts and measures the closed and open experiments, and
// calibrates again after them; it returns the newest calibration.
func (r *runner) measureCurves(ctx context.Context, s *site, c *calibrated) (*calibrated, error) {
	if err := r.predict(ctx, s, c); err != nil {
		return nil, err
	}
	for _, closed := range s.result.Closed {
		if err := r.measureClosed(ctx, s, closed); err != nil {
			return nil, err
		}
	}
	for _, open := range s.result.Open {
		if err := r.measureOpen(ctx, s, open); err != nil {
			return nil, err
		}
	}
	if len(s.result.Closed)+len(s.result.Open) == 0 {
		return c, nil
	}
	return r.calibrate(ctx, s, "after")
}

// predict fills the predictions of the closed and open experiments on the target
// and stores them before anything is compared with them.
func (r *runner) predict(ctx context.Context, s *site, c *calibrated) error {
	r.step(s.target.Name+": predicting", 0)
	for i, e := range r.Study.Experiments {
		if !e.on(s.target.Name) {
			continue
		}
		switch e.Kind {
		case ClosedKind:
			closed, err := r.predictClosed(ctx, c, e)
			if err != nil {
				return err
			}
			s.result.Closed = append(s.result.Closed, closed)
		case OpenKind:
			open, err := r.predictOpen(ctx, s, c, i, e)
			if err != nil {
				return err
			}
			s.result.Open = append(s.result.Open, open)
		}
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
		target: t, driver: t.Driver, base: origin(t.URL), cpu: -1, result: &TargetResult{Name: t.Name},
		options: t.options(),
		close:   func() error { return nil },
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
	options := drivers.Options{URL: server.URL(), DSN: server.DSN(), SQL: server.SQL(), Session: server.Session()}
	if server.Driver() == "http" {
		options.Expect = []int{200} // the lab's page has no other good answer
	}
	return &site{
		target: t, driver: server.Driver(), base: server.Base(), cpu: server.CPU(), server: server, options: options,
		result: &TargetResult{Name: t.Name, Server: server.Facts()},
		close: func() error {
			release()
			return server.Stop()
		},
	}, nil
}

// renew starts a lab afresh, so that the next run does not meet what a server
// still works off that nobody waits for any more: after an overload the kernel
// alone delivers such requests for half a minute.
func (s *site) renew(ctx context.Context) error {
	if s.server == nil {
		return nil
	}
	if err := s.close(); err != nil {
		return err
	}
	fresh, err := openLab(ctx, s.target)
	if err != nil {
		s.close = func() error { return nil } // it is closed
		return err
	}
	fresh.result = s.result
	*s = *fresh
	return nil
}

func openKnown(t *Target) (*site, error) {
	server, err := known.Start(known.Config{Addr: "127.0.0.1:0", Service: t.Serve, Servers: t.Servers, Seed: workload.NewSeed()})
	if err != nil {
		return nil, err
	}
	return &site{
		target: t, driver: "http", base: origin(server.URL()), cpu: -1,
		options: drivers.Options{URL: server.URL(), ServiceParameter: true},
		result:  &TargetResult{Name: t.Name, Known: true, Server: map[string]string{"known-answer server": fmt.Sprintf("%s, %s", t.Serve, plural(t.Servers, "server"))}},
		close:   server.Stop,
	}, nil
}

// take takes one run, keeps its folder under data/runs, and notes how fast the
// machine was around it; label is how the run is announced.
func (r *runner) take(ctx context.Context, s *site, name, label string, w workload.Workload, sinks ...record.Sink) (*record.Run, error) {
	r.step(fmt.Sprintf("%s: %s", s.target.Name, label), w.Length+r.profile.Warmup)
	w = s.offered(w)
	w.Drain = workload.DefaultDrain(w.Length)
	kept, err := record.CreateFolder(r.folder.Path("data/runs/"+slug(s.target.Name)+"/"+name), false)
	if err != nil {
		return nil, err
	}
	run, err := r.takeKept(ctx, s, &w, append(sinks, kept), kept)
	if err != nil {
		return nil, err
	}
	r.taken++
	if run.Interrupted {
		return nil, context.Cause(ctx)
	}
	s.result.Address = run.Target
	r.results.Header.Host = run.Header.Host
	s.result.Speeds = append(s.result.Speeds, speedOf(name, run))
	s.result.judged(name, run)
	run.Header = nil // it stands in the run's own folder
	return run, nil
}

// speedOf is how fast the machine was around a run. After one that left requests
// without an answer the server may work on, on the CPU that is timed.
func speedOf(name string, run *record.Run) SpeedResult {
	after := run.Header.SpeedAfter
	if run.Requests.Answered < run.Requests.Scheduled {
		after = record.Unknown()
	}
	return SpeedResult{name, run.Header.SpeedBefore, after}
}

// takeKept takes the run itself and keeps it.
func (r *runner) takeKept(ctx context.Context, s *site, w *workload.Workload, sinks []record.Sink, kept *record.Folder) (*record.Run, error) {
	started := time.Now()
	plan := measure.Plan{
		Workload: w, Driver: s.driver, Options: s.options, Warmup: r.profile.Warmup,
		CPU: s.cpu, Header: r.Header, Sinks: sinks,
		Started: func(at time.Time) { started = at },
	}
	plan.Header.Server = s.result.Server
	plan.Counter = s.counter(w)
	run, err := s.takeStalled(ctx, plan)
	if err != nil {
		return nil, errors.Join(err, kept.Discard())
	}
	return run, kept.Commit(run, started)
}

// counter is the server's own count of a run's requests, nil when it is not known to
// keep one.
func (s *site) counter(w *workload.Workload) measure.Counter {
	if s.server != nil {
		return s.server.Counter(s.options, w)
	}
	if s.driver == "postgres" {
		if c, ok := database.NewCounter(s.options, w.Clients); ok {
			return c
		}
	}
	return nil
}

// takeStalled takes a run; a server that is to stand still is prepared for it.
func (s *site) takeStalled(ctx context.Context, plan measure.Plan) (run *record.Run, err error) {
	if !plan.Workload.Stall.Any() {
		return measure.Take(ctx, plan)
	}
	staller, err := s.server.Staller(ctx, plan.Workload.Stall.Kind)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, staller.Close()) }()
	plan.Staller = staller
	return measure.Take(ctx, plan)
}

// offered is the workload as the target gets it: to a known-answer server each
// request carries its service time.
func (s *site) offered(w workload.Workload) workload.Workload {
	if w.Service == nil && s.target.Serve != nil {
		w.Service = s.target.Serve
	}
	return w
}

// seed is the seed of one run of the study: the same in every execution.
func (r *runner) seed(s *site, purpose string, index int) uint64 {
	return workload.Stream(r.Study.Seed, s.target.Name+"/"+purpose, index).Uint64N(workload.MaxSeed)
}
