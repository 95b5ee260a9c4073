package trial

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"strings"

	"golang.org/x/perf/benchfmt"

	"queuelab/measure/record"
)

// WriteBenchmarks writes every run as a result line of Go's benchmark format, which
// benchstat reads: answered requests, their mean latency as ns/op, quantiles, and
// answered requests a second.
//
// Only what benchstat should keep apart is configuration: two trials of one workload
// have one benchmark name, whatever commit, target or folder they belong to.
func WriteBenchmarks(to io.Writer, trial *record.Run) error {
	if _, err := fmt.Fprintf(to, "%s\nUnit answered/s better=higher\n", comments(trial)); err != nil {
		return err
	}
	w := benchfmt.NewWriter(to)
	for i, r := range trial.Reps {
		if r.Requests.Answered == 0 {
			if _, err := fmt.Fprintf(to, "# run %d has no answers, and no line\n", i+1); err != nil {
				return err
			}
			continue
		}
		if err := w.Write(result(trial, r)); err != nil {
			return err
		}
	}
	return nil
}

// comments are lines that readers of the format skip.
func comments(trial *record.Run) string {
	lines := []string{"target: " + cmp.Or(trial.Target, trial.Model), "offered: " + trial.Offered()}
	if h := trial.Header; h != nil {
		lines = append(lines, "command: "+h.Command, "queuelab: "+h.Version+", commit "+h.Commit, "working tree: "+h.Tree, "start: "+h.Start)
	}
	for i, line := range lines {
		lines[i] = "# " + strings.ReplaceAll(line, "\n", " ")
	}
	return strings.Join(lines, "\n")
}

func result(trial, r *record.Run) *benchfmt.Result {
	out := &benchfmt.Result{Name: benchfmt.Name(benchmarkName(trial)), Iters: int(r.Requests.Answered)}
	for _, c := range [][2]string{{"goos", runtime.GOOS}, {"goarch", runtime.GOARCH}, {"cpu", processor(trial.Header)}} {
		if c[1] != "" {
			out.Config = append(out.Config, benchfmt.Config{Key: c[0], Value: []byte(c[1]), File: true})
		}
	}
	time := func(key, unit string) {
		if v := pooled(key, whole(trial.Reps), r); v.Known() {
			out.Values = append(out.Values, benchfmt.Value{Value: float64(v) * 1e6, Unit: unit})
		}
	}
	time("mean", "ns/op")
	for _, key := range []string{"p50", "p90", "p99", "p99.9", "max"} {
		time(key, key+"-ns")
	}
	if r.Throughput.Known() {
		out.Values = append(out.Values, benchfmt.Value{Value: float64(r.Throughput), Unit: "answered/s"})
	}
	return out
}

// processor is the CPU's model, "" where it is not known.
func processor(h *record.Header) string {
	if h == nil {
		return ""
	}
	for _, fact := range h.Facts() {
		if fact[0] == "host cpu model" {
			return fact[1]
		}
	}
	return ""
}

// benchmarkName is the trial's name, or its loop's, in letters and digits, and the
// load.
func benchmarkName(trial *record.Run) string {
	name := trial.Trial.Name
	if name == "" {
		name = trial.Workload.Loop
	}
	var b strings.Builder
	for _, word := range strings.FieldsFunc(name, func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9')
	}) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	if b.Len() == 0 {
		b.WriteString("Trial")
	}
	if trial.Workload.Loop == "open" {
		return fmt.Sprintf("%s/rate=%g", b.String(), trial.Workload.Rate)
	}
	return fmt.Sprintf("%s/clients=%d", b.String(), trial.Workload.Clients)
}
