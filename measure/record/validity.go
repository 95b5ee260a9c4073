package record

import (
	"fmt"
	"io"
	"strings"
)

// Verdicts on whether a run can be believed, from good to bad.
const (
	Valid   = "VALID"
	Suspect = "SUSPECT"
	Invalid = "INVALID"
)

// Validity is the verdict on whether the run can be believed, with a reason in a
// sentence for each check that it did not pass.
type Validity struct {
	Verdict string   `json:"verdict"`
	Reasons []string `json:"reasons"`
}

// Worst is the worse of two verdicts; "" is none.
func Worst(a, b string) string {
	for _, verdict := range []string{Invalid, Suspect, Valid} {
		if a == verdict || b == verdict {
			return verdict
		}
	}
	return ""
}

// Verdict is a run's, "" when nobody has judged it.
func (run *Run) Verdict() string {
	if run.Validity == nil {
		return ""
	}
	return run.Validity.Verdict
}

// WriteText writes the verdict and its reasons, one a line below each other; nothing
// for none.
func (v *Validity) WriteText(w io.Writer) {
	switch {
	case v == nil:
	case len(v.Reasons) == 0:
		fmt.Fprintln(w, v.Verdict)
	default:
		between := "\n" + strings.Repeat(" ", len(v.Verdict)+2)
		fmt.Fprintf(w, "%s: %s\n", v.Verdict, strings.Join(v.Reasons, between))
	}
}
