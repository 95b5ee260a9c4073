// Package law holds the probability laws of inter-arrival gaps, service times
// and think times: how they are spelled, their moments, and how they are drawn.
// One law a file; all times inside are seconds in float64.
package law

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// Law is a probability law of times that are never negative.
type Law interface {
	// Mean is the expectation in seconds.
	Mean() float64
	// SCV is the squared coefficient of variation, variance / mean²; it is
	// +Inf where the law has no variance.
	SCV() float64
	// Draw returns one value in seconds.
	Draw(r *rand.Rand) float64
	// String is the spelling that Parse accepts.
	String() string
}

// kind is how one law is read: its arguments, as they are shown in errors, and
// its constructor.
type kind struct {
	usage string
	make  func(args []string) (Law, error)
}

// kinds are the laws by name; Parse and its errors follow this table.
var kinds = map[string]kind{
	"det":       {"det:VALUE", parseDeterministic},
	"exp":       {"exp:MEAN", parseExponential},
	"hyper":     {"hyper:MEAN,SCV", parseHyperexponential},
	"lognormal": {"lognormal:MEAN,SCV", parseLognormal},
	"gamma":     {"gamma:MEAN,SCV", parseGamma},
	"weibull":   {"weibull:MEAN,SCV", parseWeibull},
	"erlang":    {"erlang:MEAN,K", parseErlang},
	"pareto":    {"pareto:MEAN,ALPHA", parsePareto},
	"uniform":   {"uniform:LO,HI", parseUniform},
	"file":      {"file:RUN", parseEmpirical},
}

const spellings = "det:5ms, exp:5ms, hyper|lognormal|gamma|weibull:MEAN,SCV, erlang:MEAN,K, pareto:MEAN,ALPHA, uniform:LO,HI, file:RUN or a bare duration"

// Parse reads a law such as "exp:5ms", "hyper:5ms,4" or "file:RUN"; a bare
// duration is deterministic.
func Parse(text string) (Law, error) {
	name, rest, found := strings.Cut(text, ":")
	if !found {
		name, rest = "det", text
	}
	k, known := kinds[name]
	if !known {
		return nil, fmt.Errorf("%q is not a law: use %s", text, spellings)
	}
	args := strings.Split(rest, ",")
	if name == "file" {
		args = []string{rest} // a path may hold commas
	}
	if want := strings.Count(k.usage, ",") + 1; len(args) != want {
		return nil, fmt.Errorf("the law %q has %d arguments where %s belongs", text, len(args), k.usage)
	}
	l, err := k.make(args)
	if err != nil {
		return nil, fmt.Errorf("the law %q cannot be used (%s): %w", text, k.usage, err)
	}
	return l, nil
}

// longest bounds the durations that laws are given. Below it seconds in float64
// keep every nanosecond, so that a law reads again as it was spelled.
const longest = 100 * time.Hour

// duration reads a duration of at most longest, which may be below zero.
func duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("%q is not a duration such as 5ms", text)
	}
	if d > longest {
		return 0, fmt.Errorf("%s is longer than the longest time of a law, %s", text, longest)
	}
	return d, nil
}

// seconds reads a duration that must be above zero.
func seconds(text string) (float64, error) {
	d, err := duration(text)
	if err != nil {
		return 0, err
	}
	if d <= 0 {
		return 0, fmt.Errorf("%s is not above zero", text)
	}
	return d.Seconds(), nil
}

// positive reads a number above zero. Its inverse must be finite too, hence the
// bounds, which lie far outside what is of use.
func positive(what, text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 1e-12 && v <= 1e12) {
		return 0, fmt.Errorf("%s is %q, not a number above zero (from 1e-12 to 1e12)", what, text)
	}
	return v, nil
}

// meanAnd reads a mean and a second, positive argument.
func meanAnd(what string, args []string) (mean, second float64, err error) {
	if mean, err = seconds(args[0]); err != nil {
		return 0, 0, err
	}
	second, err = positive(what, args[1])
	return mean, second, err
}

// spellSeconds spells a time so that Parse reads the same nanoseconds again.
func spellSeconds(s float64) string {
	return time.Duration(s*1e9 + 0.5).String()
}

func spellNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// spell joins a law's name, its mean and its second argument.
func spell(name string, mean, second float64) string {
	return name + ":" + spellSeconds(mean) + "," + spellNumber(second)
}
