package record

import "time"

// Sink receives every finished request, one at a time.
type Sink interface {
	Add(r *Request)
}

// Collector turns finished requests into a summary. It is not safe for
// concurrent use: workers batch their requests and one goroutine adds them.
type Collector struct {
	source   string
	counts   Counts
	failures *failures     // requests that were sent and not answered, by class
	origin   time.Duration // rates and lengths count from here
	last     time.Duration // instant of the last answer
	lastEnd  time.Duration // instant of the last end, whatever the outcome
	inSystem float64       // ns that all requests spent in the system, whatever the outcome
	latency  *Histogram    // answered requests only
	course   *course       // of the latencies, by their schedule
	wait     *Histogram    // simulated runs only
	service  *Histogram    // simulated runs only
	client   *Histogram    // measured runs only
	pool     *Histogram    // measured runs only
	lag      *Histogram    // measured runs only, every sent request
	failed   *Histogram    // how long failures and timeouts lasted
	sinks    []Sink
}

// NewCollector returns a collector for runs of one source, Measured or
// Simulated, that passes every request on to the sinks.
func NewCollector(source string, sinks ...Sink) *Collector {
	c := &Collector{
		source:   source,
		failures: newFailures(),
		latency:  NewHistogram(),
		course:   newCourse(0),
		failed:   NewHistogram(),
		sinks:    sinks,
	}
	if source == Simulated {
		c.wait, c.service = NewHistogram(), NewHistogram()
	} else {
		c.client, c.pool, c.lag = NewHistogram(), NewHistogram(), NewHistogram()
	}
	return c
}

// From makes rates and lengths count from an instant: the end of a warm-up whose
// requests the caller leaves out.
func (c *Collector) From(origin time.Duration) { c.origin = origin }

// Period tells, before the first request, the period of what the server is made to do
// again and again, such as its stalls.
func (c *Collector) Period(period time.Duration) { c.course = newCourse(period) }

// Touch makes ready for a run on the wall clock, which what the first requests cost the
// collector would disturb.
func (c *Collector) Touch() {
	for _, h := range []*Histogram{c.latency, c.client, c.pool, c.lag} {
		h.touch()
	}
}

// window is the length that rates are over, in seconds; 0 when there is none.
func (c *Collector) window() float64 { return max(c.last-c.origin, 0).Seconds() }

// Add counts one finished request.
func (c *Collector) Add(r *Request) {
	c.counts.Scheduled++
	c.counts.Copies += int64(r.Copies)
	c.lastEnd = max(c.lastEnd, r.Ended)
	c.inSystem += float64(r.inSystem())
	if c.lag != nil && r.Outcome != Unsent {
		c.lag.Add(r.Lag())
	}
	switch r.Outcome {
	case Answered:
		c.answered(r)
	case Failed:
		c.counts.Failed++
		c.failures.add(r)
		c.failed.Add(r.ClientSeen())
	case TimedOut:
		c.counts.TimedOut++
		c.failures.add(r)
		c.failed.Add(r.ClientSeen())
	case Unfinished:
		c.counts.Unfinished++
		c.failures.add(r)
	default:
		c.counts.Unsent++
	}
	for _, s := range c.sinks {
		s.Add(r)
	}
}

func (c *Collector) answered(r *Request) {
	c.counts.Answered++
	c.last = max(c.last, r.Ended)
	c.latency.Add(r.Latency())
	c.course.add(r.Scheduled-c.origin, r.Latency())
	if c.wait != nil {
		c.wait.Add(r.Wait)
		c.service.Add(r.Service)
		return
	}
	c.client.Add(r.ClientSeen())
	c.pool.Add(r.Pool)
}

// Counts are the counts so far.
func (c *Collector) Counts() Counts { return c.counts }

// Latency is the histogram of answered requests; it must not be changed.
func (c *Collector) Latency() *Histogram { return c.latency }

// Run returns the summary of what was collected. The caller adds what only it
// knows: the workload, the target or model, Little's sampled side, the header.
func (c *Collector) Run() *Run {
	run := NewRun(c.source)
	run.Requests = c.counts
	run.Failures, run.FailedTimes = c.failures.counts(), c.failures.times()
	run.Overflow = c.latency.Overflow()
	run.Effective = c.effective()
	run.NearestRank = summarise(c.latency, nil)
	run.Latency, run.Wait, run.Client = summarise(c.latency, run.Effective), summarise(c.wait, run.Effective), summarise(c.client, run.Effective)
	run.Service, run.Pool, run.Lag, run.Failed = summarise(c.service, nil), summarise(c.pool, nil), summarise(c.lag, nil), summarise(c.failed, nil)
	if window := c.window(); window > 0 {
		run.Elapsed = Value(window)
		run.Throughput = Value(float64(c.counts.Answered) / window)
	}
	if length := c.lastEnd - c.origin; length > 0 {
		run.Little.XW = Value(c.inSystem / float64(length))
	}
	run.Line = c.line().String()
	return run
}

// SetSampled completes both sides of Little's law with the mean number in
// system that was sampled during the run.
func (run *Run) SetSampled(inSystem float64) {
	run.Little.Sampled = Value(inSystem)
	run.InSystem = Value(inSystem)
	if inSystem > 0 {
		run.Little.Gap = Value(float64(run.Little.XW)/inSystem - 1)
	}
}
