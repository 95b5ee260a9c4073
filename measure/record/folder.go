package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Files of a run folder.
const (
	RunFile       = "run.json"
	HistogramFile = "latency.hlog"
	RequestsFile  = "requests.csv.gz"
)

// Folder writes a run folder in a [Stage]. It is a Sink.
type Folder struct {
	stage     *Stage
	intervals *Intervals
	raw       *RequestWriter // nil without raw records
	rawFile   *os.File
}

// CreateFolder begins the run folder dir, which must not exist yet or be empty;
// raw says whether it holds a record of every request.
func CreateFolder(dir string, raw bool) (*Folder, error) {
	stage, err := NewStage(dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{stage: stage, intervals: NewIntervals()}
	if raw {
		if f.rawFile, err = os.Create(stage.Path(RequestsFile)); err != nil {
			return nil, errors.Join(err, f.Discard())
		}
		f.raw = NewRequestWriter(f.rawFile)
	}
	return f, nil
}

// KeepRun writes a run folder without raw records: the summary and, unless it is
// nil, the course of the latencies.
func KeepRun(dir string, run *Run, intervals *Intervals, start time.Time) error {
	f, err := CreateFolder(dir, false)
	if err != nil {
		return err
	}
	if intervals != nil {
		f.intervals = intervals
	}
	return f.Commit(run, start)
}

// Add implements Sink.
func (f *Folder) Add(r *Request) {
	f.intervals.Add(r)
	if f.raw != nil {
		f.raw.Add(r)
	}
}

// Commit writes the summary and the histogram log and gives the folder its
// name. What there is no room for is left out, the raw records first, so that a full
// disk does not cost the summary; the error tells what is missing. When the name was
// taken in the meantime, what was measured stays under the temporary name, which the
// error tells too.
func (f *Folder) Commit(run *Run, start time.Time) error {
	lost := f.closeRaw()
	if err := f.fit(&lost, func() error { return f.fillSummary(run) }); err != nil {
		return errors.Join(fmt.Errorf("the run folder %s could not be written: %w", f.stage.named(), cause(err)), f.Discard())
	}
	if err := f.fit(&lost, func() error { return f.fillHistogram(run, start) }); err != nil {
		lost = errors.Join(lost, f.leaveOut(HistogramFile, err))
	}
	return errors.Join(lost, f.stage.Commit())
}

// fit writes a file and, when that fails, again without the raw records, which may
// take the room; lost is then told of them.
func (f *Folder) fit(lost *error, write func() error) error {
	err := write()
	if err == nil || f.raw == nil {
		return err
	}
	f.raw = nil
	*lost = f.leaveOut(RequestsFile, err)
	return write()
}

// closeRaw ends the raw records. Some that are cut off would be no records of the
// run: they are removed, which the error tells.
func (f *Folder) closeRaw() error {
	if f.raw == nil {
		return nil
	}
	err := errors.Join(f.raw.Close(), f.rawFile.Close())
	if err == nil {
		return nil
	}
	f.raw = nil
	return f.leaveOut(RequestsFile, err)
}

// leaveOut removes a file that could not be written, or whose room another one needs,
// and says so.
func (f *Folder) leaveOut(name string, err error) error {
	told := fmt.Errorf("the run is kept in %s without %s: %w", f.stage.named(), name, cause(err))
	if err := os.Remove(f.stage.Path(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return errors.Join(told, err)
	}
	return told
}

// cause is why a file could not be written, without the temporary path, which is gone
// by the time that somebody reads of it.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

func (f *Folder) fillSummary(run *Run) error {
	text, err := json.MarshalIndent(run, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(f.stage.Path(RunFile), append(text, '\n'), 0o644)
}

// fillHistogram writes the course of the latencies. A run that another program
// took, and whose requests nobody passed on, has none: an empty log would say that
// nothing was answered.
func (f *Folder) fillHistogram(run *Run, start time.Time) error {
	if f.intervals.empty() && run.Requests.Answered > 0 {
		return nil
	}
	log, err := os.Create(f.stage.Path(HistogramFile))
	if err != nil {
		return err
	}
	return errors.Join(f.intervals.write(log, start), log.Close())
}

// Discard removes what was written so far.
func (f *Folder) Discard() error {
	if f.rawFile != nil {
		f.rawFile.Close() // a second close after Commit failed is no error worth telling
	}
	return f.stage.Discard()
}

// ReadRun reads a run folder's summary.
func ReadRun(dir string) (*Run, error) {
	path := filepath.Join(dir, RunFile)
	file, err := openRegular(path)
	if err != nil {
		return nil, fmt.Errorf("%s is not a run folder: %w", dir, err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostSummary+1))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", path, err)
	}
	if len(text) > mostSummary {
		return nil, fmt.Errorf("%s is not a run's summary: it is longer than %d MiB", path, mostSummary>>20)
	}
	return ParseRun(path, text)
}

// mostSummary is more than any run.json holds.
const mostSummary = 64 << 20

// openRegular opens a file for reading; a pipe or a device, which may never
// end, is refused.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	return os.Open(path)
}

// ParseRun reads the text of a run.json; path names it in errors.
func ParseRun(path string, text []byte) (*Run, error) {
	var run Run
	if err := json.Unmarshal(text, &run); err != nil {
		return nil, fmt.Errorf("%s is not a run's summary: %w", path, err)
	}
	if run.Schema < 1 {
		return nil, fmt.Errorf("%s is not a run's summary: it has no schema version", path)
	}
	if run.Schema > SchemaVersion {
		return nil, fmt.Errorf("%s has schema version %d and this program reads up to %d: use a newer queuelab", path, run.Schema, SchemaVersion)
	}
	if run.Trial != nil && len(run.Reps) == 0 {
		return nil, fmt.Errorf("%s is damaged: it is of a trial and holds none of its runs", path)
	}
	for _, one := range append([]*Run{&run}, run.Reps...) {
		if damage := one.damage(); damage != "" {
			return nil, fmt.Errorf("%s is damaged: %s", path, damage)
		}
	}
	return &run, nil
}

// ReadRunRequests calls visit for every request recorded in a run folder.
func ReadRunRequests(dir string, visit func(*Request)) error {
	file, err := openRegular(filepath.Join(dir, RequestsFile))
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s holds no request records: measure it again with -out and without -raw=false", dir)
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if err := ReadRequests(file, visit); err != nil {
		return fmt.Errorf("%s: %w", file.Name(), err)
	}
	return nil
}
