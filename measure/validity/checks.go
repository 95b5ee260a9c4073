package validity

import (
	"fmt"
	"math"

	"queuelab/measure/record"
)

// The limits, as shares.
var (
	rateLimits    = limits{0.01, 0.05} // of the requests that were due
	lagLimits     = limits{0.10, 1}    // of the median latency
	busyLimits    = limits{0.80, 0.95} // of the generator's CPUs
	machineLimits = limits{0.05, 0.20} // of the quicker speed
)

const (
	mostFailed = 0.01 // of the scheduled requests
	mostGap    = 0.01 // of the sampled number in system, beyond what sampling leaves open
	errors3    = 3    // standard errors of sampling
	edge       = 1    // request at the end of the run may be late, however few there are
	fewest     = 6    // answers that any figure takes: as many as resolve a median
	mostApart  = 0.20 // from the rate that was asked for, of sessions
)

// accounting asks whether every request was counted, and counted once. The watch has
// counted for itself, and the schedule is counted anew from its seed.
func accounting(run *record.Run, w *Watch) *finding {
	c, byClass := run.Requests, int64(0)
	for _, n := range run.Failures {
		byClass += n
	}
	wrong := ""
	switch {
	case !c.Balanced():
		wrong = fmt.Sprintf("%s were scheduled and %s have an outcome", many(c.Scheduled, "request"), grouped(c.Answered+c.Failed+c.TimedOut+c.Unfinished+c.Unsent))
	case c != w.counts:
		wrong = fmt.Sprintf("the summary counts %+v and the records %+v", c, w.counts)
	case byClass != c.Failed:
		wrong = fmt.Sprintf("%s failed, and the classes of failures hold %s", many(c.Failed, "request"), grouped(byClass))
	case w.scheduled && !run.Interrupted:
		if due, _ := w.due(math.MaxInt64); due != c.Scheduled {
			wrong = fmt.Sprintf("the schedule holds %s and the run %s", many(due, "request"), grouped(c.Scheduled))
		}
	}
	if wrong == "" {
		return nil
	}
	return invalid("the accounting is broken: %s: this is a fault of queuelab, and no figure can be trusted; please report it", wrong)
}

func answers(run *record.Run, _ *Watch) *finding {
	if run.Requests.Answered > 0 {
		return nil
	}
	return invalid("nothing was answered of %s: there is no latency to speak of; see the failures by class", many(run.Requests.Scheduled, "scheduled request"))
}

// enough asks whether there are answers enough for any figure.
func enough(run *record.Run, _ *Watch) *finding {
	if n := run.Requests.Answered; n > 0 && n < fewest {
		return suspect("only %s answered, and a median takes %d: so few show nothing; run longer", were(n, "request"), fewest)
	}
	return nil
}

// sessions asks whether sessions offered the rate that was asked for, which they reach
// only after many of them have begun and ended.
func sessions(run *record.Run, w *Watch) *finding {
	s := run.Sending
	overloaded := run.Stable != nil && !*run.Stable // then later requests wait for late answers
	if s == nil || !w.workload.InSessions() || !s.Scheduled.Known() || overloaded {
		return nil
	}
	off := float64(s.Scheduled)/w.workload.Rate - 1
	if math.Abs(off) <= mostApart {
		return nil
	}
	return suspect("sessions offered %s requests/s where %s were asked for on average: in a run that holds few sessions their lengths make the rate a matter of chance, and one that is hardly longer than a session does not reach it; run longer, or warm up for as long as a session (-warmup)",
		number(float64(s.Scheduled)), number(w.workload.Rate))
}

// rate compares what was sent with what the seeded schedule has until the same instant:
// how many requests chance has put into it is no fault.
func rate(run *record.Run, _ *Watch) *finding {
	s := run.Sending
	if s == nil || s.Due-s.Sent <= edge && s.Sent <= s.Due {
		return nil
	}
	off := float64(s.Due-s.Sent) / float64(s.Due)
	verdict, limit := rateLimits.exceeded(math.Abs(off))
	if verdict == "" {
		return nil
	}
	few, why := "few", "it cannot keep this rate; lower -rate or give it more CPUs"
	switch {
	case off < 0:
		few, why = "many", "it did not keep to its schedule, which is a fault of queuelab; please report it"
	case s.Capped > (s.Due-s.Sent)/2:
		why = fmt.Sprintf("%s met a full house of %s in flight; lower -rate to what the server can answer", grouped(s.Capped), grouped(s.MostInFlight))
	}
	return &finding{verdict, fmt.Sprintf("the generator sent in time %s of the %s due within the run (%s too %s; %s is %s): %s",
		grouped(s.Sent), many(s.Due, "request"), percent(math.Abs(off)), few, percent(limit), verdict, why)}
}

// lag compares how late requests were sent with their latency, which contains it. A
// sample that cannot resolve the 99th percentile of the lag shows a lower one, which is
// no more than that.
func lag(run *record.Run, _ *Watch) *finding {
	median := float64(run.Observed("p50"))
	for _, key := range []string{"p99", "p90", "p50"} {
		late := run.Lag.Get(key)
		if !late.Known() {
			continue
		}
		verdict, limit := lagLimits.exceeded(float64(late) / median)
		if verdict == "" {
			return nil
		}
		share := "part"
		if verdict == record.Invalid {
			share = "most"
		}
		return &finding{verdict, fmt.Sprintf("the generator sent late: the %s of the lag is %s, %s of the median latency of %s (above %s is %s): "+share+" of a latency may be the generator's own; lower the load or leave the generator's CPUs to it",
			key, milliseconds(float64(late)), percent(float64(late)/median), milliseconds(median), percent(limit), verdict)}
	}
	return nil
}

func busy(run *record.Run, _ *Watch) *finding {
	if run.Generator == nil {
		return nil
	}
	verdict, limit := busyLimits.exceeded(float64(run.Generator.Busy))
	if verdict == "" {
		return nil
	}
	return &finding{verdict, fmt.Sprintf("the generator used %s of its %s (above %s is %s): part of what was measured is the generator itself; give it more CPUs or lower the load",
		percent(float64(run.Generator.Busy)), many(int64(run.Generator.CPUs), "CPU"), percent(limit), verdict)}
}

func capped(run *record.Run, _ *Watch) *finding {
	s := run.Sending
	if s == nil || s.Capped == 0 {
		return nil
	}
	return suspect("%s not sent, because %s were in flight, the most that the generator holds: the server did not keep up, and latencies are those of fewer requests than were due; lower -rate",
		were(s.Capped, "request"), grouped(s.MostInFlight))
}

// machine compares the speed of the machine before and after the run.
func machine(run *record.Run, _ *Watch) *finding {
	if run.Header == nil {
		return nil
	}
	before, after := float64(run.Header.SpeedBefore), float64(run.Header.SpeedAfter)
	quicker, slower := min(before, after), max(before, after)
	if !(quicker > 0) {
		return nil
	}
	verdict, limit := machineLimits.exceeded(slower/quicker - 1)
	if verdict == "" {
		return nil
	}
	return &finding{verdict, fmt.Sprintf("the machine's speed drifted by %s (above %s is %s): the same piece of work took %s before the run and %s after it: other work, a hypervisor or the clock rate of the CPU changed it; run again on a quiet machine",
		percent(slower/quicker-1), percent(limit), verdict, milliseconds(before), milliseconds(after))}
}

// little compares both sides of Little's law.
func little(run *record.Run, _ *Watch) *finding {
	l := run.Little
	if !l.Gap.Known() {
		return nil
	}
	allowed := mostGap
	if l.Error.Known() {
		allowed += errors3 * float64(l.Error)
	}
	if !(math.Abs(float64(l.Gap)) > allowed) {
		return nil
	}
	return suspect("Little's law does not hold: %s requests were in system by sampling, and throughput times latency is %s (%s apart; %s is allowed): either the records or the samples miss something, as they do when the generator is short of CPU",
		number(float64(l.Sampled)), number(float64(l.XW)), percent(math.Abs(float64(l.Gap))), percent(allowed))
}

func serverCount(run *record.Run, _ *Watch) *finding {
	c := run.ServerCount
	if c == nil || c.Agrees() {
		return nil
	}
	expected := grouped(c.Most)
	if c.Least < c.Most {
		expected = grouped(c.Least) + " to " + expected
	}
	return suspect("%s counted %s where %s were sent: somebody else uses the server, or requests were lost or repeated on the way",
		c.Source, many(c.Counted, "request"), expected)
}

func failures(run *record.Run, _ *Watch) *finding {
	c := run.Requests
	failed := c.Scheduled - c.Answered
	if run.Interrupted { // which cut off the rest
		failed -= c.Unfinished + c.Unsent
	}
	if c.Answered == 0 { // said already
		return nil
	}
	if !(float64(failed) > mostFailed*float64(c.Scheduled)) {
		return nil
	}
	return suspect("%s of %s without an answer (%s; the limit is %s): the latencies are those of the rest, which may have been served because others were not",
		grouped(failed), many(c.Scheduled, "scheduled request"), percent(float64(failed)/float64(c.Scheduled)), percent(mostFailed))
}

func connections(run *record.Run, _ *Watch) *finding {
	lost := run.Connections["lost"]
	if lost <= 0 {
		return nil
	}
	return suspect("%s lost: the server closed without announcing it; requests on them failed or paid for a new connection", were(lost, "connection"))
}

func interruption(run *record.Run, _ *Watch) *finding {
	if !run.Interrupted {
		return nil
	}
	return suspect("interrupted: the figures cover what was measured until then")
}

// were writes a count with its noun and verb.
func were(n int64, noun string) string {
	if n == 1 {
		return many(n, noun) + " was"
	}
	return many(n, noun) + " were"
}
