// Package peer runs load generators side by side, this program among them as a
// process of its own, and measures what each costs and how punctual it is. All are
// judged from outside and in the same way: their CPU time as the kernel counts it,
// the instants of their requests as the kernel stamps them.
package peer

import (
	"context"
	"errors"
	"time"
)

// Tool is a load generator that is installed.
type Tool struct{ Name, Version, Path string }

// Missing is one that is not, and the command that installs it.
type Missing struct{ Name, Install string }

// Names lists the tools that are known.
func Names() []string {
	return []string{"queuelab", "wrk", "bombardier", "hey", "ab", "vegeta", "pgbench"}
}

// Find looks for tools by name, in the order given: on the PATH, in bin/ of the
// working directory, and where `go install` puts programs. A name that is not among
// [Names] is an error.
func Find(names []string) (found []Tool, missing []Missing, err error) {
	return nil, nil, errUnwritten
}

// CostPlan says which tools are compared by their CPU time, and how.
type CostPlan struct {
	Tools   []Tool
	Clients int           // each waits for its answer and asks again at once
	Length  time.Duration // of each run, whole seconds
	Runs    int           // of each tool, in turn: A B C, C B A, ...
	Watch   func(step string)
}

// Cost is what one run of a tool cost.
type Cost struct {
	Tool                  string
	Run                   int // from 1
	Requests              int64
	Elapsed, User, System float64 // seconds
}

// PerRequest is the CPU time of a request in microseconds, user and system.
func (c Cost) PerRequest() float64 { return (c.User + c.System) / float64(c.Requests) * 1e6 }

// MeasureCost measures what a request costs each tool: closed loops, in turn, against
// a location of a private nginx that does nothing, nginx on one CPU and the tool on
// the others. A tool's start counts, so runs are to be some seconds long.
func MeasureCost(ctx context.Context, p CostPlan) ([]Cost, error) { return nil, errUnwritten }

// MeasureQueries measures the same with SELECT 1 against a private PostgreSQL, for
// the tools that speak to it: queuelab and pgbench.
func MeasureQueries(ctx context.Context, p CostPlan) ([]Cost, error) { return nil, errUnwritten }

// LatenessPlan says which tools are compared by their punctuality, and how.
type LatenessPlan struct {
	Tools  []Tool
	Rate   float64       // requests a second, with even gaps
	Length time.Duration // of each run, whole seconds
	Runs   int           // of each tool, in turn: A B C, C B A, ...
	Watch  func(step string)
}

// Lateness is how punctual one run of a tool was, by the kernel's receive time stamps
// of its requests on loopback.
type Lateness struct {
	Tool               string
	Run                int // from 1
	Rate               float64
	Requests           int64
	Offered            float64 // requests a second: (n-1)/(last-first)
	SCV                float64 // of the gaps
	P50, P90, P99, Max float64 // µs after the instant of the even schedule that fits best
	// Sorted are at most 512 quantiles of the lateness in µs, at 1/512 to 1, for an
	// empirical distribution function.
	Sorted []float64
}

// MeasureLateness measures how late each tool sends against an even schedule at the
// plan's rate: open loops, in turn, against a server that stamps each request with the
// kernel's receive time. With the stamps sorted, the k-th (from 0) is due at t0+k/rate,
// and t0, which no tool tells, is the latest that makes no request early: the least of
// all stamps less k/rate. That is so for every tool equally, queuelab included.
func MeasureLateness(ctx context.Context, p LatenessPlan) ([]Lateness, error) {
	return nil, errUnwritten
}

var errUnwritten = errors.New("not written yet")
