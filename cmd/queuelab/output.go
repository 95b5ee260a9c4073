package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"sort"
	"strings"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// outputFlags are the flags that say how a run is printed and kept.
type outputFlags struct {
	json bool
	out  string
	raw  bool
}

func addOutputFlags(f *flag.FlagSet) *outputFlags {
	o := &outputFlags{}
	f.BoolVar(&o.json, "json", false, "print one JSON object instead of text")
	f.StringVar(&o.out, "out", "", "keep the run in this new folder")
	f.BoolVar(&o.raw, "raw", true, "with -out: keep a record of every request")
	return o
}

// begin prepares to keep a run.
func (o *outputFlags) begin() (*keeper, error) {
	k := &keeper{dir: o.out}
	if o.out == "" {
		return k, nil
	}
	var err error
	k.folder, err = record.CreateFolder(o.out, o.raw)
	return k, err
}

// finish prints and keeps a run, in that order: a disk that is full shall not
// cost the summary. An interrupted run ends the verb as interrupted.
func (o *outputFlags) finish(c *console, run *record.Run, k *keeper, started time.Time) error {
	printed := o.print(c, run)
	dir, kept := k.keep(run, started)
	if dir != "" && kept == nil {
		fmt.Fprintf(c.err, "kept in %s\n", dir)
	}
	if err := errors.Join(printed, kept); err != nil {
		return err
	}
	if run.Interrupted {
		return errInterrupted
	}
	return nil
}

// print writes a run to standard output.
func (o *outputFlags) print(c *console, run *record.Run) error {
	if o.json {
		return printJSON(c, run)
	}
	printText(c, run)
	return nil
}

func printJSON(c *console, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("the result cannot be written as JSON: %w", err)
	}
	_, err = fmt.Fprintf(c.out, "%s\n", text)
	return err
}

// printText writes a run as text; the summary line is the last line.
func printText(c *console, run *record.Run) {
	if run.Source == record.Measured {
		describeMeasured(c, run)
	} else {
		describeSimulated(c, run)
	}
	for _, line := range []string{copiesLine(run), stallsLine(run), failureLine(run)} {
		if line != "" {
			fmt.Fprintln(c.out, line)
		}
	}
	if run.Overflow > 0 {
		fmt.Fprintf(c.out, "%d answers took longer than an hour, beyond which quantiles are not resolved\n", run.Overflow)
	}
	if run.Interrupted {
		fmt.Fprintln(c.out, "INTERRUPTED: the figures cover what was measured until then")
	}
	fmt.Fprintln(c.out, run.Line)
}

// offeredLine says in one line what was offered.
func offeredLine(run *record.Run) string {
	w := run.Workload
	var b strings.Builder
	if w.Loop == "open" {
		fmt.Fprintf(&b, "open, %g requests/s, %s arrivals", w.Rate, w.Arrivals)
	} else {
		fmt.Fprintf(&b, "closed, %d clients", w.Clients)
		if w.Think != "" {
			fmt.Fprintf(&b, " thinking %s", w.Think)
		}
	}
	if w.Service != "" {
		fmt.Fprintf(&b, ", service %s", w.Service)
	}
	if w.Timeout > 0 {
		fmt.Fprintf(&b, ", timeout %v", workload.Nanoseconds(w.Timeout))
	}
	if w.Retry > 0 {
		fmt.Fprintf(&b, ", again after %v up to %d copies", workload.Nanoseconds(w.Retry), w.Copies)
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
func copiesLine(run *record.Run) string {
	n := run.Requests
	if n.Copies <= n.Scheduled {
		return ""
	}
	return fmt.Sprintf("copies %d (%.2f a request)", n.Copies, float64(n.Copies)/float64(n.Scheduled))
}

// mostStalls is how many stalls are listed one by one.
const mostStalls = 4

// stallsLine says when the server stood still; "" when it never did.
func stallsLine(run *record.Run) string {
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

// failureLine lists what was not answered, by class; "" when all was.
func failureLine(run *record.Run) string {
	n := run.Requests
	parts := []string{}
	for class, count := range run.Failures {
		parts = append(parts, fmt.Sprintf("%s %d", class, count))
	}
	sort.Strings(parts)
	for _, rest := range []struct {
		name  string
		count int64
	}{{"timed out", n.TimedOut}, {"unfinished", n.Unfinished}, {"unsent", n.Unsent}} {
		if rest.count > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", rest.name, rest.count))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("of %d scheduled, not answered: %s", n.Scheduled, strings.Join(parts, ", "))
}

// number prints a value with its unit, or says that the sample cannot support it.
func number(v record.Value, unit string) string {
	if !v.Known() {
		return "not resolvable"
	}
	return fmt.Sprintf("%.2f %s", float64(v), unit)
}
