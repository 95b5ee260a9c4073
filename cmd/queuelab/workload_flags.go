package main

import (
	"flag"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/workload"
)

// longestSchedule bounds -seconds: 31 years, which the clock's nanoseconds hold.
const longestSchedule = 1e9

// workloadFlags are the flags that say what is offered.
type workloadFlags struct {
	set      *flag.FlagSet
	open     bool
	closed   bool
	rate     float64
	clients  int
	seconds  float64
	requests int64
	think    string
	service  string
	even     bool
	arrivals string
	session  float64
	timeout  time.Duration
	retry    time.Duration
	copies   int
	stall    string
	drain    time.Duration
	warmup   time.Duration
	seed     uint64
}

func addWorkloadFlags(f *flag.FlagSet) *workloadFlags {
	w := &workloadFlags{set: f}
	f.BoolVar(&w.open, "open", false, "open loop: requests arrive at -rate whatever the server does, or, with -session, sessions of them do")
	f.BoolVar(&w.closed, "closed", false, "closed loop: -clients each wait for their answer")
	f.Float64Var(&w.rate, "rate", 0, "open: requests per second; the mean number of requests, not sessions, with -session too")
	f.IntVar(&w.clients, "clients", 0, "closed: number of clients N; one whose request failed pauses 10ms before its next")
	f.Int64Var(&w.requests, "requests", 0, "number of requests; alone it lifts the time limit")
	f.BoolVar(&w.even, "even", false, "open: every inter-arrival gap exactly 1/rate instead of Poisson arrivals")
	f.StringVar(&w.arrivals, "arrivals", "poisson", "open: "+workload.ArrivalSpellings+"; a trace has instants and gaps have gaps, one a line, in seconds or as 12ms; they are sent as recorded without -rate, and without -seconds or -requests to their end")
	f.Float64Var(&w.session, "session", 0, "partly open: sessions arrive openly, at -rate over `N`, with N requests each on average that wait for one another, -think apart")
	f.StringVar(&w.stall, "stall", "", "make the server stand still for LENGTH at the end of every PERIOD: `[KIND:]LENGTH/PERIOD` such as 2s/12s, freeze:2s/12s or lock:500ms/5.5s (bench: needs -lab)")
	addRunFlags(f, w, 30)
	return w
}

// addRunFlags adds those that a sweep has too; seconds is the default length.
func addRunFlags(f *flag.FlagSet, w *workloadFlags, seconds float64) {
	f.Float64Var(&w.seconds, "seconds", seconds, "length of the schedule in seconds")
	f.StringVar(&w.think, "think", "", "closed, or open with -session: law of the think time from an answer to the next request, such as exp:20ms")
	f.DurationVar(&w.timeout, "timeout", 0, "give each copy of a request up so long after its sending; the first to expire ends the request")
	f.DurationVar(&w.retry, "retry", 0, "send a request again after each such time without an answer; the first answer counts")
	f.IntVar(&w.copies, "copies", workload.DefaultCopies, "with -retry: copies of a request in all, the first included")
	f.DurationVar(&w.drain, "drain", 0, "wait this long for open requests at the end (default: the larger of 10s and twice -seconds)")
}

// workload reads the flags; it is to be called after parsing.
func (w *workloadFlags) workload() (*workload.Workload, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	set := given(w.set)
	out := &workload.Workload{
		Open: w.open, Rate: w.rate, Clients: w.clients,
		Length:   workload.Nanoseconds(w.seconds),
		Requests: w.requests, Timeout: w.timeout, Seed: w.seed, PerSession: w.session,
	}
	if set["requests"] && !set["seconds"] {
		out.Length = 0
	}
	if err := w.arrive(out); err != nil {
		return nil, err
	}
	out.Drain = workload.DefaultDrain(out.Length)
	if set["drain"] {
		out.Drain = w.drain
	}
	if set["retry"] {
		out.Retry = workload.Retry{After: w.retry, Copies: w.copies}
	}
	var err error
	if set["stall"] {
		if out.Stall, err = workload.ParseStall(w.stall); err != nil {
			return nil, usageError{err}
		}
	}
	if out.Think, err = optionalLaw(w.think); err != nil {
		return nil, err
	}
	if out.Service, err = optionalLaw(w.service); err != nil {
		return nil, err
	}
	if err := out.Validate(); err != nil {
		return nil, usageError{err}
	}
	return out, nil
}

// arrive reads the arrivals, and what they settle of the rate and the length.
func (w *workloadFlags) arrive(out *workload.Workload) (err error) {
	set := given(w.set)
	switch {
	case w.even && set["arrivals"] && w.arrivals != workload.Even.String():
		return usagef("-even contradicts -arrivals %s: leave one of them out", w.arrivals)
	case w.even:
		out.Arrivals = workload.Even
	case set["arrivals"]:
		if out.Arrivals, err = workload.ParseArrivals(w.arrivals); err != nil {
			return usageError{err}
		}
	}
	recorded := out.Arrivals.Recorded()
	switch {
	case w.open && !set["rate"] && !recorded:
		return usagef("-open needs -rate, in requests per second")
	case w.open && set["rate"] && !(w.rate > 0):
		return usagef("-rate is %g: it must be above zero", w.rate)
	case w.open && recorded:
		if !set["seconds"] {
			out.Length = 0
		}
		out.SetRecorded()
	}
	return nil
}

// check refuses flags that are missing or out of range.
func (w *workloadFlags) check() error {
	set := given(w.set)
	switch {
	case w.open == w.closed:
		return usagef("exactly one of -open and -closed is needed")
	case w.closed && set["arrivals"]:
		return usagef("a closed workload has no arrival law: leave -arrivals out, or use -open")
	case set["session"] && w.session == 0:
		return usagef("-session is 0: it must be at least 1, the mean number of requests in a session")
	case w.closed && !set["clients"] && w.clients == 0:
		return usagef("-closed needs -clients")
	case !(w.seconds > 0) || w.seconds > longestSchedule:
		return usagef("-seconds is %g: it must be above zero and at most %g", w.seconds, longestSchedule)
	case workload.Nanoseconds(w.seconds) < 1:
		return usagef("-seconds is %g: the clock counts nanoseconds, so it must be at least 1e-9", w.seconds)
	case set["requests"] && w.requests < 1:
		return usagef("-requests is %d: it must be at least 1", w.requests)
	case set["copies"] && !set["retry"]:
		return usagef("-copies is how many copies -retry may send: give -retry too, such as -retry 200ms, or leave -copies out")
	case set["timeout"] && w.timeout <= 0 || set["drain"] && w.drain < 0 || w.warmup < 0:
		return usagef("-timeout must be above zero; -drain and -warmup must not be below it")
	}
	return nil
}

// optionalLaw reads a law, nil for an empty text.
func optionalLaw(text string) (law.Law, error) {
	if text == "" {
		return nil, nil
	}
	l, err := law.Parse(text)
	if err != nil {
		return nil, usageError{err}
	}
	return l, nil
}
