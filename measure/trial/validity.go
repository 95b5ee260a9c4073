package trial

import (
	"fmt"

	"queuelab/measure/record"
)

// validity is the worst verdict of the runs, with the reasons of the worst runs first;
// nil when one of them was not judged.
func validity(runs []*record.Run) *record.Validity {
	out := &record.Validity{Reasons: []string{}}
	for _, verdict := range []string{record.Invalid, record.Suspect, record.Valid} {
		for i, r := range runs {
			if r.Validity == nil {
				return nil
			}
			if r.Validity.Verdict != verdict {
				continue
			}
			out.Verdict = record.Worst(out.Verdict, verdict)
			for _, reason := range r.Validity.Reasons {
				out.Reasons = append(out.Reasons, fmt.Sprintf("run %d is %s: %s", i+1, verdict, reason))
			}
		}
	}
	return out
}
