// Package reports turns a study file into a finished report: it reads the
// study, runs what it asks for, and writes the page with its figures, tables
// and data.
package reports

import (
	"time"

	"queuelab/measure/law"
	"queuelab/measure/workload"
)

// Study is what a study file asks for: which systems are put under which
// loads, and how far a prediction may be off.
type Study struct {
	// Name is the study's short name, of [a-z0-9-]; it names the report folder.
	Name string
	// Title and Question head the report.
	Title, Question string
	// Margin is how far observed and predicted may differ and still agree, as
	// a fraction: 0.1 for "10%". It is fixed here, before anything is measured.
	Margin float64
	// Seed is the seed that every schedule of the report is drawn from.
	Seed uint64
	// Targets are the systems under test: at least one, unless every experiment
	// compares load generators.
	Targets []Target
	// Experiments are done in this order, each on its targets.
	Experiments []Experiment
	// Profiles are the durations and repetitions to choose from, by name.
	Profiles map[string]Profile
	// Hash is the SHA-256 of the study file's bytes, in hexadecimal.
	Hash string
}

// Target is one system under test. Exactly one of Lab, Serve and Driver is set.
type Target struct {
	// Name stands in figures and tables; no two targets share it.
	Name string

	// Lab names a private pinned server to start: "nginx", "postgres" or
	// "shortener".
	Lab string

	// Serve is the service law of a known-answer server to start inside the
	// process, with Servers servers (at least 1); nil for other targets.
	Serve   law.Law
	Servers int

	// Driver, "http" or "postgres", says how requests reach a server that
	// already runs.
	Driver string
	// URL is where HTTP requests go; Method (GET unless the study says
	// otherwise), Body and Header ("Name: value" each) are what they carry, and
	// Expect the status codes that count as success; none means 200 to 399.
	URL, Method, Body string
	Header            []string
	Expect            []int
	// DSN is the PostgreSQL connection string, empty for the usual PG*
	// variables, and SQL the query; $1 in it is a random key.
	DSN, SQL string
	// Connections bounds the open connections; 0 leaves it to the driver.
	Connections int
}

// The kinds of experiment. Those after the first two are scenarios: a few runs
// that belong together, each of a length of its own.
const (
	// ClosedKind measures latency and throughput against the number of clients.
	ClosedKind = "closed"
	// OpenKind measures latency against offered load.
	OpenKind = "open"
	// StallKind looks at a server that stands still now and then, through a
	// closed and an open loop.
	StallKind = "stall"
	// LittleKind holds the latency of a closed loop against Little's law.
	LittleKind = "little"
	// OverloadKind shows that latency beyond the capacity depends on how long
	// the run lasts.
	OverloadKind = "overload"
	// SpacingKind compares Poisson with even arrivals at one load.
	SpacingKind = "spacing"
	// RetriesKind freezes a server whose clients send again what is not
	// answered soon.
	RetriesKind = "retries"

	// TrialKind takes the same run of several endpoints of a server several times,
	// and says how far its own numbers move. It predicts nothing.
	TrialKind = "trial"

	// [CostKind], [QueriesKind] and [LatenessKind] compare load generators.
)

// Experiment is one question put to the targets.
type Experiment struct {
	// Kind is one of the kinds above.
	Kind string
	// Title heads the experiment's section; it is never empty after Parse.
	Title string
	// Clients are the numbers of closed clients, ascending; one for a trial.
	Clients []int
	// Loads are the offered loads ρ of open runs, ascending, each a fraction of
	// the calibrated capacity between 0 and 1.5.
	Loads []float64
	// Even makes the gaps of an open experiment even instead of Poisson.
	Even bool
	// Targets names the targets that take part; after Parse it is never empty, but
	// for an experiment that compares load generators.
	Targets []string
	// Together draws all targets of an open experiment in one figure.
	Together bool

	// Lengths are those of a scenario's runs, ascending; several for an
	// overload, one for other scenarios.
	Lengths []time.Duration
	// Stall is how the server of a scenario stands still, Retry and Timeout what
	// its clients do about it.
	Stall   workload.Stall
	Retry   workload.Retry
	Timeout time.Duration
	// Endpoints are what a trial measures, in this order; Ceiling is the name of the
	// one that the others are read against, "" for none.
	Endpoints []Endpoint
	Ceiling   string
	// Published are figures of another machine to set beside a scenario's or a
	// trial's; nil for none.
	Published *Published

	// Tools are the load generators that are compared, in this order; Rates, in
	// requests/s and ascending, are those at which they are to be punctual, and
	// Goals what this one was to reach, nil for nothing.
	Tools []string
	Rates []float64
	Goals *Goals
}

// Endpoint is one request that a trial sends again and again.
type Endpoint struct {
	// Name stands in figures and tables and names the trial's folder.
	Name string
	// Path is what is asked for at the target's address, query included.
	Path string
	// Method (GET, or POST with a body) and Body go with it; Header ("Name: value"
	// each) is added to the target's, and Expect, where given, replaces the target's.
	Method, Body string
	Header       []string
	Expect       []int
	// Cleanup is SQL that deletes what the requests wrote to a server that already
	// runs, and DSN its database, empty for the usual PG* variables. A lab brings
	// its own.
	Cleanup, DSN string
}

// Published are the figures of a scenario or a trial on another machine.
type Published struct {
	// Service is that machine's service law, which its simulation is fed with; nil
	// for a trial, of which nothing is simulated.
	Service law.Law
	// Note is what a reader of them should know, in a sentence; it may be empty.
	Note string
	// Runs have the figures of each run by their names in [analysis.Figures], in
	// the order of the scenario's runs. Those of a trial have one row an endpoint,
	// by the names of its quantities, with "spread" as a fraction.
	Runs []map[string]float64
}

// Profile is how long and how often a study measures.
type Profile struct {
	// Calibrate, Closed, Open and Trial are the lengths of one calibration run, one
	// closed run, one open run and one run of a trial.
	Calibrate, Closed, Open, Trial time.Duration
	// Cost, Queries and Lateness are the lengths of one run of a load generator, in
	// whole seconds.
	Cost, Queries, Lateness time.Duration
	// Reps is how often each open run is repeated, at least once, how many runs a
	// trial has, at least two, and how many each load generator that is compared.
	Reps int
	// Warmup is the length of the traffic before each run, or once before a trial,
	// whose results are thrown away.
	Warmup time.Duration
	// Pause is the longest wait for free local ports before a run of a trial.
	Pause time.Duration
	// MaxLoad is the highest offered load this profile measures; the loads
	// above it are skipped.
	MaxLoad float64
	// Scale shortens a scenario's runs: their lengths are multiplied by it.
	Scale float64
	// ScenarioReps is how often a scenario is repeated, at least once.
	ScenarioReps int
}
