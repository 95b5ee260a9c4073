package reports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"queuelab/measure/record"
)

// Request says which report is wanted.
type Request struct {
	Study   *Study
	Profile string        // "tiny", "quick" or "paper"
	Out     string        // the report folder, which must not exist or be empty
	Header  record.Header // what the caller knows of itself
	Watch   func(Step)    // told of every step before it begins; may be nil
	Strict  bool          // an INVALID run, a missed margin or goal is an error of the report that was written
	// Overrides are what is set from outside of the study's trials, and Tables is
	// where their tables are printed, too, when the report is there; it may be nil.
	Overrides Overrides
	Tables    io.Writer
}

// Step is what a report does next.
type Step struct {
	What string
	Done time.Duration // measuring time that is over
	Left time.Duration // measuring time that is to come, this step included
}

// Run measures and predicts a study and writes its report. When ctx ends, or a
// measurement fails, it keeps what was measured in a folder Out-unfinished-TIME;
// the error is then ctx's or that of the measurement. That of a strict request whose
// report was written is a *[StrictError].
func Run(ctx context.Context, q Request) error {
	profile, err := q.Study.Profile(q.Profile)
	if err != nil {
		return err
	}
	folder, err := createFolder(q.Out)
	if err != nil {
		return err
	}
	r := &runner{
		Request: q,
		profile: profile,
		folder:  folder,
		bench:   realBench,
		results: &Results{
			Study: q.Study.Name, Hash: q.Study.Hash, Profile: q.Profile, Set: q.Overrides.Words,
			Margin: q.Study.Margin, Start: time.Now().UTC(), Header: q.Header,
		},
	}
	r.left = r.total()
	err = r.measureAll(ctx)
	r.results.End = time.Now().UTC()
	if err != nil {
		return r.giveUp(ctx, err)
	}
	if err := r.write(); err != nil {
		return r.giveUp(ctx, err)
	}
	if err := folder.Commit(); err != nil {
		return err
	}
	if err := r.printTrials(); err != nil || !q.Strict {
		return err
	}
	return r.results.strict()
}

// runner is a report under way.
type runner struct {
	Request
	profile Profile
	folder  *folder
	results *Results
	bench   bench
	taken   int // runs that are kept
	done    time.Duration
	left    time.Duration
}

// giveUp keeps what an interrupted or failed report measured, in a folder of
// another name, so that nobody takes it for the report.
func (r *runner) giveUp(ctx context.Context, cause error) error {
	if ctx.Err() != nil {
		cause = context.Cause(ctx)
	}
	if r.taken == 0 {
		return errors.Join(cause, r.folder.Discard())
	}
	kept := filepath.Clean(r.Out) + "-unfinished-" + r.results.Start.Format("20060102T150405Z")
	note := fmt.Sprintf("# %s: unfinished\n\nThis report stopped before its end (%v); data/ holds what was measured until then.\n", r.Study.Name, cause)
	err := r.folder.writeJSON("data/results.json", r.results)
	if err == nil {
		err = r.folder.writeFile("README.md", []byte(note))
	}
	if err == nil {
		r.folder.Rename(kept)
		err = r.folder.Commit()
	}
	if err != nil {
		return fmt.Errorf("%w: what was measured stays in %s: %w", cause, r.folder.Path("."), err)
	}
	return fmt.Errorf("%w: what was measured is kept in %s", cause, kept)
}

// measureAll goes through the targets one after another, so that no server
// disturbs another, and then compares load generators.
func (r *runner) measureAll(ctx context.Context) error {
	for i := range r.Study.Targets {
		target := &r.Study.Targets[i]
		if err := r.measureTarget(ctx, target); err != nil {
			return fmt.Errorf("target %s: %w", target.Name, err)
		}
	}
	return r.measurePeers(ctx)
}

// write turns the results into data, figures and pages.
func (r *runner) write() error {
	if err := r.folder.writeJSON("data/results.json", r.results); err != nil {
		return err
	}
	page, err := r.page()
	if err != nil {
		return err
	}
	return r.folder.writePage(page)
}

// step announces the next piece of measuring, of the given length.
func (r *runner) step(what string, length time.Duration) {
	if r.Watch != nil {
		r.Watch(Step{What: what, Done: r.done, Left: r.left})
	}
	r.done += length
	r.left -= length
}

// total is the measuring time of the whole study.
func (r *runner) total() time.Duration {
	sum := r.peersTime(r.Study.tools())
	p := r.profile
	for i := range r.Study.Targets {
		sum += r.calibrationTime(&r.Study.Targets[i])
	}
	for _, e := range r.Study.Experiments {
		var each time.Duration
		switch e.Kind {
		case ClosedKind:
			each = time.Duration(len(e.Clients)) * (p.Closed + p.Warmup)
		case OpenKind:
			each = time.Duration(len(p.Loads(e))*p.Reps) * (p.Open + p.Warmup)
		case TrialKind:
			each = time.Duration(len(e.Endpoints)) * r.trialTime()
		default:
			for _, k := range e.Cases(p) {
				each += time.Duration(p.ScenarioReps) * (k.Length + p.Warmup)
			}
		}
		sum += time.Duration(len(e.Targets)) * each
	}
	return sum
}

// calibrationTime is how long all calibrations of a target take: one at the
// start, one after the curves, and one after each scenario; none for trials.
func (r *runner) calibrationTime(t *Target) time.Duration {
	if !r.predicted(t) {
		return 0
	}
	calibrations, curves := 1, 0
	for _, e := range r.Study.Experiments {
		switch {
		case !e.on(t.Name), !e.predicted():
		case e.isScenario():
			calibrations++
		default:
			curves = 1
		}
	}
	runs := 2
	if t.Serve != nil {
		runs = 1 // its capacity is known
	}
	return time.Duration((calibrations+curves)*runs) * (r.profile.Calibrate + r.profile.Warmup)
}
