//go:build !linux

package measure

import "time"

// NewPacer returns the coarse pacer: only Linux has a timerfd.
func NewPacer(start time.Time) Pacer { return newCoarsePacer(start) }

// spinner is no help to the coarse pacer: there is none.
type spinner struct{}

func newSpinner(time.Time) *spinner { return nil }

func newPacer(start time.Time, _ *spinner) Pacer { return newCoarsePacer(start) }

// Spun is how long the run has spun until now: never.
func (*spinner) Spun() time.Duration { return 0 }

func (*spinner) close() {}
