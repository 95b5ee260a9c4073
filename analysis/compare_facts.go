package analysis

import (
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
	out = append(out, members("machine", h.Host, "load_average", "steal_since_boot", "go")...)
	out = append(out, members("workload", r.Workload)...)
	for _, name := range slices.Sorted(maps.Keys(h.Server)) {
		out = append(out, fact{"server, " + name, settled(h.Server[name], lab)})
	}
	if h.Rows != nil {
		out = append(out, fact{"rows of " + h.Rows.Table + " before", fmt.Sprint(h.Rows.Before)})
	}
	return out
}

// members are the members of a JSON object as facts, sorted by name, without those
// left out. What a run folder held and what a program just found out look the same.
func members(label string, object any, leftOut ...string) []fact {
	text, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	var values map[string]any
	if json.Unmarshal(text, &values) != nil {
		return nil
	}
	var out []fact
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(leftOut, name) {
			out = append(out, fact{label + ", " + strings.ReplaceAll(name, "_", " "), plain(values[name])})
		}
	}
	return out
}

// plain writes a JSON value as text: a list as one line an entry.
func plain(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		lines := make([]string, len(v))
		for i, entry := range v {
			lines[i] = plain(entry)
		}
		return strings.Join(lines, "\n")
	}
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}
