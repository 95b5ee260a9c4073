package reports

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Profile returns the profile of that name.
func (s *Study) Profile(name string) (Profile, error) {
	p, found := s.Profiles[name]
	if !found {
		return Profile{}, fmt.Errorf("the study %s has no profile %q: use %s", s.Name, name,
			strings.Join(slices.Sorted(maps.Keys(s.Profiles)), ", "))
	}
	return p, nil
}

// Target returns the target of that name, nil when there is none.
func (s *Study) Target(name string) *Target {
	for i := range s.Targets {
		if s.Targets[i].Name == name {
			return &s.Targets[i]
		}
	}
	return nil
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
