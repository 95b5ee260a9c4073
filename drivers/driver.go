// Package drivers sends one request to a real server and reports what became
// of it. It knows nothing about schedules, clients, retries or statistics: the
// layers above decide when a copy of a request leaves and what its answer
// means.
//
// A driver never retries, never follows a redirect and never queues a request
// behind another one unless its connections are limited; what happens on the
// wire is one request and one answer. Adding a driver takes one file with a
// constructor and one line in known.
//
// Two error types tell the caller how to exit: *UsageError for what the user
// wrote (exit status 2) and *UnreachableError for a target that does not
// answer before the run (exit status 3). Both are found with errors.As.
// Failures during a run are no errors: they are counted by class in Answer.
package drivers

import (
	"context"
	"slices"
	"strings"
	"time"
)

// Request is one copy of a request to send.
type Request struct {
	// Key is a seeded integer in [0, 1e6): $1 of a query.
	Key int64
	// Service is the service time that travels with the request; 0 when none
	// does.
	Service time.Duration
	// Deadline is the timeout of this copy as an instant; zero means none.
	Deadline time.Time
}

// Answer is what came back for one copy of a request.
//
// Exactly one of three holds: the copy was answered (Class is empty and
// TimedOut is false), it timed out (TimedOut is true and Class is empty), or
// it failed (Class names why).
type Answer struct {
	// Pool is the time spent waiting for a pooled connection. For PostgreSQL
	// it includes reopening one that was lost. For HTTP it is the wait for a
	// place among limited connections and, when none is idle and one that was
	// opened for another request comes free before the request's own is open,
	// the wait for that one. Opening the request's own is not part of it.
	Pool time.Duration
	// TimedOut says that the deadline passed first.
	TimedOut bool
	// Class is the failure class, one of the Class constants, status_ and a
	// status ("status_503"), or sqlstate_ and an SQLSTATE ("sqlstate_57014").
	Class string
}

// Connections counts what happened to connections since the driver was made.
// The one that Connect tries and closes when none is to stay open is left out.
type Connections struct {
	Established int64 // currently open
	Opened      int64 // opened in all, beforehand and on demand
	Announced   int64 // closed by the server, which said so beforehand (HTTP: Connection: close)
	Lost        int64 // closed by the server unannounced
	Reopened    int64 // opened again after a timeout or cancellation closed one
}

// Driver sends requests to one target.
type Driver interface {
	// Connect opens connections beforehand for n clients that wait for their
	// answers (0: nobody waits, as in an open loop), and proves that the
	// target answers at the network level; an HTTP status is not judged here.
	// http opens n, or as many as Options.Connections allows; of none, one is
	// tried and closed. postgres opens its whole pool, whatever n is.
	//
	// It is called once, before the first Do. Its error is an
	// *UnreachableError, a *UsageError, or that of ctx (wrapped) when ctx was
	// cancelled. After an error only Close is left.
	Connect(ctx context.Context, n int) error
	// Do sends one copy and reads the answer whole. It is safe for concurrent
	// use, never retries and never follows a redirect.
	Do(req *Request) Answer
	// Abort makes every Do in flight, and every later one, return soon with
	// class "aborted".
	Abort()
	// Connections returns the counts so far; it may be called at any time.
	Connections() Connections
	// Target is what is measured, for headers, secrets removed. After Connect
	// it includes the address that the host name was resolved to.
	Target() string
	// Remote is the TCP address, host:port, that connections go to; "" before
	// Connect and for a Unix socket.
	Remote() string
	// Close aborts what is in flight and releases all connections.
	Close() error
}

// Options is everything a driver may need. Each driver uses its part; New
// refuses a part that belongs to another driver. A zero value means "not
// given".
type Options struct {
	URL    string   // http: http://host[:port]/path?query or https://; sent as written, not normalised
	Method string   // http: default GET, or POST when there is a Body
	Body   string   // http: sent with every request
	Header []string // http: "Name: value", in the order given
	Expect []int    // http: the statuses that count as success; empty: 200 to 399

	// ServiceParameter makes the service time travel with the request. http:
	// service=<nanoseconds>ns is appended to the query string; postgres: $1 is
	// Request.Service in seconds instead of Key.
	ServiceParameter bool

	DSN string // postgres: a URL or keyword/value string; empty: the usual PG* variables and defaults
	SQL string // postgres: one statement with at most one parameter, $1
	// Session is SQL that every connection runs once when it is opened before
	// the run, such as reading what it will need; postgres only.
	Session string

	// Connections limits the connections. postgres: the pool's size; 0 means
	// one for each client of Connect, and at least one. http: at most so many;
	// 0 means opened on demand without limit.
	Connections int
}

// maxConnections is far beyond what a host can open to one address, about
// 64,000 for want of ports.
const maxConnections = 1_000_000

// known maps the name of each driver to its constructor.
var known = map[string]func(Options) (Driver, error){
	"http":     newHTTP,
	"postgres": newPostgres,
}

// New makes the driver called name. Nothing is opened before Connect. Its
// error is a *UsageError.
func New(name string, o Options) (Driver, error) {
	construct, ok := known[name]
	if !ok {
		return nil, usage("there is no driver %q; the drivers are %s", name, strings.Join(Names(), " and "))
	}
	if o.Connections < 0 || o.Connections > maxConnections {
		return nil, usage("the number of connections lies between 0 and %d, but is %d", maxConnections, o.Connections)
	}
	return construct(o)
}

// Names returns the names of all drivers, sorted.
func Names() []string {
	names := make([]string, 0, len(known))
	for name := range known {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// refuse returns a usage error when one of the given options, which belong to
// another driver, is set.
func refuse(driver string, foreign map[string]bool) error {
	var set []string
	for option, given := range foreign {
		if given {
			set = append(set, option)
		}
	}
	if len(set) == 0 {
		return nil
	}
	slices.Sort(set)
	return usage("the %s driver takes no %s; remove it or choose another driver", driver, strings.Join(set, ", "))
}
