package record

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Facts are the header's, by name and in a fixed order; a value may have several
// lines. Nothing is left out: what is not known says so.
func (h *Header) Facts() [][2]string {
	facts := [][2]string{
		{"command", h.Command},
		{"queuelab", fmt.Sprintf("%s, commit %s, %s", h.Version, h.Commit, h.Go)},
		{"working tree", available(h.Tree)},
		{"start (UTC)", available(h.Start)},
		{"end (UTC)", available(h.End)},
		{"steal", available(h.Steal)},
		{"machine speed", h.speed()},
	}
	if r := h.Rows; r != nil {
		facts = append(facts, [2]string{"rows of " + r.Table, fmt.Sprintf("%d before, %d after, %d after clean-up by %s", r.Before, r.After, r.Cleaned, r.Cleanup)})
	}
	facts = append(facts, h.HostFacts()...)
	for _, key := range slices.Sorted(maps.Keys(h.Server)) {
		facts = append(facts, [2]string{"server " + key, h.Server[key]})
	}
	return facts
}

// HostFacts are those of the machine, by name and sorted; a run read from a file
// holds them as a map.
func (h *Header) HostFacts() [][2]string {
	var values map[string]any
	text, err := json.Marshal(h.Host)
	if err != nil || json.Unmarshal(text, &values) != nil || values == nil {
		return [][2]string{{"host", available("")}}
	}
	var facts [][2]string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		facts = append(facts, [2]string{"host " + strings.ReplaceAll(key, "_", " "), factText(values[key])})
	}
	return facts
}

// factText is a fact as text: a list has a line for each entry.
func factText(v any) string {
	list, ok := v.([]any)
	if !ok {
		return fmt.Sprint(v)
	}
	lines := make([]string, len(list))
	for i, entry := range list {
		lines[i] = fmt.Sprint(entry)
	}
	return strings.Join(lines, "\n")
}

// speed says how long the fixed piece of work took, which a simulation does not time.
func (h *Header) speed() string {
	if !h.SpeedBefore.Known() || !h.SpeedAfter.Known() {
		return available("")
	}
	return fmt.Sprintf("a fixed piece of work took %s before and %s after", number(h.SpeedBefore, "ms"), number(h.SpeedAfter, "ms"))
}

func available(text string) string {
	if text == "" {
		return "not available"
	}
	return text
}

// WriteText writes the header's facts, a name and a value a line; the further lines
// of a value are indented. An error of the writer is the writer's to keep.
func (h *Header) WriteText(w io.Writer) {
	for _, fact := range h.Facts() {
		lines := strings.Split(strings.TrimRight(fact[1], "\n"), "\n")
		if len(lines) > 1 {
			fmt.Fprintf(w, "%s:\n    %s\n", fact[0], strings.Join(lines, "\n    "))
			continue
		}
		fmt.Fprintf(w, "%s: %s\n", fact[0], lines[0])
	}
}
