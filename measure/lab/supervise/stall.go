package supervise

import (
	"fmt"

	"queuelab/measure/workload"
)

// Staller makes a server stand still and lets it work again. It serves one
// goroutine at a time.
type Staller interface {
	// Stall returns once the server stands still or has been asked for what holds
	// new work.
	Stall() error
	// Resume lets the server work again; it may be called more than once, and
	// without a Stall before.
	Resume() error
	// Close resumes and releases what the staller holds.
	Close() error
}

// StallKinds are the kinds of stall that a server can have, the one that suits it
// best first.
type StallKinds []workload.StallKind

// Resolve returns the kind itself, or the best one where any will do. A kind that
// the named server cannot have is refused.
func (k StallKinds) Resolve(server string, kind workload.StallKind) (workload.StallKind, error) {
	if kind == workload.AnyStall {
		return k[0], nil
	}
	for _, can := range k {
		if kind == can {
			return kind, nil
		}
	}
	return "", fmt.Errorf("the %s lab has no stall of the kind %s: use %s", server, kind, k.list())
}

func (k StallKinds) list() (text string) {
	for i, kind := range k {
		if i > 0 {
			text += " or "
		}
		text += string(kind)
	}
	return text
}
