package record

import (
	"fmt"
	"io"
)

// describeMeasured are the lines above the summary line of a measured run.
func describeMeasured(w io.Writer, run *Run) {
	fmt.Fprintf(w, "target %s\n", run.Target)
	fmt.Fprintf(w, "offered %s\n", run.Offered())
	writeTimes(w, run)
	writeSoundness(w, run)
	fmt.Fprintf(w, "connections opened %d, closes announced %d, lost %d\n",
		run.Connections["opened"], run.Connections["announced"], run.Connections["lost"])
}

// timeColumns are the figures of each kind of time that the table shows.
var timeColumns = []string{"mean", "p50", "p90", "p99", "p99.9", "max"}

// writeTimes writes the kinds of times of a measured run below each other: what the
// user waited, how much of it the client saw, how much went by in the pool, and how
// late the generator was itself.
func writeTimes(w io.Writer, run *Run) {
	fmt.Fprintf(w, "%-12s", "ms")
	for _, key := range timeColumns {
		fmt.Fprintf(w, " %10s", key)
	}
	fmt.Fprintln(w)
	unresolved := false
	for _, row := range []struct {
		name  string
		times Quantities
	}{{"latency", run.Latency}, {"client-seen", run.Client}, {"pool", run.Pool}, {"lag", run.Lag}} {
		fmt.Fprintf(w, "%-12s", row.name)
		for _, key := range timeColumns {
			cell := "-"
			if v := row.times.Get(key); v.Known() {
				cell = fmt.Sprintf("%.3f", float64(v))
			} else {
				unresolved = true
			}
			fmt.Fprintf(w, " %10s", cell)
		}
		fmt.Fprintln(w)
	}
	if unresolved {
		fmt.Fprintln(w, "-: not resolvable with so few independent requests")
	}
}
