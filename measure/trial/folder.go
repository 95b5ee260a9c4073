package trial

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"queuelab/measure/record"
)

// Files of a trial's folder, beside run.json and the run folders.
const (
	TextFile       = "trial.txt"
	BenchmarksFile = "benchmarks.txt"
	RunsFolder     = "runs"
)

// Folder keeps a trial: run.json with the medians and every run, trial.txt to
// read, benchmarks.txt in Go's benchmark format, and in runs/ a folder for each run,
// counted from 1.
type Folder struct {
	stage *record.Stage // nil until the folder has a name
	raw   bool
	runs  []*kept // of a folder without a name
}

// CreateFolder begins the folder dir, which must not exist yet or be empty; raw
// says whether the run folders hold a record of every request.
func CreateFolder(dir string, raw bool) (*Folder, error) {
	stage, err := record.NewStage(dir)
	if err != nil {
		return nil, err
	}
	return &Folder{stage: stage, raw: raw}, nil
}

// Unnamed keeps the courses of the runs in memory, for a folder that may get a
// name later.
func Unnamed() *Folder { return &Folder{} }

// Name gives an unnamed folder its name, without raw records.
func (f *Folder) Name(dir string) error {
	var err error
	if f.stage, err = record.NewStage(dir); err != nil {
		return err
	}
	for i, k := range f.runs {
		if err := record.KeepRun(f.run(i), k.run, k.intervals, k.started); err != nil {
			return errors.Join(err, f.Discard())
		}
	}
	return nil
}

// run is the folder of a run.
func (f *Folder) run(i int) string {
	return f.stage.Path(filepath.Join(RunsFolder, strconv.Itoa(i+1)))
}

// Commit writes what the runs say together and moves the folder to its name.
func (f *Folder) Commit(trial *record.Run) error {
	if err := f.fill(trial); err != nil {
		return fmt.Errorf("the trial could not be written whole and stays in %s: %w", f.stage.Path("."), err)
	}
	return f.stage.Commit()
}

func (f *Folder) fill(trial *record.Run) error {
	text, err := json.MarshalIndent(trial, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(f.stage.Path(record.RunFile), append(text, '\n'), 0o644); err != nil {
		return err
	}
	if err := write(f.stage.Path(TextFile), trial, WriteFile); err != nil {
		return err
	}
	return write(f.stage.Path(BenchmarksFile), trial, WriteBenchmarks)
}

// write writes a file.
func write(path string, trial *record.Run, content func(io.Writer, *record.Run) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(content(file, trial), file.Close())
}

// Discard removes what was written so far.
func (f *Folder) Discard() error {
	if f.stage == nil {
		return nil
	}
	return f.stage.Discard()
}

// kept is what keeps one run: its folder, or its course in memory.
type kept struct {
	folder    *record.Folder // nil without a name
	intervals *record.Intervals
	run       *record.Run
	started   time.Time
}

// Run keeps the run, counted from 0, that take takes with the given sink; take
// returns its beginning too. A nil run keeps nothing.
func (f *Folder) Run(i int, take func(record.Sink) (*record.Run, time.Time, error)) (*record.Run, error) {
	k := &kept{}
	if f.stage != nil {
		var err error
		if k.folder, err = record.CreateFolder(f.run(i), f.raw); err != nil {
			return nil, err
		}
	} else {
		k.intervals = record.NewIntervals()
	}
	run, started, err := take(k)
	switch {
	case k.folder != nil && run != nil:
		return run, errors.Join(err, k.folder.Commit(run, started))
	case k.folder != nil:
		return nil, errors.Join(err, k.folder.Discard())
	case run != nil:
		k.run, k.started = run, started
		f.runs = append(f.runs, k)
	}
	return run, err
}

// Add implements record.Sink.
func (k *kept) Add(r *record.Request) {
	if k.folder != nil {
		k.folder.Add(r)
		return
	}
	k.intervals.Add(r)
}
