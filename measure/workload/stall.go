package workload

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Stall is a server that stands still again and again: it works for
// Period − Length, then stands still for Length, from the start of each run to
// the end of its drain. The zero value is a server that never does.
type Stall struct {
	Kind   StallKind
	Length time.Duration // L
	Period time.Duration // P, from the beginning of one stall to that of the next
}

// Any says whether there is a stall at all.
func (s Stall) Any() bool { return s != Stall{} }

// StallKind says what a stall does to the work in service.
type StallKind string

// The kinds there are.
const (
	AnyStall StallKind = ""       // the one that suits the server
	Freeze   StallKind = "freeze" // the server stops dead: the work in service stops too
	Lock     StallKind = "lock"   // the work in service ends, the rest is held
)

// stallForm is how a stall is written.
const stallForm = "write it like 500ms/5.5s, freeze:2s/12s or lock:500ms/5.5s, the length of a stall and the period it comes back with"

// ParseStall reads KIND:LENGTH/PERIOD or LENGTH/PERIOD.
func ParseStall(text string) (Stall, error) {
	var s Stall
	kind, times, named := strings.Cut(text, ":")
	if !named {
		kind, times = "", text
	}
	s.Kind = StallKind(kind)
	length, period, ok := strings.Cut(times, "/")
	var errs [2]error
	s.Length, errs[0] = time.ParseDuration(length)
	s.Period, errs[1] = time.ParseDuration(period)
	switch {
	case named && s.Kind != Freeze && s.Kind != Lock:
		return Stall{}, fmt.Errorf("the stall %q is of no kind that exists: use freeze or lock", text)
	case !ok || errors.Join(errs[:]...) != nil:
		return Stall{}, fmt.Errorf("%q is no stall: %s", text, stallForm)
	case !s.Any():
		return Stall{}, fmt.Errorf("the stall %q has no length: %s", text, stallForm)
	}
	if err := s.validate(); err != nil {
		return Stall{}, err
	}
	if s.Length < shortestStall || s.Period-s.Length < shortestStall || s.Period > longestPeriod {
		return Stall{}, fmt.Errorf("the stall %s is out of bounds: it and the work between two of them last at least %v, and its period at most 8760h", s, shortestStall)
	}
	return s, nil
}

// Bounds of a stall that somebody asks for: a server cannot be stopped and
// continued more often, and nobody waits longer.
const (
	shortestStall = time.Millisecond
	longestPeriod = 8760 * time.Hour // a year
)

func (s Stall) validate() error {
	if s.Any() && (s.Length <= 0 || s.Period <= s.Length) {
		return fmt.Errorf("the stall %s is impossible: its length must be above zero and its period longer than that", s)
	}
	return nil
}

// String is the stall as ParseStall reads it, "" for none.
func (s Stall) String() string {
	switch {
	case !s.Any():
		return ""
	case s.Kind == AnyStall:
		return fmt.Sprintf("%v/%v", s.Length, s.Period)
	}
	return fmt.Sprintf("%s:%v/%v", s.Kind, s.Length, s.Period)
}

// Begin is the instant at which stall number i begins, counted from 0; it ends
// at Begin + Length.
func (s Stall) Begin(i int64) time.Duration {
	return time.Duration(i)*s.Period + s.Period - s.Length
}

// Share is the part of the time in which the server stands still, 0 for no
// stall.
func (s Stall) Share() float64 {
	if !s.Any() {
		return 0
	}
	return s.Length.Seconds() / s.Period.Seconds()
}
