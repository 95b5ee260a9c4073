package analysis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"queuelab/measure/record"
)

// Differences says in a sentence each in which circumstances two trials differ:
// source, target, program, generator, machine, workload, server, rows of the table
// written to. Uncommitted changes are named even where they are the same, because
// a commit does not say what they are. What moves by itself, load and stolen time,
// and a lab's own address does not count; neither does the seed.
func Differences(a, b *record.Run) []string {
	out := []string{}
	factsA, factsB := factsOf(a), factsOf(b)
	seen := map[string]bool{}
	for _, f := range slices.Concat(factsA, factsB) {
		if seen[f.label] {
			continue
		}
		seen[f.label] = true
		if of, in := valueOf(factsA, f.label), valueOf(factsB, f.label); of != in {
			out = append(out, fmt.Sprintf("%s: %s", f.label, contrast(of, in)))
		}
	}
	return append(out, uncommitted(a, b)...)
}

// fact is one circumstance of a trial, under a label that says what it is.
type fact struct{ label, value string }

func valueOf(facts []fact, label string) string {
	for _, f := range facts {
		if f.label == label {
			return f.value
		}
	}
	return ""
}

// factsOf are the circumstances of a trial in the order in which they are told.
func factsOf(r *record.Run) []fact {
	h := record.Header{}
	if r.Header != nil {
		h = *r.Header
	}
	_, lab := h.Server["placement"] // where a private server runs, which no other tells
	out := []fact{
		{"source", r.Source}, {"model", r.Model}, {"target", settled(r.Target, lab)},
		{"queuelab", h.Version}, {"commit", h.Commit}, {"working tree", h.Tree},
		{"generator built with", h.Go},
	}
	out = append(out, machineFacts(&h)...)
	out = append(out, workloadFacts(r.Workload)...)
	for _, name := range slices.Sorted(maps.Keys(h.Server)) {
		out = append(out, fact{"server, " + name, settled(h.Server[name], lab)})
	}
	if h.Rows != nil {
		out = append(out, fact{"rows of " + h.Rows.Table + " before", fmt.Sprint(h.Rows.Before)})
	}
	return out
}

// machineFacts are those of the machine, without what moves by itself and the Go
// version, which is told apart.
func machineFacts(h *record.Header) (out []fact) {
	// The name alone stands for a machine of which nothing is known.
	leftOut := []string{"host", "host load average", "host steal since boot", "host go"}
	for _, f := range h.HostFacts() {
		if !slices.Contains(leftOut, f[0]) {
			out = append(out, fact{"machine, " + strings.TrimPrefix(f[0], "host "), f[1]})
		}
	}
	return out
}

// workloadFacts are the members of a workload in a run's JSON, sorted by name.
func workloadFacts(w record.Workload) (out []fact) {
	text, err := json.Marshal(w)
	if err != nil {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // written as they are, not as powers of ten
	var values map[string]any
	if decoder.Decode(&values) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		out = append(out, fact{"workload, " + strings.ReplaceAll(name, "_", " "), fmt.Sprint(values[name])})
	}
	return out
}
