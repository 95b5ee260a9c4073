package reports

import (
	"math"
	"slices"

	"queuelab/measure/peer"
	"queuelab/measure/record"
)

// PeersResult is what the load generators that were compared gave.
type PeersResult struct {
	Tools    []ToolResult      `json:"tools"`
	Missing  []MissingResult   `json:"missing,omitempty"`
	Costs    []*CostResult     `json:"costs,omitempty"`    // of kinds cost and queries
	Lateness []*LatenessResult `json:"lateness,omitempty"` // one for each rate
}

// ToolResult is a load generator that was found.
type ToolResult struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Path    string `json:"path"`
}

// MissingResult is one that was not, and how to install it.
type MissingResult struct {
	Name    string `json:"name"`
	Install string `json:"install"`
}

// CostResult is every run of an experiment of kind cost or queries.
type CostResult struct {
	Title   string       `json:"title"`
	Kind    string       `json:"kind"`
	Clients int          `json:"clients"`
	Seconds float64      `json:"seconds"` // of a run
	Runs    []CostRun    `json:"runs"`    // in the order taken
	Work    steadiness   `json:"fixed_work_ms"`
	Goals   []GoalResult `json:"goals,omitempty"`
}

// CostRun is one run of one tool.
type CostRun struct {
	Tool     string       `json:"tool"`
	Run      int          `json:"run"` // from 1
	Requests int64        `json:"answered"`
	Elapsed  record.Value `json:"elapsed_s"`
	User     record.Value `json:"user_s"`
	System   record.Value `json:"system_s"`
}

// LatenessResult is every run of an experiment of kind lateness at one rate.
type LatenessResult struct {
	Title   string        `json:"title"`
	Rate    float64       `json:"rate_per_s"`
	Seconds float64       `json:"seconds"`
	Runs    []LatenessRun `json:"runs"`
	Work    steadiness    `json:"fixed_work_ms"`
	Goals   []GoalResult  `json:"goals,omitempty"`
}

// LatenessRun is one run of one tool. Its quantiles are saved with the figure.
type LatenessRun struct {
	Tool     string       `json:"tool"`
	Run      int          `json:"run"` // from 1
	Requests int64        `json:"received"`
	Offered  record.Value `json:"offered_per_s"`
	SCV      record.Value `json:"gap_scv"`
	P50      record.Value `json:"p50_us"`
	P90      record.Value `json:"p90_us"`
	P99      record.Value `json:"p99_us"`
	Max      record.Value `json:"max_us"`
	Sorted   []float64    `json:"-"` // quantiles in µs, at 1/n to 1
}

func costRuns(costs []peer.Cost) (runs []CostRun) {
	for _, c := range costs {
		runs = append(runs, CostRun{c.Tool, c.Run, c.Requests, record.Value(c.Elapsed), record.Value(c.User), record.Value(c.System)})
	}
	return runs
}

func latenessRuns(all []peer.Lateness) (runs []LatenessRun) {
	for _, l := range all {
		v := func(x float64) record.Value { return record.Value(x) }
		runs = append(runs, LatenessRun{l.Tool, l.Run, l.Requests, v(l.Offered), v(l.SCV), v(l.P50), v(l.P90), v(l.P99), v(l.Max), l.Sorted})
	}
	return runs
}

// cost is the CPU time of a request in µs.
func (r CostRun) cost() record.Value { return (r.User + r.System) / record.Value(r.Requests) * 1e6 }

// rate is how many requests were answered each second.
func (r CostRun) rate() record.Value { return record.Value(r.Requests) / r.Elapsed }

// of is one figure of every run of a tool, in the order taken.
func (c *CostResult) of(tool string, figure func(CostRun) record.Value) (values []record.Value) {
	for _, r := range c.Runs {
		if r.Tool == tool {
			values = append(values, figure(r))
		}
	}
	return values
}

// compared is the figure that the kind compares.
func (c *CostResult) compared(r CostRun) record.Value {
	if c.Kind == QueriesKind {
		return r.rate()
	}
	return r.cost()
}

// median is the median over a tool's runs, unknown without any.
func (c *CostResult) median(tool string, figure func(CostRun) record.Value) record.Value {
	return record.Value(median(finite(c.of(tool, figure))))
}

// tools are those that were run, the best first.
func (c *CostResult) tools() []string {
	var names []string
	for _, r := range c.Runs {
		if !slices.Contains(names, r.Tool) {
			names = append(names, r.Tool)
		}
	}
	return ranked(names, func(tool string) record.Value {
		if c.Kind == QueriesKind {
			return -c.median(tool, c.compared)
		}
		return c.median(tool, c.compared)
	})
}

// of is one figure of every run of a tool, in the order taken.
func (l *LatenessResult) of(tool string, figure func(LatenessRun) record.Value) (values []record.Value) {
	for _, r := range l.Runs {
		if r.Tool == tool {
			values = append(values, figure(r))
		}
	}
	return values
}

// median is the median over a tool's runs, unknown without any.
func (l *LatenessResult) median(tool string, figure func(LatenessRun) record.Value) record.Value {
	return record.Value(median(finite(l.of(tool, figure))))
}

// largest is the largest over a tool's runs, unknown without any.
func (l *LatenessResult) largest(tool string, figure func(LatenessRun) record.Value) record.Value {
	values := finite(l.of(tool, figure))
	if len(values) == 0 {
		return record.Unknown()
	}
	return record.Value(values[len(values)-1])
}

// tools are those that were run, the most punctual first.
func (l *LatenessResult) tools() []string {
	var names []string
	for _, r := range l.Runs {
		if !slices.Contains(names, r.Tool) {
			names = append(names, r.Tool)
		}
	}
	return ranked(names, func(tool string) record.Value { return l.median(tool, lateP50) })
}

func lateP50(r LatenessRun) record.Value { return r.P50 }
func lateP99(r LatenessRun) record.Value { return r.P99 }
func lateMax(r LatenessRun) record.Value { return r.Max }
func offered(r LatenessRun) record.Value { return r.Offered }
func gapSCV(r LatenessRun) record.Value  { return r.SCV }

// rateError is how far the offered rate is off the one that was asked for, as a
// fraction.
func (l *LatenessResult) rateError(r LatenessRun) record.Value {
	return record.Value(math.Abs(float64(r.Offered)/l.Rate - 1))
}

// ranked sorts names by what is least; the unknown come last.
func ranked(names []string, by func(string) record.Value) []string {
	slices.SortStableFunc(names, func(a, b string) int {
		x, y := by(a), by(b)
		switch {
		case !x.Known() && !y.Known():
			return 0
		case !y.Known() || x < y:
			return -1
		case !x.Known() || x > y:
			return 1
		}
		return 0
	})
	return names
}
