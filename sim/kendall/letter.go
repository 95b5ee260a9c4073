package kendall

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind is the family of laws that a letter of the notation stands for.
type Kind byte

// The families, by the letter that Kendall's notation gives them.
const (
	Markovian        Kind = 'M' // exponential
	Deterministic    Kind = 'D' // always the same
	General          Kind = 'G' // any law
	Erlang           Kind = 'E' // sum of k exponential stages
	Hyperexponential Kind = 'H' // mixture of two exponential laws
)

// Letter is one of the first two parts of the notation: M, D, G, Ek or H2.
type Letter struct {
	Kind Kind
	// Stages is k of Ek, at least 1, and 2 for H2; 0 for the others.
	Stages int
}

// String writes the letter as the notation does: M, D, G, E4, H2.
func (l Letter) String() string {
	if l.Stages == 0 {
		return string(rune(l.Kind))
	}
	return string(rune(l.Kind)) + strconv.Itoa(l.Stages)
}

func parseLetter(text string) (Letter, error) {
	t := strings.ToUpper(strings.TrimSpace(text))
	switch t {
	case "M", "D", "G":
		return Letter{Kind: Kind(t[0])}, nil
	case "H2":
		return Letter{Kind: Hyperexponential, Stages: 2}, nil
	}
	if stages, ok := strings.CutPrefix(t, "E"); ok {
		k, err := parseCount(stages)
		if err != nil {
			return Letter{}, fmt.Errorf("the number of stages of %q: %w", text, err)
		}
		return Letter{Kind: Erlang, Stages: k}, nil
	}
	return Letter{}, fmt.Errorf("%q is none of M, D, G, E2, E3, … and H2", text)
}

// FixesSCV says whether the letter alone settles the squared coefficient of
// variation, and at which value: 1 for M, 0 for D, 1/k for Ek. H2 and G leave
// it open.
func (l Letter) FixesSCV() (scv float64, fixed bool) {
	switch l.Kind {
	case Markovian:
		return 1, true
	case Deterministic:
		return 0, true
	case Erlang:
		return 1 / float64(l.Stages), true
	}
	return 0, false
}

// ResolveSCV gives the squared coefficient of variation of the letter's law
// from the one that was given, where 0 stands for none given. It refuses a
// value that contradicts the letter, and a letter that needs one and has
// none.
func (l Letter) ResolveSCV(given float64) (float64, error) {
	if !(given >= 0 && given <= MaxSCV) {
		return 0, fmt.Errorf("the squared coefficient of variation %v is not a number from 0 to %v", given, MaxSCV)
	}
	if fixed, ok := l.FixesSCV(); ok {
		if given != 0 && given != fixed {
			return 0, fmt.Errorf("%v has a squared coefficient of variation of %v, not %v: leave it out, or use G", l, fixed, given)
		}
		return fixed, nil
	}
	switch {
	case given == 0:
		return 0, fmt.Errorf("%v needs the squared coefficient of variation, above 0 (for 0, use D)", l)
	case l.Kind == Hyperexponential && given <= 1:
		return 0, fmt.Errorf("H2 needs a squared coefficient of variation above 1, not %v (use M for 1, Ek for 1/k)", given)
	}
	return given, nil
}

// MaxSCV is the largest squared coefficient of variation that is accepted:
// far beyond any service ever measured, and small enough that no formula
// overflows.
const MaxSCV = 1e6
