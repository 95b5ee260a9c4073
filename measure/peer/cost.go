package peer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"queuelab/measure/lab"
)

// emptyPath is a page of the private nginx that costs it as little as a page can.
const emptyPath = "/empty"

// CostPlan says which tools are compared by their CPU time, and how.
type CostPlan struct {
	Tools   []Tool
	Clients int           // each waits for its answer and asks again at once
	Length  time.Duration // of each run, whole seconds
	Runs    int           // of each tool, in turn: A B C, C B A, ...
	Watch   func(step string)
}

// Cost is what one run of a tool cost. The CPU time is that of all its threads, as the
// kernel counts it, from its start to its end: the start and the tool's own report are
// part of it, and the longer the run the less they weigh. Vegeta reports in a second
// run, which is not counted.
type Cost struct {
	Tool                  string
	Run                   int     // from 1
	Requests              int64   // that were answered, as the tool counts them
	Elapsed, User, System float64 // seconds; the first as the tool tells it, without its start
}

// PerRequest is the CPU time of a request in microseconds, user and system.
func (c Cost) PerRequest() float64 { return (c.User + c.System) / float64(c.Requests) * 1e6 }

// MeasureCost measures what a request costs each tool: closed loops, in turn, against
// a page of a private nginx that is empty, nginx on one CPU and the tool on the
// others. Nginx closes each connection after 1,000 requests, its default, and all
// tools connect anew. With an error come the runs that had ended before it.
func MeasureCost(ctx context.Context, p CostPlan) ([]Cost, error) {
	order, err := turns(p.Tools, p.Runs, func(k kind) bool { return k.http != nil }, "send requests by HTTP")
	if err != nil {
		return nil, err
	}
	return p.measure(ctx, order, "cost of a request", "nginx", lab.Options{Snippet: "location = " + emptyPath + " { return 200; }"},
		func(k kind, s lab.Server, c closed) job {
			c.target = s.Base() + emptyPath
			return k.http(c)
		})
}

// MeasureQueries measures the same with SELECT 1, prepared, against a private
// PostgreSQL, for the tools that speak to it: queuelab and pgbench.
func MeasureQueries(ctx context.Context, p CostPlan) ([]Cost, error) {
	order, err := turns(p.Tools, p.Runs, func(k kind) bool { return k.sql != nil }, "send queries to PostgreSQL")
	if err != nil {
		return nil, err
	}
	return p.measure(ctx, order, "cost of a query", "postgres", lab.Options{},
		func(k kind, s lab.Server, c closed) job {
			c.target = s.DSN()
			return k.sql(c)
		})
}

// measure runs all turns against a lab, with the job that ask makes of it.
func (p CostPlan) measure(ctx context.Context, order []turn, what, name string, o lab.Options, ask func(kind, lab.Server, closed) job) (costs []Cost, err error) {
	if p.Clients < 1 {
		return nil, fmt.Errorf("%d clients send nothing: give at least 1", p.Clients)
	}
	length, err := wholeSeconds(p.Length)
	if err != nil {
		return nil, err
	}
	server, err := lab.Start(ctx, name, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	// The tools inherit the CPUs of this process.
	restore, err := lab.KeepOff(server.CPU())
	if err != nil {
		return nil, err
	}
	defer restore()
	err = each(ctx, order, p.Watch, what, func(ctx context.Context, t turn) error {
		did, err := t.tool.run(ctx, t.kind, ask(t.kind, server, closed{clients: p.Clients, seconds: length}), p.Length)
		if err != nil {
			return err
		}
		costs = append(costs, Cost{t.tool.Name, t.run, did.answered, did.elapsed, did.user.Seconds(), did.system.Seconds()})
		return nil
	})
	return costs, err
}
