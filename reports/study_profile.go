package reports

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

var (
	profileNames = []string{"tiny", "quick", "paper"}
	profileKeys  = []string{"calibrate", "closed", "open", "trial", CostKind, QueriesKind, LatenessKind, "reps", "warmup", "pause", "max_load", "scale", "scenario_reps"}
)

// Bounds of a profile.
const (
	minRun    = 100 * time.Millisecond
	maxRun    = 24 * time.Hour
	maxWarmup = time.Hour
	maxPause  = time.Hour
	maxReps   = 1000
	minScale  = 0.01
)

// readProfiles reads the profiles; the experiments must be known.
func (s *Study) readProfiles(v value) {
	o := v.object("profiles", profileNames)
	if o == nil {
		return
	}
	s.Profiles = map[string]Profile{}
	for _, name := range o.keys {
		inner := o.values[name]
		inner.name = "profile " + name
		if p := inner.object(inner.name, profileKeys); p != nil {
			s.Profiles[name] = s.readProfile(p)
		}
	}
	if len(o.keys) == 0 && len(o.misspelt) == 0 {
		v.r.refuse(v.line, "profiles is empty; write at least quick: {calibrate: 4s, closed: 3s, open: 5s, reps: 3}")
	}
	if len(v.r.problems) == 0 {
		s.refuseUnmeasured(v)
	}
}

func (s *Study) readProfile(o *object) Profile {
	p := Profile{Reps: 1, MaxLoad: 1, Scale: 1, ScenarioReps: 1}
	s.readLengths(o, &p)
	p.refuseParts(o)
	if v, ok := o.get("reps"); ok {
		p.Reps = v.whole(1, maxReps, "3")
	}
	if s.HasTrials() && p.Reps == 1 && !o.misspelt["reps"] {
		o.r.refuse(o.line, "%s takes one run of each trial, which says nothing about how far it moves; write at least reps: %d", o.what, minTrialRuns)
	}
	if v, ok := o.get("warmup"); ok {
		p.Warmup = v.duration(0, maxWarmup)
	}
	if v, ok := o.get("pause"); ok {
		p.Pause = v.duration(0, maxPause)
	}
	if v, ok := o.get("max_load"); ok {
		p.MaxLoad = v.number(minLoad, maxLoad, "0.9")
	}
	if v, ok := o.get("scale"); ok {
		p.Scale = v.number(minScale, 1, "0.5 for runs of half the length")
	}
	if v, ok := o.get("scenario_reps"); ok {
		p.ScenarioReps = v.whole(1, maxReps, "3")
	}
	return p
}

// readLengths reads the lengths of runs: those that the experiments need, and
// those that the profile gives.
func (s *Study) readLengths(o *object, p *Profile) {
	for _, l := range []struct {
		key, meaning string
		to           *time.Duration
		used         func(Experiment) bool
	}{
		{"calibrate", "the length of a calibration run, such as calibrate: 4s", &p.Calibrate, Experiment.predicted},
		{ClosedKind, "the length of a run of an experiment of kind closed, such as closed: 5s", &p.Closed, func(e Experiment) bool { return e.Kind == ClosedKind }},
		{OpenKind, "the length of a run of an experiment of kind open, such as open: 5s", &p.Open, func(e Experiment) bool { return e.Kind == OpenKind }},
		{TrialKind, "the length of a run of an experiment of kind trial, such as trial: 10s", &p.Trial, func(e Experiment) bool { return e.Kind == TrialKind }},
		{CostKind, lengthMeaning(CostKind), &p.Cost, func(e Experiment) bool { return e.Kind == CostKind }},
		{QueriesKind, lengthMeaning(QueriesKind), &p.Queries, func(e Experiment) bool { return e.Kind == QueriesKind }},
		{LatenessKind, lengthMeaning(LatenessKind), &p.Lateness, func(e Experiment) bool { return e.Kind == LatenessKind }},
	} {
		v, given := o.get(l.key)
		if !given && slices.ContainsFunc(s.Experiments, l.used) {
			o.need(l.key, l.meaning)
		}
		if given {
			*l.to = v.duration(minRun, maxRun)
		}
	}
}

// refuseUnmeasured refuses loads that no profile measures, and profiles that
// measure no load of an experiment.
func (s *Study) refuseUnmeasured(v value) {
	highest := 0.0
	for _, name := range slices.Sorted(maps.Keys(s.Profiles)) {
		p := s.Profiles[name]
		highest = max(highest, p.MaxLoad)
		for i, e := range s.Experiments {
			if e.Kind == OpenKind && len(p.Loads(e)) == 0 {
				v.r.refuse(v.line, "profile %s measures no load of experiment %d, because its max_load is %g; raise it or add a lower load", name, i+1, p.MaxLoad)
			}
			if alike(e.Cases(p)) {
				v.r.refuse(v.line, "profile %s shortens two runs of experiment %d to the same length; raise its scale of %g", name, i+1, p.Scale)
			}
		}
	}
	if len(v.r.problems) > 0 {
		return
	}
	for i, e := range s.Experiments {
		if e.Kind == OpenKind && len(e.Loads) > 0 && e.Loads[len(e.Loads)-1] > highest {
			v.r.refuse(v.line, "no profile measures the load %g of experiment %d, because the highest max_load is %g (1 where it is not set); raise it or remove the load",
				e.Loads[len(e.Loads)-1], i+1, highest)
		}
	}
}

// alike says whether two cases have one name.
func alike(cases []Case) bool {
	seen := map[string]bool{}
	for _, k := range cases {
		if seen[k.Name] {
			return true
		}
		seen[k.Name] = true
	}
	return false
}

// Profile returns the profile of that name.
func (s *Study) Profile(name string) (Profile, error) {
	p, found := s.Profiles[name]
	if !found {
		return Profile{}, fmt.Errorf("the study %s has no profile %q: use %s", s.Name, name,
			strings.Join(slices.Sorted(maps.Keys(s.Profiles)), ", "))
	}
	return p, nil
}

// Loads returns the offered loads of an open experiment that this profile
// measures.
func (p Profile) Loads(e Experiment) []float64 {
	var loads []float64
	for _, load := range e.Loads {
		if load <= p.MaxLoad {
			loads = append(loads, load)
		}
	}
	return loads
}
