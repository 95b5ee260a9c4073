package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"queuelab/measure/workload"
	"queuelab/reports"
)

// terminal is standard error when that is a terminal, otherwise nil.
func terminal(c *console) *os.File {
	file, ok := c.err.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return file
}

// newBar draws the course of a length of time on a terminal; predict shows the
// time that is over and the time left.
func newBar(on *os.File, what string, length time.Duration, predict bool) *progressbar.ProgressBar {
	return progressbar.NewOptions64(length.Milliseconds(),
		progressbar.OptionSetWriter(on),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(20),
		progressbar.OptionSetPredictTime(predict),
		progressbar.OptionSetElapsedTime(predict),
		progressbar.OptionClearOnFinish(),
	)
}

// expectedLength is how long a workload's schedule is, 0 where its end depends
// on the answers.
func expectedLength(w *workload.Workload) time.Duration {
	if w.Length == 0 && w.Open {
		return workload.Nanoseconds(float64(w.AtMost()) / w.Rate)
	}
	return w.Length
}

// progress shows the time left of a run on a terminal; elsewhere, and for runs
// of up to two seconds, it shows nothing.
type progress struct {
	bar  *progressbar.ProgressBar
	halt chan struct{}
	done chan struct{}
	len  time.Duration
}

func startProgress(c *console, what string, length time.Duration) *progress {
	p := &progress{halt: make(chan struct{}), done: make(chan struct{}), len: length}
	close(p.done) // nothing runs until begin
	if on := terminal(c); on != nil && length > 2*time.Second {
		p.bar = newBar(on, what, length, true)
	}
	return p
}

// begin starts the clock; it has the shape of measure.Plan.Started.
func (p *progress) begin(start time.Time) {
	if p.bar == nil {
		return
	}
	p.done = make(chan struct{})
	go func() {
		defer close(p.done)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-p.halt:
				return
			case <-tick.C:
				// Drawing on a terminal that went away is not worth an error.
				_ = p.bar.Set64(min(time.Since(start), p.len).Milliseconds())
			}
		}
	}()
}

// end removes the line.
func (p *progress) end() {
	close(p.halt)
	<-p.done
	if p.bar != nil {
		_ = p.bar.Clear()
	}
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
	on := terminal(w.console)
	if on == nil {
		fmt.Fprintf(w.console.err, "%s (some %v left)\n", s.What, left)
		return
	}
	what := fmt.Sprintf("%s, %v left", s.What, left)
	if w.bar == nil {
		w.bar = newBar(on, what, s.Done+s.Left, false)
	}
	w.bar.Describe(what)
	_ = w.bar.Set64(s.Done.Milliseconds())
}

func (w *watcher) end() {
	if w.bar != nil {
		_ = w.bar.Clear()
	}
}
