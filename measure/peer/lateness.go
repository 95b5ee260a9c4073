package peer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"queuelab/measure/lab"
	"queuelab/measure/lab/witness"
)

// LatenessPlan says which tools are compared by their punctuality, and how.
type LatenessPlan struct {
	Tools  []Tool
	Rate   float64       // requests a second, a whole number, with even gaps
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
	Requests           int64   // that were received
	Offered            float64 // requests a second: (n-1)/(last-first)
	SCV                float64 // of the gaps
	P50, P90, P99, Max float64 // µs after the instant of the even schedule that fits best
	// Sorted are at most 512 quantiles of the lateness in µs, at 1/512 to 1, for an
	// empirical distribution function.
	Sorted []float64
}

// MeasureLateness measures how late each tool sends against an even schedule at the
// plan's rate: open loops, in turn, against a server that answers at once, on one CPU
// and the tool on the others, and that keeps the kernel's receive time stamp of each
// request.
//
// With the stamps sorted, the k-th (from 0) is due at t0+k/rate. No tool tells t0: it is
// fitted as the latest at which no request is early, the least of all stamps less their
// k/rate. That is so for every tool equally, queuelab included. What a tool leaves out
// makes the later ones late.
//
// Tools that cannot keep an even schedule (wrk, ab, pgbench) are an error. Hey has a
// rate for each worker only: it runs with ten workers at a tenth of the rate. With an
// error come the runs that had ended before it.
func MeasureLateness(ctx context.Context, p LatenessPlan) (all []Lateness, err error) {
	order, err := turns(p.Tools, p.Runs, func(k kind) bool { return k.even != nil }, "send on an even schedule of its own")
	if err != nil {
		return nil, err
	}
	asked, err := p.ask()
	if err != nil {
		return nil, err
	}
	server, err := witness.Start(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	asked.url = server.URL()
	// The tools inherit the CPUs of this process.
	restore, err := lab.KeepOff(server.CPU())
	if err != nil {
		return nil, err
	}
	defer restore()
	what := fmt.Sprintf("lateness at %d/s", asked.rate)
	err = each(ctx, order, p.Watch, what, func(ctx context.Context, t turn) error {
		one, err := t.lateness(ctx, server, asked, p.Length)
		if err != nil {
			return err
		}
		all = append(all, one)
		return nil
	})
	return all, err
}

// ask is what the plan asks of every tool.
func (p LatenessPlan) ask() (open, error) {
	length, err := wholeSeconds(p.Length)
	if err != nil {
		return open{}, err
	}
	if !(p.Rate >= 1 && p.Rate <= 1e6) || p.Rate != math.Trunc(p.Rate) {
		return open{}, fmt.Errorf("a rate of %g cannot be asked of all load generators: give a whole number of requests a second, from 1 to 1000000", p.Rate)
	}
	return open{rate: int(p.Rate), seconds: length}, nil
}

// lateness runs one turn and judges it.
func (t turn) lateness(ctx context.Context, server *witness.Server, asked open, length time.Duration) (Lateness, error) {
	if err := server.Reset(ctx); err != nil {
		return Lateness{}, err
	}
	if _, err := t.tool.run(ctx, t.kind, t.kind.even(asked), length); err != nil {
		return Lateness{}, err
	}
	stamps, err := server.Stamps(ctx)
	if err != nil {
		return Lateness{}, err
	}
	l, err := judge(stamps, float64(asked.rate))
	if err != nil {
		return Lateness{}, fmt.Errorf("judge the requests of %s: %w", t.tool.Name, err)
	}
	l.Tool, l.Run = t.tool.Name, t.run
	return l, nil
}
