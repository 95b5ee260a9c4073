// Package lab starts private servers to measure: in a directory of their own, on
// loopback or a socket only, pinned to one CPU, and gone with the program that
// started them, however that ends.
//
// A program calls [SuperviseIfAsked] first thing in main (a test in TestMain),
// starts a server with [Start], moves itself off the server's CPU with [KeepOff],
// and stops the server with its Stop.
//
// Adding a lab means adding a package and a line in the table of this file.
package lab

import (
	"context"
	"fmt"
	"strings"

	"queuelab/drivers"
	"queuelab/measure/host/affinity"
	"queuelab/measure/lab/nginx"
	"queuelab/measure/lab/postgres"
	"queuelab/measure/lab/program"
	"queuelab/measure/lab/shortener"
	"queuelab/measure/lab/supervise"
	"queuelab/measure/lab/tally"
	"queuelab/measure/lab/witness"
	"queuelab/measure/workload"
)

// Server is a running private server.
type Server interface {
	// Driver is how requests are sent to it: "http" or "postgres".
	Driver() string
	// URL is where it is reached by HTTP, "" when it is not.
	URL() string
	// Base is its URL without a path, "" when it is not reached by HTTP.
	Base() string
	// DSN is where it is reached as a PostgreSQL database, "" when it is not.
	DSN() string
	// SQL is the query it is measured with, "" when it is none's.
	SQL() string
	// Session is SQL for every connection to run once before it is measured, ""
	// when there is none.
	Session() string
	// CPU is the CPU it is pinned to, -1 when it is not pinned.
	CPU() int
	// Written is the PostgreSQL database that its requests may write to, and the one
	// DELETE FROM statement that deletes exactly what they wrote since the start;
	// both are "" when they write nothing.
	Written() (dsn, cleanup string)
	// Facts are what a reader of a measurement needs to know of it, by name: its
	// version, its configuration, the size of what it serves. Values may have
	// several lines.
	Facts() map[string]string
	// PIDs returns the processes that serve requests now.
	PIDs() ([]int, error)
	// Staller prepares stalls of a kind that [StallKind] allows; the context bounds
	// the preparation. It is closed before the server is stopped.
	Staller(ctx context.Context, kind workload.StallKind) (Staller, error)
	// Counter is its own count of the requests of one run, of the workload and sent
	// with the options; nil when it cannot count them.
	Counter(drivers.Options, *workload.Workload) Counter
	// Stop kills it and removes its directory. It may be called more than once.
	Stop() error
	// Describe says in several lines what it is and how to reach it.
	Describe() string
}

// Options vary a lab.
type Options struct {
	// Snippet is added to nginx's server block: whole directives, such as
	// `location = /empty { return 200; }`. Other labs refuse it.
	Snippet string
}

// Staller stalls a server.
type Staller = supervise.Staller

// Counter is a server's own count of the requests that it has taken.
type Counter = tally.Counter

// MissingError says that a program is not installed, and how to install it.
type MissingError = program.MissingError

// kind is one lab: how to find its program and how to start it.
type kind struct {
	name   string
	driver string // as its servers tell it
	find   func() (path string, err error)
	start  func(context.Context, Options) (Server, error)
	stalls supervise.StallKinds
}

var kinds = []kind{
	{"nginx", "http", nginx.Find, startNginx, nginx.Stalls},
	{"postgres", "postgres", postgres.Find, startPostgres, postgres.Stalls},
	{"shortener", "http", shortener.Find, startShortener, shortener.Stalls},
}

func startNginx(ctx context.Context, o Options) (Server, error) {
	s, err := nginx.Start(ctx, o.Snippet)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func startPostgres(ctx context.Context, o Options) (Server, error) {
	if err := noSnippet("postgres", o); err != nil {
		return nil, err
	}
	s, err := postgres.Start(ctx)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func startShortener(ctx context.Context, o Options) (Server, error) {
	if err := noSnippet("shortener", o); err != nil {
		return nil, err
	}
	s, err := shortener.Start(ctx)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func noSnippet(name string, o Options) error {
	if o.Snippet != "" {
		return fmt.Errorf("the %s lab has no server block for a snippet: leave it out", name)
	}
	return nil
}

// Names returns the names of all labs.
func Names() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return names
}

// Start starts the named lab and returns when it has answered a request. The
// context bounds the start, not the server's life. When a program is not installed
// the error is, or wraps, a *[MissingError].
func Start(ctx context.Context, name string, o Options) (Server, error) {
	k, err := find(name)
	if err != nil {
		return nil, err
	}
	return k.start(ctx, o)
}

// Find returns the path of the named lab's program, or a *[MissingError].
func Find(name string) (path string, err error) {
	k, err := find(name)
	if err != nil {
		return "", err
	}
	return k.find()
}

// Driver returns how requests are sent to the named lab: "http" or "postgres".
func Driver(name string) (string, error) {
	k, err := find(name)
	return k.driver, err
}

// StallKind returns the kind of stall that the named lab has where the given one is
// asked for, and refuses one that it cannot have.
func StallKind(name string, wanted workload.StallKind) (workload.StallKind, error) {
	k, err := find(name)
	if err != nil {
		return "", err
	}
	return k.stalls.Resolve(name, wanted)
}

func find(name string) (kind, error) {
	for _, k := range kinds {
		if k.name == name {
			return k, nil
		}
	}
	return kind{}, fmt.Errorf("there is no lab %q: use one of %s", name, strings.Join(Names(), ", "))
}

// SuperviseIfAsked turns this process into the supervisor of a private server, or into
// a server that is this program, when it was started as one, and then does not return.
func SuperviseIfAsked() {
	shortener.ServeIfAsked()
	witness.ServeIfAsked()
	supervise.SuperviseIfAsked()
}

// KeepOff moves every thread of this process off a server's CPU (threads started
// later inherit that) and lowers GOMAXPROCS to the number of CPUs left. The
// function it returns undoes both. For a server that is not pinned, CPU -1, nothing
// changes.
func KeepOff(cpu int) (restore func(), err error) { return affinity.KeepOff(cpu) }
