package supervise

import (
	"fmt"

	"queuelab/measure/workload"
)

// Staller is a Staller of package measure, which says what Stall and Resume do and
// cannot be named here, since it uses labs.
type Staller interface {
	Stall() error
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
