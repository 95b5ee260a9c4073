package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"queuelab/measure/record"
	"queuelab/measure/stats"
)

// doubts says in a sentence each what makes the runs of two trials, or what they
// show, doubtful.
func doubts(a, b *record.Run, c *Comparison) []string {
	out := []string{}
	for _, side := range []struct {
		name  string
		trial *record.Run
	}{{"A", a}, {"B", b}} {
		out = append(out, doubtsOf(side.name, side.trial)...)
	}
	for _, line := range []string{copied("A", a), copied("B", b), schedules(a, b), speeds(a, b), rounded(runsOf(a), runsOf(b)), failures(a, b, c)} {
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}

// copied says that all runs of a trial are one simulation; "" when they are not.
func copied(name string, trial *record.Run) string {
	if !copies(trial) {
		return ""
	}
	return fmt.Sprintf("the %s of %s are one simulation, of seed %d, and count as one", count(len(trial.Reps), "run"), name, trial.Reps[0].Seed)
}

// schedules says that open loops repeat one schedule each, and not the same; "" when
// they do not.
func schedules(a, b *record.Run) string {
	seedA, oneA := seedOf(a)
	seedB, oneB := seedOf(b)
	if !oneA || !oneB || seedA == seedB || copies(a) || copies(b) || !offered(a.Reps) || !offered(b.Reps) {
		return ""
	}
	return fmt.Sprintf("all runs of A have the seed %d and all of B the seed %d: each repeats one schedule, whose difference counts as the servers'", seedA, seedB)
}

// seedOf is the seed of several runs that have one.
func seedOf(trial *record.Run) (seed uint64, one bool) {
	if len(trial.Reps) < 2 {
		return 0, false
	}
	seed = trial.Reps[0].Seed
	return seed, !slices.ContainsFunc(trial.Reps, func(r *record.Run) bool { return r.Seed != seed })
}

// mostSpeed is how far apart the machine's speed around two trials may be on a
// machine that counts as steady.
const mostSpeed = 0.05

// speeds says that the machine was slower around one of the trials; "" when it was
// not, or nobody knows.
func speeds(a, b *record.Run) string {
	workA, workB := work(a), work(b)
	if !(math.Abs(workB/workA-1) > mostSpeed) {
		return ""
	}
	slow, factor := "B", workB/workA
	if factor < 1 {
		slow, factor = "A", 1/factor
	}
	return fmt.Sprintf("the machine was slower around %s's runs, where a fixed piece of work took %s %% longer: the difference may be the machine's; commands that take turns (-a, -b) share its moods", slow, percent(factor-1))
}

// work is the median time of the fixed piece of work around a trial's runs, NaN when
// it was not timed.
func work(trial *record.Run) float64 {
	var times []float64
	for _, r := range runsOf(trial) {
		if r.Header == nil {
			continue
		}
		for _, v := range []record.Value{r.Header.SpeedBefore, r.Header.SpeedAfter} {
			if v.Known() && v > 0 {
				times = append(times, float64(v))
			}
		}
	}
	return stats.Median(times)
}

// rounded says that runs were read from summary lines.
func rounded(a, b []*record.Run) string {
	if !slices.ContainsFunc(slices.Concat(a, b), func(r *record.Run) bool { return r.Rounded }) {
		return ""
	}
	return "summary lines round to 1/s and 0.01 ms: intervals and smallest differences allow for it"
}

// doubtsOf are those of one trial.
func doubtsOf(name string, trial *record.Run) []string {
	var out []string
	cut := trial.Interrupted
	for i, r := range runsOf(trial) {
		which := name
		if len(trial.Reps) > 0 {
			which = fmt.Sprintf("run %d of %s", i+1, name)
		}
		if r.Interrupted {
			cut = false
			out = append(out, which+" was interrupted: its figures cover what was measured until then")
		}
		if r.Stable != nil && !*r.Stable {
			out = append(out, which+" has no steady state: its figures depend on how long it was")
		}
		if r.Validity != nil && r.Validity.Verdict != "VALID" {
			out = append(out, fmt.Sprintf("%s is %s: %s", which, r.Validity.Verdict, strings.Join(r.Validity.Reasons, "; ")))
		}
	}
	if cut {
		out = append(out, name+" was interrupted before all its runs were taken")
	}
	if trial.Trial != nil {
		for _, warning := range trial.Trial.Warnings {
			out = append(out, name+": "+warning)
		}
	}
	return out
}

// failures says that A and B fail in different shares of their requests, and that
// to be faster by failing is no gain; "" when they fail alike.
func failures(a, b *record.Run, c *Comparison) string {
	failedA, failedB := failedShare(a), failedShare(b)
	if failedA == failedB {
		return ""
	}
	out := fmt.Sprintf("not answered: A %s, B %s; no latency counts what was not answered", unanswered(a), unanswered(b))
	worse, gain := "A", Slower
	if failedB > failedA {
		worse, gain = "B", Faster
	}
	for _, q := range c.Quantities {
		if q.Verdict == gain {
			return out + fmt.Sprintf(", so that %s, which fails more, is no better for being faster", worse)
		}
	}
	return out
}

// failedShare is the share of a trial's requests that were not answered.
func failedShare(trial *record.Run) float64 {
	n := trial.Requests
	if n.Scheduled == 0 {
		return 0
	}
	return float64(n.Scheduled-n.Answered) / float64(n.Scheduled)
}

func unanswered(trial *record.Run) string {
	n := trial.Requests
	return fmt.Sprintf("%d of %d requests (%s %%)", n.Scheduled-n.Answered, n.Scheduled, percent(failedShare(trial)))
}
