package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"queuelab/reports"
)

// runReport turns a study into a report folder.
func runReport(ctx context.Context, c *console, args []string) error {
	f := newFlags(c, "report", "STUDY.yaml | "+strings.Join(reports.Builtin(), " | "))
	out := f.String("out", "", "the report folder (default ./NAME-report)")
	profile := f.String("profile", "quick", "durations and repetitions: tiny, quick or paper")
	words, err := parse(f, args, 1)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return usagef("name a study file, or one of the built-in studies: %s", strings.Join(reports.Builtin(), ", "))
	}
	study, err := reports.Load(words[0])
	if err != nil {
		return usageError{err}
	}
	if _, err := study.Profile(*profile); err != nil {
		return usageError{err}
	}
	if *out == "" {
		*out = study.Name + "-report"
	}
	watch := newWatcher(c)
	err = reports.Run(ctx, reports.Request{
		Study: study, Profile: *profile, Out: *out, Header: *header("report", args), Watch: watch.step,
	})
	watch.end()
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s\n", *out)
	return nil
}

// watcher shows a report's steps: a bar with the time left on a terminal,
// otherwise a line a step.
type watcher struct {
	console *console
	bar     *progressbar.ProgressBar
}

func newWatcher(c *console) *watcher { return &watcher{console: c} }

func (w *watcher) step(s reports.Step) {
	left := s.Left.Round(time.Second)
	file, ok := w.console.err.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		fmt.Fprintf(w.console.err, "%s (some %v left)\n", s.What, left)
		return
	}
	if w.bar == nil {
		w.bar = progressbar.NewOptions64((s.Done + s.Left).Milliseconds(),
			progressbar.OptionSetWriter(file),
			progressbar.OptionSetWidth(20),
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionSetElapsedTime(false),
			progressbar.OptionClearOnFinish(),
		)
	}
	w.bar.Describe(fmt.Sprintf("%s, %v left", s.What, left))
	// Drawing on a terminal that went away is not worth an error.
	_ = w.bar.Set64(s.Done.Milliseconds())
}

func (w *watcher) end() {
	if w.bar != nil {
		_ = w.bar.Clear()
	}
}
