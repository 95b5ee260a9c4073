package main

import (
	"context"
	"errors"
	"flag"
	"strings"
	"time"

	"queuelab/measure/workload"
	"queuelab/sim"
	"queuelab/sim/kendall"
)

// modelFlags are the flags that say what the workload meets.
type modelFlags struct {
	set        *flag.FlagSet
	servers    int
	discipline string
	model      string
	mean       time.Duration
	scv        float64
}

// runSimulate runs the workload against a model of a server.
func runSimulate(ctx context.Context, c *console, args []string) error {
	f := newFlags(c, "simulate", "-open -rate R | -closed -clients N, with -service LAW or -model A/S/c -mean D [flags]")
	offered, printed, repeated := addWorkloadFlags(f), addOutputFlags(f), addTrialFlags(f)
	m := &modelFlags{set: f}
	f.StringVar(&offered.service, "service", "", "law of the service times, such as exp:5ms or file:RUN")
	f.IntVar(&m.servers, "servers", 1, "number of servers c")
	f.StringVar(&m.discipline, "discipline", "fifo", "who is served next: fifo, ps or accept:BACKLOG (an accept queue of that many places in front of an event loop)")
	f.StringVar(&m.model, "model", "", "arrivals, service and servers in Kendall's notation, such as M/D/1 or M/M/1//10, with -mean")
	f.DurationVar(&m.mean, "mean", 0, "with -model: mean service time")
	f.Float64Var(&m.scv, "scv", 0, "with -model, G and H2: squared coefficient of variation of the service time")
	f.DurationVar(&offered.warmup, "warmup", 0, "drop what was scheduled before")
	f.Uint64Var(&offered.seed, "seed", 1, "seed")
	if _, err := parse(f, args, 0); err != nil {
		return err
	}
	if err := repeated.check(); err != nil {
		return err
	}
	model, err := m.apply(offered)
	if err != nil {
		return err
	}
	w, err := offered.workload()
	if err != nil {
		return err
	}
	if model != nil {
		if err := m.laws(*model, w, offered.think); err != nil {
			return err
		}
	}
	if w.Service == nil {
		return usagef("nothing says how long a service takes: give -service, such as -service exp:5ms, or -model with -mean")
	}
	s := &simulation{
		workload: w, station: sim.Station{Servers: m.servers, Discipline: m.discipline}, warmup: offered.warmup,
		header: *header(ctx, "simulate", args),
	}
	kept, err := printed.begin(repeated.any())
	if err != nil {
		return err
	}
	started := time.Now()
	run, failed := s.take(ctx, repeated.reps, kept)
	if run == nil {
		return errors.Join(failed, kept.discard())
	}
	finished := printed.finish(c, run, kept, started)
	if failed != nil && finished == errInterrupted {
		finished = nil // it is what failed that interrupted it
	}
	return errors.Join(failed, finished)
}

// apply reads -model, which sets the loop, the clients and the servers, and
// refuses flags that contradict it; nil without -model.
func (m *modelFlags) apply(w *workloadFlags) (*kendall.Model, error) {
	set := given(m.set)
	if m.model == "" {
		if set["mean"] || set["scv"] {
			return nil, usagef("-mean and -scv belong to -model: give it, or write the law with -service")
		}
		return nil, nil
	}
	k, err := kendall.Parse(m.model)
	if err != nil {
		return nil, usageError{err}
	}
	for _, name := range []string{"service", "servers", "even", "arrivals", "session"} {
		if set[name] {
			return nil, usagef("-model %s settles arrivals, service and servers: leave -%s out", m.model, name)
		}
	}
	if !set["mean"] {
		return nil, usagef("-model %s needs -mean, the mean service time", m.model)
	}
	if places, limited := k.WaitingPlaces(); limited {
		return nil, usagef("-model %s limits the queue to %d waiting places, which the simulator does not do: leave K out", m.model, places)
	}
	if w.open && k.Closed() || w.closed && !k.Closed() {
		return nil, usagef("-model %s contradicts -open or -closed: leave that out", m.model)
	}
	m.servers = k.Servers
	w.open, w.closed = !k.Closed(), k.Closed()
	if k.Closed() {
		if set["clients"] && w.clients != k.Population {
			return nil, usagef("-model %s has %d clients, not %d: leave -clients out", m.model, k.Population, w.clients)
		}
		w.clients = k.Population
	}
	return &k, nil
}

// laws gives the workload the laws of the model's letters; think is the think
// time as it was given.
func (m *modelFlags) laws(k kendall.Model, w *workload.Workload, think string) (err error) {
	if w.Service, err = k.ServiceLaw(m.mean, m.scv); err != nil {
		return usageError{err}
	}
	if !k.Closed() {
		if w.Arrivals, err = k.Arrivals(); err != nil {
			return usageError{err}
		}
		return nil
	}
	if w.Think == nil || k.Arrival.Kind == kendall.General {
		return nil // G stands for any law
	}
	if !strings.Contains(think, ":") {
		// A bare duration is the mean of the law that the first letter names.
		if w.Think, err = k.ThinkLaw(workload.Nanoseconds(w.Think.Mean())); err != nil {
			return usageError{err}
		}
		return nil
	}
	if letter := kendall.LetterOf(w.Think); letter != k.Arrival {
		return usagef("-think %s is the law %v and -model %s says %v: give the mean alone, such as -think 20ms, or change the first letter of -model", think, letter, m.model, k.Arrival)
	}
	return nil
}
