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

// MostCopies is the largest number of copies that a request can have: none leaves
// at or after the instant at which the first one times out, which ends the request.
func (w *Workload) MostCopies() int {
	most := max(w.Retry.Copies, 1)
	if w.Timeout > 0 && w.Retry.After > 0 {
		most = int(min(int64(most), 1+int64(w.Timeout-1)/int64(w.Retry.After)))
	}
	return most
}
