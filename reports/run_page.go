package reports

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"queuelab/analysis"
)

// page draws all figures and lays the report out.
func (r *runner) page() (*Page, error) {
	p := &Page{
		Title:    r.Study.Title,
		Question: r.Study.Question,
		Header:   r.header(),
	}
	for _, t := range r.results.Targets {
		p.Lead = append(p.Lead, r.finding(t))
		for _, trial := range t.Trials {
			if warnings := trial.warnings(); len(warnings) > 0 {
				p.Lead = append(p.Lead, "Warnings: "+strings.Join(warnings, " "))
			}
		}
	}
	if r.results.Peers != nil {
		p.Lead = append(p.Lead, r.peersLead()...)
		if len(r.results.Peers.goals()) > 0 {
			p.Sections = append(p.Sections, r.results.Peers.goalSection())
		}
	}
	for _, e := range r.Study.Experiments {
		sections, err := r.experimentSections(e)
		if err != nil {
			return nil, err
		}
		p.Sections = append(p.Sections, sections...)
	}
	if r.results.Peers != nil {
		p.Sections = append(p.Sections, r.results.Peers.toolSection())
	}
	if len(r.results.Targets) > 0 {
		p.Sections = append(p.Sections, r.speedSection())
	}
	if s := r.verdictSection(); s.Heading != "" {
		p.Sections = append(p.Sections, s)
	}
	return p, nil
}

// experimentSections are the sections of one experiment, one or two a target,
// or a single one where its targets are drawn together.
func (r *runner) experimentSections(e Experiment) ([]Section, error) {
	if e.ofPeers() {
		return r.peersSections(e)
	}
	var out []Section
	var targets []*TargetResult
	var opens []*OpenResult
	for _, t := range r.results.Targets {
		for _, c := range t.Closed {
			if c.Title != e.Title {
				continue
			}
			sections, err := r.closedSections(t, c)
			if err != nil {
				return nil, err
			}
			out = append(out, sections...)
		}
		for _, o := range t.Open {
			if o.Title == e.Title {
				targets, opens = append(targets, t), append(opens, o)
			}
		}
		for _, s := range t.Scenarios {
			if s.Title != e.Title {
				continue
			}
			section, err := r.scenarioSection(t, s)
			if err != nil {
				return nil, err
			}
			out = append(out, section)
		}
		for _, trial := range t.Trials {
			if trial.Title != e.Title {
				continue
			}
			sections, err := r.trialSections(t, trial)
			if err != nil {
				return nil, err
			}
			out = append(out, sections...)
		}
	}
	if e.Kind == OpenKind {
		return r.openSections(e, targets, opens)
	}
	return out, nil
}

func (r *runner) openSections(e Experiment, targets []*TargetResult, opens []*OpenResult) ([]Section, error) {
	var out []Section
	for i, t := range targets {
		s := Section{
			Heading: t.Name + ": " + opens[i].Title,
			Text:    []string{distrusted(openWords(opens[i]), t)},
			Table:   openTable(opens[i], t.Speeds),
		}
		if !e.Together {
			var err error
			if s.Figure, err = r.openFigure(t, opens[i]); err != nil {
				return nil, err
			}
		}
		out = append(out, s)
	}
	if e.Together {
		f, err := r.togetherFigure(e.Title, targets, opens)
		if err != nil {
			return nil, err
		}
		out = append([]Section{{Heading: e.Title, Figure: f}}, out...)
	}
	return out, nil
}

// finding says in a paragraph what the report found on one target.
func (r *runner) finding(t *TargetResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", t.Name)
	for _, c := range t.Closed {
		peak := c.peak()
		fmt.Fprintf(&b, "calibration predicted a capacity of %s/s; the sweep's peak is %s/s with %s (ratio %.3f). ",
			digits(t.Calibration.Capacity), digits(peak.Observed.Throughput), plural(peak.Clients, "client"),
			float64(peak.Observed.Throughput/t.Calibration.Capacity))
	}
	for _, o := range t.Open {
		b.WriteString(agreementWords(o, r.Study.Margin))
	}
	for _, s := range t.Scenarios {
		b.WriteString(s.verdictWords(r.Study.Margin))
	}
	for _, trial := range t.Trials {
		b.WriteString(trial.finding())
	}
	fmt.Fprintf(&b, "Around its runs the fixed piece of work took up to %.1f %% more or less time than %s.", 100*t.largestDrift(), t.driftSince())
	if len(t.Closed)+len(t.Open) > 0 {
		b.WriteString(" Closed and open curves: " + t.drift().words())
	}
	for _, s := range t.Scenarios {
		if trust := s.drift().trust(); trust != "" {
			fmt.Fprintf(&b, " %s is %s.", s.Title, trust)
		}
	}
	for _, trial := range t.Trials {
		if trust := trial.trust(); trust != "" {
			fmt.Fprintf(&b, " %s is %s.", trial.Title, trust)
		}
	}
	return b.String()
}

// agreementWords counts an open experiment's verdicts.
func agreementWords(o *OpenResult, margin float64) string {
	counts := map[string]int{}
	judged := 0
	for i := range o.Points {
		for _, a := range []analysis.Agreement{o.Points[i].Mean, o.Points[i].P99} {
			if a.Verdict != analysis.Unjudged {
				judged++
			}
			counts[a.Verdict]++
		}
	}
	if judged == 0 {
		return fmt.Sprintf("%s: no verdicts, which take at least two runs that resolve a quantity. ", o.Title)
	}
	return fmt.Sprintf("%s: of %s held against ±%.0f %%, %d AGREES, %d DISAGREES, %d INCONCLUSIVE. ",
		o.Title, plural(judged, "prediction"), 100*margin, counts[analysis.Agrees], counts[analysis.Disagrees], counts[analysis.Inconclusive])
}

// header says how the report came about.
func (r *runner) header() [][2]string {
	h := r.results.Header
	rows := [][2]string{
		{"command", h.Command},
		{"version", fmt.Sprintf("queuelab %s, commit %s, %s", h.Version, h.Commit, h.Go)},
		{"working tree", h.Tree},
		{"study", fmt.Sprintf("%s, profile %s, SHA-256 %s", r.Study.Name, r.profileWords(), r.Study.Hash)},
	}
	if slices.ContainsFunc(r.Study.Experiments, Experiment.predicted) {
		rows = append(rows, [2]string{"margin", fmt.Sprintf("±%.0f %%, fixed in the study before the measurement", 100*r.Study.Margin)})
	}
	if len(r.Study.Targets) > 0 {
		rows = append(rows, [2]string{"seed", fmt.Sprint(r.Study.Seed)})
	}
	rows = append(rows, [2]string{"start", instant(r.results.Start)}, [2]string{"end", instant(r.results.End)})
	rows = append(rows, h.HostFacts()...)
	for _, t := range r.results.Targets {
		rows = append(rows, t.addresses()...)
		for _, key := range slices.Sorted(maps.Keys(t.Server)) {
			rows = append(rows, [2]string{t.Name + ": " + key, t.Server[key]})
		}
	}
	return rows
}

// profileWords name the profile and what was set from outside.
func (r *runner) profileWords() string {
	if len(r.results.Set) == 0 {
		return r.Profile
	}
	return r.Profile + " with " + strings.Join(r.results.Set, ", ") + " in its trials"
}

// addresses say where the target was reached, and when it was predicted.
func (t *TargetResult) addresses() (rows [][2]string) {
	if !t.Predicted.IsZero() {
		rows = append(rows, [2]string{t.Name + " at", t.Address}, [2]string{t.Name + " predicted at", instant(t.Predicted)})
	}
	for _, trial := range t.Trials {
		for _, e := range trial.Endpoints {
			rows = append(rows, [2]string{t.Name + ", " + e.Name + " at", e.Run.Target})
		}
	}
	return rows
}

func instant(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }
