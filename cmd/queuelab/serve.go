package main

import (
	"context"
	"fmt"

	"queuelab/measure/lab/known"
	"queuelab/measure/law"
	"queuelab/measure/workload"
)

// runServe runs the known-answer server until it is interrupted.
func runServe(ctx context.Context, c *console, args []string) error {
	f := newFlags(c, "serve", "-service LAW [flags]")
	service := f.String("service", "", "law of the service times, such as det:5ms or exp:5ms")
	servers := f.Int("servers", 1, "number of servers c behind the one queue")
	addr := f.String("addr", "127.0.0.1:9200", "where to listen; port 0 takes a free one")
	seed := f.Uint64("seed", 0, "seed of the service times (default: random)")
	if _, err := parse(f, args, 0); err != nil {
		return err
	}
	if *service == "" {
		return usagef("-service is missing: name a law such as -service det:5ms")
	}
	l, err := law.Parse(*service)
	if err != nil {
		return usageError{err}
	}
	if l.Mean() <= 0 {
		return usagef("the service law %s takes no time: its mean must be above zero", l)
	}
	if *servers < 1 {
		return usagef("-servers is %d: it must be at least 1", *servers)
	}
	if !given(f)["seed"] {
		*seed = workload.NewSeed()
	}
	server, err := known.Start(known.Config{Addr: *addr, Service: l, Servers: *servers, Seed: *seed})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s serves %s with %d server(s), seed %d; Ctrl-C ends it\n", server.URL(), l, *servers, *seed)
	stop := context.AfterFunc(ctx, func() { server.Stop() })
	defer stop()
	return server.Wait()
}
