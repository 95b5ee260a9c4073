package trial

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"

	"queuelab/measure/record"
)

// columns are the figures of a run that the table shows.
var columns = []struct {
	head   string
	key    string // in Trial.Quantities
	digits int
	figure func(*record.Run) record.Value
}{
	{"answered/s", record.ThroughputKey, 1, func(r *record.Run) record.Value { return r.Throughput }},
	{"mean ms", "mean", 3, latency("mean")},
	{"p50 ms", "p50", 3, latency("p50")},
	{"p99 ms", "p99", 3, latency("p99")},
	{"max ms", "max", 2, latency("max")},
}

func latency(key string) func(*record.Run) record.Value {
	return func(r *record.Run) record.Value { return r.Latency.Get(key) }
}

// WriteText writes what a trial's runs say together; the summary line, of medians,
// is the last line. An error of the writer is the writer's to keep.
func WriteText(w io.Writer, trial *record.Run) {
	if trial.Target != "" {
		fmt.Fprintf(w, "target %s\n", trial.Target)
	}
	if trial.Model != "" {
		fmt.Fprintf(w, "model %s\n", trial.Model)
	}
	fmt.Fprintf(w, "offered %s\n\n", trial.Offered())
	writeTable(w, trial)
	if line := portsLine(trial.Reps); line != "" {
		fmt.Fprintln(w, line)
	}
	for _, line := range trial.Remarks() {
		fmt.Fprintln(w, line)
	}
	for _, warning := range trial.Trial.Warnings {
		fmt.Fprintf(w, "WARNING: %s\n", warning)
	}
	if trial.Interrupted {
		fmt.Fprintln(w, interruption(trial.Reps))
	}
	trial.Validity.WriteText(w)
	fmt.Fprintln(w, trial.Line)
}

// interruption says what the figures of an interrupted trial are of.
func interruption(runs []*record.Run) string {
	n := len(whole(runs))
	switch {
	case n == len(runs) && runs[0].Interrupted:
		return "INTERRUPTED: the figures cover what was measured of the first run until then"
	case n == len(runs):
		return fmt.Sprintf("INTERRUPTED: %d of the runs were taken", n)
	}
	were := "runs were"
	if n == 1 {
		were = "run was"
	}
	return fmt.Sprintf("INTERRUPTED: %d whole %s taken; medians leave out the one that was cut", n, were)
}

func writeTable(w io.Writer, trial *record.Run) {
	fmt.Fprintf(w, "%-8s", "run")
	for _, c := range columns {
		fmt.Fprintf(w, " %10s", c.head)
	}
	fmt.Fprintf(w, " %7s %8s %8s\n", "failed", "pause s", "verdict")
	for i, r := range trial.Reps {
		fmt.Fprintf(w, "%-8d", i+1)
		for _, c := range columns {
			fmt.Fprintf(w, " %10s", figure(c.figure(r), c.digits))
		}
		fmt.Fprintf(w, " %7d %8s %8s\n", r.Requests.Scheduled-r.Requests.Answered, waited(r.Pause), verdict(r))
	}
	for _, row := range []struct {
		name   string
		figure func(record.Repeated, int) string
	}{
		{"median", func(q record.Repeated, digits int) string { return figure(q.Median, digits) }},
		{"spread", func(q record.Repeated, _ int) string { return percent(q.Spread) }},
		{"from", func(q record.Repeated, digits int) string { return figure(q.Interval[0], digits) }},
		{"to", func(q record.Repeated, digits int) string { return figure(q.Interval[1], digits) }},
	} {
		fmt.Fprintf(w, "%-8s", row.name)
		for _, c := range columns {
			fmt.Fprintf(w, " %10s", row.figure(quantity(trial, c.key), c.digits))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s\n", intervalNote(trial))
}

// quantity is one of a trial's; nothing is known of one that it does not have.
func quantity(trial *record.Run, key string) record.Repeated {
	if q, ok := trial.Trial.Quantities[key]; ok {
		return q
	}
	return record.NewRepeated(nil)
}

// intervalNote says what lies between the rows "from" and "to".
func intervalNote(trial *record.Run) string {
	level := quantity(trial, record.ThroughputKey).Level
	switch {
	case len(whole(trial.Reps)) < 2:
		return "spread and an interval of the median take two whole runs"
	case !level.Known():
		return "a run in which nothing was answered leaves no median"
	}
	note := fmt.Sprintf("spread: (max - min) / median; from, to: %.4g %% interval of the median", 100*float64(level))
	for _, r := range trial.Reps {
		if !r.Latency.Get("p99").Known() && trial.Latency.Get("p99").Known() {
			note += "\n-: that run alone does not support the percentile; all runs together do"
			break
		}
	}
	if level < 0.95 {
		note += "\n(95 % takes six runs)"
	}
	return note
}

func figure(v record.Value, digits int) string {
	if !v.Known() {
		return "-"
	}
	return fmt.Sprintf("%.*f", digits, float64(v))
}

func percent(v record.Value) string {
	if !v.Known() {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(v))
}

// verdict is a run's, a dash for a run that nobody judges, such as a simulated one.
func verdict(r *record.Run) string {
	if v := r.Verdict(); v != "" {
		return v
	}
	return "-"
}

func waited(p *record.Pause) string {
	if p == nil {
		return "-"
	}
	return figure(p.Waited, 1)
}

// WriteFile writes the whole trial to read: header, table, then every run as it is
// shown alone.
func WriteFile(to io.Writer, trial *record.Run) error {
	w := bufio.NewWriter(to)
	title := "trial"
	if trial.Trial.Name != "" {
		title += " " + trial.Trial.Name
	}
	fmt.Fprintf(w, "%s\n%s\n\n", title, strings.Repeat("=", len(title)))
	if trial.Header != nil {
		trial.Header.WriteText(w)
		fmt.Fprintln(w)
	}
	WriteText(w, trial)
	for i, r := range trial.Reps {
		fmt.Fprintf(w, "\nrun %d\n-----\n", i+1)
		if line := pauseLine(r.Pause); line != "" {
			fmt.Fprintln(w, line)
		}
		r.WriteText(w)
	}
	return w.Flush()
}

// portsLine says how many local ports the runs found; "" where that is not known of
// any.
func portsLine(runs []*record.Run) string {
	least, most := record.Value(math.Inf(1)), record.Value(0)
	for _, r := range runs {
		if p := r.Pause; p != nil && p.Left.Known() {
			least, most = min(least, p.Left), max(most, p.TimeWait)
		}
	}
	if !least.Known() {
		return ""
	}
	return fmt.Sprintf("local ports left before a run: %s at least, with %s in TIME_WAIT at most", figure(least, 0), figure(most, 0))
}

// pauseLine says what the pause before a run was good for.
func pauseLine(p *record.Pause) string {
	if p == nil {
		return ""
	}
	line := fmt.Sprintf("paused %s s", figure(p.Waited, 1))
	if p.Left.Known() {
		line += fmt.Sprintf("; %s connections to the target in TIME_WAIT, %s local ports left", figure(p.TimeWait, 0), figure(p.Left, 0))
	}
	if p.Note != "" {
		line += "; " + p.Note
	}
	return line
}
