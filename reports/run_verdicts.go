package reports

import (
	"fmt"
	"slices"
	"strings"

	"queuelab/measure/record"
)

// VerdictResult says whether one run can be believed.
type VerdictResult struct {
	Run     string   `json:"run"`
	Verdict string   `json:"verdict"`
	Reasons []string `json:"reasons,omitempty"`
}

// judged notes the verdict on a run.
func (t *TargetResult) judged(name string, run *record.Run) {
	if run.Validity != nil {
		t.Verdicts = append(t.Verdicts, VerdictResult{name, run.Validity.Verdict, run.Validity.Reasons})
	}
}

// count is how many runs have a verdict.
func (t *TargetResult) count(verdict string) (n int) {
	for _, v := range t.Verdicts {
		if v.Verdict == verdict {
			n++
		}
	}
	return n
}

// stamp is the verdict that a figure bears: INVALID when one of the runs that it is
// drawn from is, and otherwise what the machine's drift makes of it.
func stamp(trust string, runs []*record.Run) string {
	for _, run := range runs {
		if run.Verdict() == record.Invalid {
			return record.Invalid
		}
	}
	return trust
}

func (c *ClosedResult) stamp(t *TargetResult) string {
	var runs []*record.Run
	for _, p := range c.Points {
		runs = append(runs, p.Observed)
	}
	return stamp(t.drift().trust(), runs)
}

func (o *OpenResult) stamp(t *TargetResult) string {
	var runs []*record.Run
	for _, p := range o.Points {
		for _, run := range p.Runs {
			runs = append(runs, run.Observed)
		}
	}
	return stamp(t.drift().trust(), runs)
}

func (s *ScenarioResult) stamp() string {
	var runs []*record.Run
	for _, c := range s.Cases {
		for _, run := range c.Runs {
			runs = append(runs, run.Observed)
		}
	}
	return stamp(s.drift().trust(), runs)
}

func (t *TrialResult) stamp() string {
	var runs []*record.Run
	for _, e := range t.Endpoints {
		runs = append(runs, e.Run.Reps...)
	}
	return stamp(t.trust(), runs)
}

// mark is a figure's verdict in the words beside it.
func mark(verdict string) string {
	if verdict == "" {
		return ""
	}
	return " (" + verdict + ")"
}

// mostListed bounds the runs of a target whose reasons are given one by one.
const mostListed = 8

// verdictSection says which runs can be believed; an empty heading means that none was
// judged.
func (r *runner) verdictSection() Section {
	calibrations := ""
	if slices.ContainsFunc(r.Study.Experiments, Experiment.predicted) {
		calibrations = ", the calibrations' included"
	}
	table := &Table{
		Columns: []string{"target", "runs", record.Valid, record.Suspect, record.Invalid},
		Units:   make([]string, 5),
		Caption: "Verdicts on the runs" + calibrations + ": each was held against the schedule, the arrival law, Little's law, the generator's load, the machine's speed and the server's own count. The reasons of all stand in their folders under data/runs.",
	}
	section := Section{Heading: "Which runs can be believed", Table: table}
	for _, t := range r.results.Targets {
		if len(t.Verdicts) == 0 {
			continue
		}
		row := []string{t.Name, fmt.Sprint(len(t.Verdicts))}
		for _, verdict := range table.Columns[2:] {
			row = append(row, fmt.Sprint(t.count(verdict)))
		}
		table.Rows = append(table.Rows, Cells(row...))
		section.Notes = append(section.Notes, t.doubts()...)
	}
	if len(table.Rows) == 0 {
		return Section{}
	}
	return section
}

// doubts are the reasons of a target's runs that are not VALID, the worst first.
func (t *TargetResult) doubts() (lines []string) {
	left := 0
	for _, verdict := range []string{record.Invalid, record.Suspect} {
		for _, v := range t.Verdicts {
			switch {
			case v.Verdict != verdict:
			case len(lines) == mostListed:
				left++
			default:
				lines = append(lines, fmt.Sprintf("%s, %s: %s: %s.", t.Name, v.Run, v.Verdict, strings.Join(v.Reasons, "; ")))
			}
		}
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("%s: %s more that are not VALID.", t.Name, plural(left, "run")))
	}
	return lines
}
