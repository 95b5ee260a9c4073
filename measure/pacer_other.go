//go:build !linux

package measure

import "time"

// NewPacer returns the coarse pacer: only Linux has a timerfd.
func NewPacer(start time.Time) Pacer { return newCoarsePacer(start) }
