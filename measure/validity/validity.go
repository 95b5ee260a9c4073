// Package validity judges whether a measured run can be believed: VALID, SUSPECT or
// INVALID, with a reason in a sentence for each check that the run did not pass.
package validity

import "queuelab/measure/record"

// finding is what a check has against a run.
type finding struct {
	verdict string // Suspect or Invalid
	reason  string
}

// check looks at one side of a run; it finds at most one thing. What is not known
// about a run speaks neither for nor against it.
type check func(*record.Run, *Watch) *finding

// checks stand in the order in which their reasons are given, of those that weigh
// alike: whether there are figures at all, whether they are of the load that was asked
// for, whether they can stand for the server, and what happened meanwhile.
var checks = []check{
	accounting, answers, enough,
	rate, lag, busy, capped, arrivals,
	machine, steadiness, sessions, little, serverCount,
	failures, connections, interruption,
}

// Judge returns the verdict on a finished measured run, of whose requests w has seen
// every one. It reads Requests, Failures, Latency and NearestRank, Lag, Little,
// Sending, Generator, ServerCount, Connections, Interrupted and the header's speeds,
// each as far as it is known. Of an overloaded run it also sets Growth and Stable.
func Judge(run *record.Run, w *Watch) *record.Validity {
	var found []finding
	for _, check := range checks {
		if f := check(run, w); f != nil {
			found = append(found, *f)
		}
	}
	out := &record.Validity{Verdict: record.Valid, Reasons: []string{}}
	for _, verdict := range []string{record.Invalid, record.Suspect} {
		for _, f := range found {
			if f.verdict == verdict {
				out.Verdict = record.Worst(out.Verdict, verdict)
				out.Reasons = append(out.Reasons, f.reason)
			}
		}
	}
	return out
}
