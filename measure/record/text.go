package record

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// WriteText writes a run as text; the summary line is the last line. An error of
// the writer is the writer's to keep.
func (run *Run) WriteText(w io.Writer) {
	if run.Source == Measured {
		describeMeasured(w, run)
	} else {
		describeSimulated(w, run)
	}
	if line := stallsLine(run); line != "" {
		fmt.Fprintln(w, line)
	}
	for _, line := range run.Remarks() {
		fmt.Fprintln(w, line)
	}
	if run.Overflow > 0 {
		fmt.Fprintf(w, "%d answers took longer than an hour, beyond which quantiles are not resolved\n", run.Overflow)
	}
	if run.Interrupted {
		fmt.Fprintln(w, "INTERRUPTED: the figures cover what was measured until then")
	}
	run.Validity.WriteText(w)
	fmt.Fprintln(w, run.Line)
}

// Remarks say in a line each what happened beside the answers: copies, requests that
// were not answered, by class, and rows that were written.
func (run *Run) Remarks() []string {
	var out []string
	for _, line := range []string{copiesLine(run), failureLine(run), rowsLine(run.Header)} {
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}

// rowsLine says how many rows of a table a run wrote, its warm-up included, and what
// is left of them; "" when it wrote none.
func rowsLine(h *Header) string {
	if h == nil || h.Rows == nil {
		return ""
	}
	return fmt.Sprintf("rows of %s: %d before, %d after, %d after clean-up", h.Rows.Table, h.Rows.Before, h.Rows.After, h.Rows.Cleaned)
}

// Offered says in one line what was offered.
func (run *Run) Offered() string {
	w := run.Workload
	var b strings.Builder
	if w.Loop == "open" {
		fmt.Fprintf(&b, "open, %.6g requests/s, %s arrivals", w.Rate, w.Arrivals)
		if w.Session > 0 {
			fmt.Fprintf(&b, " of sessions of %g requests on average", w.Session)
		}
	} else {
		fmt.Fprintf(&b, "closed, %d clients", w.Clients)
	}
	if w.Think != "" {
		fmt.Fprintf(&b, " thinking %s", w.Think)
	}
	if w.Service != "" {
		fmt.Fprintf(&b, ", service %s", w.Service)
	}
	if w.Timeout > 0 {
		fmt.Fprintf(&b, ", timeout %v", nanoseconds(w.Timeout))
	}
	if w.Retry > 0 {
		fmt.Fprintf(&b, ", again after %v up to %d copies", nanoseconds(w.Retry), w.Copies)
	}
	if w.Stall != "" {
		fmt.Fprintf(&b, ", stall %s", w.Stall)
	}
	if w.Seconds > 0 {
		fmt.Fprintf(&b, ", %g s", w.Seconds)
	}
	if w.Requests > 0 {
		fmt.Fprintf(&b, ", at most %d requests", w.Requests)
	}
	fmt.Fprintf(&b, ", seed %d", run.Seed)
	return b.String()
}

// copiesLine says how many copies were sent; "" when every request had one.
func copiesLine(run *Run) string {
	n := run.Requests
	if n.Copies <= n.Scheduled {
		return ""
	}
	return fmt.Sprintf("copies %d (%.2f a request)", n.Copies, float64(n.Copies)/float64(n.Scheduled))
}

// mostStalls is how many stalls are listed one by one.
const mostStalls = 4

// stallsLine says when the server stood still; "" when it never did.
func stallsLine(run *Run) string {
	if len(run.Stalls) == 0 {
		return ""
	}
	var total float64
	var listed []string
	for i, s := range run.Stalls {
		total += s.End - s.Begin
		if i < mostStalls {
			listed = append(listed, fmt.Sprintf("%.2f to %.2f s", s.Begin, s.End))
		}
	}
	if len(run.Stalls) > mostStalls {
		listed = append(listed, "…")
	}
	return fmt.Sprintf("stalls %d, %.2f s in all: %s", len(run.Stalls), total, strings.Join(listed, ", "))
}

// number prints a value with its unit, or says that the sample cannot support it.
func number(v Value, unit string) string {
	if !v.Known() {
		return "not resolvable"
	}
	return fmt.Sprintf("%.2f %s", float64(v), unit)
}

// describeSimulated are the lines above the summary line of a simulated run.
func describeSimulated(w io.Writer, run *Run) {
	fmt.Fprintf(w, "model %s\noffered %s\n", run.Model, run.Offered())
	fmt.Fprint(w, stabilityLine(run))
	if i, ok := run.Interval["mean"]; ok {
		fmt.Fprintf(w, "95 %% intervals: mean %s to %s", number(i[0], "ms"), number(i[1], "ms"))
		if p, ok := run.Interval["p99"]; ok {
			fmt.Fprintf(w, ", p99 %s to %s", number(p[0], "ms"), number(p[1], "ms"))
		}
		fmt.Fprintln(w)
	}
}

// stabilityLine says what a model without a steady state, or with one that nobody
// can promise, means for the figures; "" for a stable one.
func stabilityLine(run *Run) string {
	switch {
	case run.Stable == nil:
		return "not known to be stable: retries, timeouts or stalls make the load depend on the latency, and one burst may tip it into a collapse that lasts (metastable): compare several seeds\n"
	case *run.Stable:
		return ""
	case run.Growth.Known():
		return fmt.Sprintf("unstable: latency grows by %.4g ms each second, so the figures depend on the length of the run\n", float64(run.Growth))
	}
	if run.Workload.Timeout > 0 {
		return "unstable: more work is sent than can be done, so ever more requests time out: the share that fails grows with the length of the run, and answers come mostly from its early part\n"
	}
	return "unstable: more work is sent than can be done, so the figures depend on the length of the run\n"
}

func nanoseconds(seconds float64) time.Duration { return time.Duration(math.Round(seconds * 1e9)) }
