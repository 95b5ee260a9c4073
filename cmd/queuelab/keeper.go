package main

import (
	"time"

	"queuelab/measure/record"
)

// keeper keeps a run in the folder that -out names, and an interrupted one even
// without it.
type keeper struct {
	dir       string            // as given to -out; "" without
	folder    *record.Folder    // nil without -out
	intervals *record.Intervals // what an interrupted run is kept with; nil until sinks asks for it
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

// keep writes the run folder and returns its name, "" when nothing was kept.
func (k *keeper) keep(run *record.Run, started time.Time) (dir string, err error) {
	switch {
	case k.folder != nil:
		return k.dir, k.folder.Commit(run, started)
	case run.Interrupted:
		dir = "queuelab-interrupted-" + started.UTC().Format("20060102T150405.000Z")
		return dir, record.KeepRun(dir, run, k.intervals, started)
	}
	return "", nil
}

// discard removes what was begun.
func (k *keeper) discard() error {
	if k.folder == nil {
		return nil
	}
	return k.folder.Discard()
}
