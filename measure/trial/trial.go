// Package trial takes the same run several times, as a procedure that anyone can
// repeat and that says how far its own numbers move: a warm-up that is thrown away
// and drained, then the runs, with pauses in which closed connections give up their
// local ports. The run is the sample, not the request: a trial quotes medians over
// its runs, their spread, and an interval of the median.
package trial

import (
	"context"

	"queuelab/measure"
	"queuelab/measure/record"
	"time"
)

// Plan is one trial to be taken.
type Plan struct {
	Name string // what its files call it
	// Run is what each run does. Its Warmup comes once, before the first run, on
	// connections of its own; each run opens connections of its own too, so that
	// what depends on them varies from run to run. The seed of the first run is the
	// workload's, later ones are derived from it.
	Run    measure.Plan
	Reps   int           // runs, at least 2
	Pause  time.Duration // the longest wait for free local ports before a run
	Folder *Folder       // where it is kept; nil for nowhere
	Watch  func(Step)    // told of what begins; may be nil
}

// Step is what a trial does next.
type Step struct {
	What   string        // "warm-up", "pause", "run 2 of 5"
	Length time.Duration // how long it takes, at most for a pause
}

// Folder is a trial's folder under way: run.json with the medians and every run,
// trial.txt to read, benchmarks.txt in Go's benchmark format, and in runs/ a run
// folder for each run.
type Folder struct{}

// CreateFolder begins the folder dir, which must not exist yet or be empty; raw
// says whether the run folders hold a record of every request.
func CreateFolder(dir string, raw bool) (*Folder, error) { panic("to be written") }

// Commit writes what the runs say together and gives the folder its name.
func (f *Folder) Commit(t *record.Run) error { panic("to be written") }

// Take takes a trial: a run that holds medians over runs, with every run in Reps
// and what they say together in Trial.
func Take(ctx context.Context, p Plan) (*record.Run, error) { panic("to be written") }
