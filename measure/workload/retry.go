package workload

import (
	"errors"
	"fmt"
	"time"
)

// Retry is a client's impatience: a request that is not answered is sent again,
// After after After, until Copies of it are under way. The first answer of any
// copy, an error too, ends the request; the other copies run on and load the
// server. The zero value sends every request once.
type Retry struct {
	After  time.Duration
	Copies int // in all, the first included
}

// DefaultCopies is how many copies there are in all unless something else is
// asked for.
const DefaultCopies = 3

// MaxCopies is the most copies that a request's record can count.
const MaxCopies = 255

func (r Retry) validate() error {
	switch {
	case r == Retry{}:
		return nil
	case r.After <= 0:
		return errors.New("the retry comes after no time: give -retry a duration above zero, such as 200ms")
	case r.Copies < 1 || r.Copies > MaxCopies:
		return fmt.Errorf("%d copies of a request: give -copies 1 to %d, the first included", r.Copies, MaxCopies)
	}
	return nil
}

// Most is the largest number of copies that a request can have.
func (r Retry) Most() int { return max(r.Copies, 1) }
