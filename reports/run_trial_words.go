package reports

import (
	"fmt"
	"math"
	"strings"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// trialSections are a trial's parts of the page: what the runs say together, every
// run, and another machine's figures where there are any.
func (r *runner) trialSections(t *TargetResult, trial *TrialResult) ([]Section, error) {
	f, err := r.trialFigure(t, trial)
	if err != nil {
		return nil, err
	}
	heading := t.Name + ": " + trial.Title
	sections := []Section{
		{Heading: heading, Text: []string{trial.procedure(), trial.driftWords()}, Figure: f, Table: trial.table(), Notes: trial.notes()},
		{Heading: heading + ", every run", Table: trial.runsTable(t.Speeds), Notes: trial.files()},
	}
	if published := trial.publishedTable(); published != nil {
		sections = append(sections, Section{Heading: heading + ", as published", Table: published})
	}
	return sections, nil
}

// conditions say under which the runs were taken.
func (t *TrialResult) conditions() string {
	w := t.Endpoints[0].Run.Workload
	return fmt.Sprintf("%s of %s each, closed, %s", plural(t.runs(), "run"), span(workload.Nanoseconds(w.Seconds)), plural(w.Clients, "client"))
}

// procedure says how the runs were taken and how they are to be read.
func (t *TrialResult) procedure() string {
	text := t.conditions()
	if w := t.Endpoints[0].Run.Workload.Warmup; w > 0 {
		text += fmt.Sprintf(", after %s of traffic whose results are thrown away", span(workload.Nanoseconds(w)))
	}
	return text + ". The run is the sample, not the request: the median of the runs is quoted, since one slow run drags a mean. Between two single runs a change smaller than the spread shows nothing."
}

// words say what every endpoint reached.
func (t *TrialResult) words() string {
	var parts []string
	for _, e := range t.Endpoints {
		parts = append(parts, t.endpointWords(e))
	}
	return fmt.Sprintf("%s. %s", t.conditions(), strings.Join(parts, " "))
}

func (t *TrialResult) endpointWords(e *EndpointResult) string {
	q := e.quantity(record.ThroughputKey)
	if !q.Median.Known() {
		return fmt.Sprintf("%s has a run in which nothing was answered, and so no median.", e.Name)
	}
	name := e.Name
	if name == t.Ceiling {
		name += ", the ceiling,"
	}
	text := fmt.Sprintf("%s answered %s/s (spread %s %%", name, digits(q.Median), percentage(q.Spread))
	if q.Level.Known() {
		text += fmt.Sprintf("; %s %% interval of the median %s to %s/s", level(q), digits(q.Interval[0]), digits(q.Interval[1]))
	}
	if p99 := e.quantity("p99").Median; p99.Known() {
		text += fmt.Sprintf("; p99 %s ms", digits(p99))
	}
	text += ")"
	share, cost := t.against(e)
	if e.Name == t.Ceiling || !share.Known() {
		return text + "."
	}
	text += fmt.Sprintf(", which is %s %% of the ceiling: a request costs %s µs %s.", percentage(share), digits(record.Value(math.Abs(float64(cost)))), dearer(cost))
	if cost < 0 {
		text += fmt.Sprintf(" What is faster than %s has no ceiling in it.", t.Ceiling)
	}
	return text
}

func dearer(cost record.Value) string {
	if cost < 0 {
		return "less"
	}
	return "more"
}

// driftWords say how steady the machine was between the first run and the last.
func (t *TrialResult) driftWords() string {
	if t.Known {
		return "The server's service times are given, and do not depend on the machine's speed."
	}
	text := fmt.Sprintf("Around these runs the fixed piece of work took up to %.1f %% %s time than around the first one.", 100*math.Abs(float64(t.Work)), moreOrLess(t.Work))
	switch t.trust() {
	case "SUSPECT":
		text += fmt.Sprintf(" SUSPECT: the machine drifted by more than %.0f %%, so endpoints and runs that differ by as much may not differ at all.", 100*suspectDrift)
	case "INVALID":
		text += fmt.Sprintf(" INVALID: the machine drifted by more than %.0f %%, so these runs say little about the endpoints.", 100*invalidDrift)
	}
	return text
}

// warnings are those of all endpoints.
func (t *TrialResult) warnings() (out []string) {
	for _, e := range t.Endpoints {
		for _, w := range e.Run.Trial.Warnings {
			out = append(out, e.Name+": "+w+".")
		}
	}
	return out
}

// notes are the warnings, and whose rows were deleted.
func (t *TrialResult) notes() []string {
	out := t.warnings()
	for _, e := range t.Endpoints {
		if e.Rows != nil {
			out = append(out, fmt.Sprintf("%s writes to the table %s, which had %d rows before, %d after, and %d when its rows were deleted: %s", e.Name, e.Rows.Table, e.Rows.Before, e.Rows.After, e.Rows.Cleaned, e.Rows.Cleanup))
		}
	}
	return out
}

// files say where the trials are kept.
func (t *TrialResult) files() (out []string) {
	for _, e := range t.Endpoints {
		out = append(out, fmt.Sprintf("%s: %s/ holds trial.txt to read, benchmarks.txt for benchstat, run.json and every run in runs/.", e.Name, e.Folder))
	}
	return out
}

// finding says in a few sentences what a trial found.
func (t *TrialResult) finding() string {
	return fmt.Sprintf("%s: %s ", t.Title, t.words())
}
