package theory

import (
	"fmt"
	"strconv"
	"strings"

	"queuelab/sim/kendall"
)

// family is a pattern of Kendall's notation and the closed form for it.
type family struct {
	pattern string
	build   func(kendall.Model, Params) (Model, error)
}

// families are tried in order, the special before the general. In a pattern,
// the letter G stands for any law, c, K and N for any number.
var families = []family{
	{"M/M/1", newMM1},
	{"M/D/1", newMD1},
	{"M/G/1", newMG1},
	{"M/M/c", newMMc},
	{"M/M/c//N", newMMcN},
	{"G/G/1//N", newSaturated},
}

// New returns the closed form for a model. Its errors are an *[UnstableError],
// one that wraps [ErrNoClosedForm], or one that says which number is wrong.
func New(m kendall.Model, p Params) (Model, error) {
	if err := p.check(m); err != nil {
		return nil, err
	}
	if _, err := m.Service.ResolveSCV(p.SCV); err != nil {
		return nil, fmt.Errorf("%v: %w", m, err)
	}
	if !m.Closed() && m.Capacity == 0 {
		if err := p.stable(m); err != nil {
			return nil, err
		}
	}
	for _, f := range families {
		if f.covers(m) {
			return f.build(m, p)
		}
	}
	return nil, fmt.Errorf("%v: %w here (there is one for %s): simulate it", m, ErrNoClosedForm, patterns())
}

// covers says whether the pattern describes the model.
func (f family) covers(m kendall.Model) bool {
	parts := append(strings.Split(f.pattern, "/"), "", "")
	return coversLetter(parts[0], m.Arrival) && coversLetter(parts[1], m.Service) &&
		coversCount(parts[2], m.Servers) && coversCount(parts[3], m.Capacity) && coversCount(parts[4], m.Population)
}

func coversLetter(pattern string, l kendall.Letter) bool {
	return pattern == "G" || pattern == l.String()
}

// coversCount compares a count, 0 for unlimited, with a number, a variable or
// nothing.
func coversCount(pattern string, n int) bool {
	switch pattern {
	case "":
		return n == 0
	case "c", "K", "N":
		return n > 0
	}
	return pattern == strconv.Itoa(n)
}

func patterns() string {
	names := make([]string, len(families))
	for i, f := range families {
		names[i] = f.pattern
	}
	return strings.Join(names, ", ")
}
