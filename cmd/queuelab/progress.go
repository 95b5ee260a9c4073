package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

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
	file, ok := c.err.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) || length <= 2*time.Second {
		return p
	}
	p.bar = progressbar.NewOptions64(length.Milliseconds(),
		progressbar.OptionSetWriter(file),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(20),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(true),
	)
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
