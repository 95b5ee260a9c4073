package reports

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Override is one number of a study's trials that is set from outside.
type Override struct {
	Key    string // RepsKey, LengthKey or ClientsKey
	Text   string // as it was written
	Source string // who says so, such as "REPS" or "-reps"
}

// What can be set from outside.
const (
	RepsKey    = "reps"    // runs of a trial
	LengthKey  = "length"  // of a run: a duration, or a number of seconds
	ClientsKey = "clients" // closed clients
)

// Overrides change the trials of a study; what is 0 is as the study says.
type Overrides struct {
	Reps    int
	Length  time.Duration
	Clients int
	// Words say what is set and who says so.
	Words []string
}

// ReadOverrides reads what is set from outside, in bounds that a study keeps too.
// An error names the source.
func ReadOverrides(list []Override) (Overrides, error) {
	var all Overrides
	for _, o := range list {
		var err error
		what := ""
		switch o.Key {
		case RepsKey:
			all.Reps, err = o.whole(minTrialRuns, maxReps, "5")
			what = fmt.Sprintf("%d runs", all.Reps)
		case LengthKey:
			all.Length, err = o.duration()
			what = "runs of " + span(all.Length)
		case ClientsKey:
			all.Clients, err = o.whole(1, maxClients, "50")
			what = plural(all.Clients, "client")
		default:
			err = fmt.Errorf("a trial has no %q that could be set", o.Key)
		}
		if err != nil {
			return Overrides{}, err
		}
		all.Words = append(all.Words, fmt.Sprintf("%s (%s)", what, o.Source))
	}
	return all, nil
}

func (o Override) whole(lo, hi int, example string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(o.Text))
	if err != nil || n < lo || n > hi {
		return 0, fmt.Errorf("%s is %s: write a whole number from %d to %d, such as %s", o.Source, shown(o.Text), lo, hi, example)
	}
	return n, nil
}

func (o Override) duration() (time.Duration, error) {
	text := strings.TrimSpace(o.Text)
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		text += "s"
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < minRun || d > maxRun {
		return 0, fmt.Errorf("%s is %s: write a duration from %s to %s, such as 10s, or a number of seconds", o.Source, shown(o.Text), spellDuration(minRun), spellDuration(maxRun))
	}
	return d, nil
}

// trialReps is how many runs the report's trials have.
func (r *runner) trialReps() int {
	if n := r.Overrides.Reps; n > 0 {
		return n
	}
	return r.profile.Reps
}

// trialLength is how long they are.
func (r *runner) trialLength() time.Duration {
	if d := r.Overrides.Length; d > 0 {
		return d
	}
	return r.profile.Trial
}

// trialClients is how many clients a trial has.
func (r *runner) trialClients(e Experiment) int {
	if n := r.Overrides.Clients; n > 0 {
		return n
	}
	return e.Clients[0]
}
