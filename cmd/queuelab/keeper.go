package main

import (
	"time"

	"queuelab/measure/record"
	"queuelab/measure/trial"
)

// keeper keeps a run or a trial in the folder that -out names, and an interrupted
// one even without it.
type keeper struct {
	dir       string            // as given to -out; "" without
	trial     *trial.Folder     // nil for a single run
	folder    *record.Folder    // nil for a trial, and without -out
	intervals *record.Intervals // what an interrupted run is kept with; nil until sinks asks for it
}

// begin prepares to keep a run, or a trial.
func (o *outputFlags) begin(repeated bool) (*keeper, error) {
	k := &keeper{dir: o.out}
	var err error
	switch {
	case repeated && o.out == "":
		k.trial = trial.Unnamed()
	case repeated:
		k.trial, err = trial.CreateFolder(o.out, o.raw)
	case o.out != "":
		k.folder, err = record.CreateFolder(o.out, o.raw)
	}
	return k, err
}

// sinks are what a run is recorded into. A run on the wall clock keeps its
// course in memory, in case it is interrupted.
func (k *keeper) sinks(wallClock bool) []record.Sink {
	switch {
	case k.folder != nil:
		return []record.Sink{k.folder}
	case wallClock:
		k.intervals = record.NewIntervals()
		return []record.Sink{k.intervals}
	}
	return nil
}

// keep writes the folder and returns its name, "" when nothing was kept.
func (k *keeper) keep(run *record.Run, started time.Time) (dir string, err error) {
	dir = k.dir
	if dir == "" {
		if !run.Interrupted {
			return "", nil
		}
		dir = "queuelab-interrupted-" + started.UTC().Format("20060102T150405.000Z")
	}
	switch {
	case k.trial != nil && k.dir == "":
		if err = k.trial.Name(dir); err == nil {
			err = k.trial.Commit(run)
		}
	case k.trial != nil:
		err = k.trial.Commit(run)
	case k.folder != nil:
		err = k.folder.Commit(run, started)
	default:
		err = record.KeepRun(dir, run, k.intervals, started)
	}
	return dir, err
}

// discard removes what was begun.
func (k *keeper) discard() error {
	switch {
	case k.trial != nil:
		return k.trial.Discard()
	case k.folder != nil:
		return k.folder.Discard()
	}
	return nil
}
