package reports

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// value is one value of a study file; its methods read it as what the study
// needs, or note the problem and return the zero value.
type value struct {
	r    *reading
	name string // such as "reps of profile quick"
	line int
	node ast.Node
}

// scalar is the value's text; want says in words what belongs there. Lists,
// mappings and the like are refused.
func (v value) scalar(want string) (text string, ok bool) {
	switch n := v.node.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		if n.Value == nil {
			return "", true
		}
		return n.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	case nil, *ast.NullNode:
		v.r.refuse(v.line, "%s is empty; write %s or remove the key", v.name, want)
	case *ast.SequenceNode:
		v.r.refuse(v.line, "%s is a list; write %s", v.name, want)
	case ast.MapNode:
		v.r.refuse(v.line, "%s is a mapping; write %s", v.name, want)
	default:
		v.r.refuse(v.line, "%s uses an anchor, alias or tag, which a study does not know; write %s", v.name, want)
	}
	return "", false
}

// bare is a scalar that may not be quoted.
func (v value) bare(want string) (text string, ok bool) {
	if n, is := v.node.(*ast.StringNode); is && n.Token != nil &&
		(n.Token.Type == token.SingleQuoteType || n.Token.Type == token.DoubleQuoteType) {
		v.r.refuse(v.line, "%s is quoted text; write %s, without quotes", v.name, want)
		return "", false
	}
	return v.scalar(want)
}

// text reads text in one line or several.
func (v value) text() string {
	text, ok := v.scalar("text")
	if ok && strings.TrimSpace(text) == "" {
		v.r.refuse(v.line, "%s is empty; write text or remove the key", v.name)
	}
	return strings.TrimSpace(text)
}

// words reads text and makes one line of it.
func (v value) words() string { return strings.Join(strings.Fields(v.text()), " ") }

// choice reads one of the given words.
func (v value) choice(choices ...string) string {
	text, ok := v.scalar(strings.Join(choices, " or "))
	if !ok {
		return ""
	}
	for _, c := range choices {
		if text == c {
			return c
		}
	}
	v.r.refuse(v.line, "%s is %s%s", v.name, shown(text), meant(text, choices))
	return ""
}

// number reads a number between lo and hi.
func (v value) number(lo, hi float64, example string) float64 {
	text, ok := v.bare("a number such as " + example)
	if !ok {
		return 0
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) {
		v.r.refuse(v.line, "%s is %s, which is not a number; write it like %s", v.name, shown(text), example)
		return 0
	}
	if n < lo || n > hi {
		v.r.refuse(v.line, "%s is %s and must lie between %g and %g; write it like %s", v.name, text, lo, hi, example)
		return 0
	}
	return n
}

// whole reads a whole number between lo and hi.
func (v value) whole(lo, hi int, example string) int {
	text, ok := v.bare("a whole number such as " + example)
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		v.r.refuse(v.line, "%s is %s, which is not a whole number; write it like %s", v.name, shown(text), example)
		return 0
	}
	if n < lo || n > hi {
		v.r.refuse(v.line, "%s is %s and must lie between %d and %d", v.name, text, lo, hi)
		return 0
	}
	return n
}

// flag reads true or false.
func (v value) flag() bool {
	text, ok := v.bare("true or false")
	if ok && text != "true" && text != "false" {
		v.r.refuse(v.line, "%s is %s; write true or false", v.name, shown(text))
	}
	return text == "true"
}

// percent reads a percentage above 0 and up to 100 as a fraction.
func (v value) percent() float64 {
	text, ok := v.scalar("a percentage such as 10%")
	if !ok {
		return 0
	}
	digits, found := strings.CutSuffix(text, "%")
	n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	switch {
	case err != nil || math.IsNaN(n):
		v.r.refuse(v.line, "%s is %s, which is not a percentage; write it like 10%%", v.name, shown(text))
	case !found && n > 0 && n < 1:
		v.r.refuse(v.line, "%s is %s without a unit; write %s%%", v.name, text, strconv.FormatFloat(100*n, 'g', 6, 64))
	case !found:
		v.r.refuse(v.line, "%s is %s without a unit; write %s%%", v.name, text, text)
	case !(n > 0) || n > 100:
		v.r.refuse(v.line, "%s is %s and must lie above 0%% and not above 100%%", v.name, text)
	default:
		return n / 100
	}
	return 0
}

// duration reads a time between lo and hi.
func (v value) duration(lo, hi time.Duration) time.Duration {
	text, ok := v.scalar("a duration such as 5s")
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || text == "0" {
		v.r.refuse(v.line, "%s is %s, which %s", v.name, shown(text), durationMeant(text))
		return 0
	}
	if d < lo || d > hi {
		v.r.refuse(v.line, "%s is %s and must lie between %s and %s", v.name, text, spellDuration(lo), spellDuration(hi))
		return 0
	}
	return d
}

// durationMeant says what is wrong with a duration and how it is written.
func durationMeant(text string) string {
	end := strings.LastIndexAny(text, "0123456789.") + 1
	number, unit := text[:end], strings.ToLower(strings.TrimSpace(text[end:]))
	if _, err := strconv.ParseFloat(number, 64); err != nil {
		return "is not a duration; write it like 5s or 500ms"
	}
	if unit == "" {
		return "is a number without a unit; write " + number + "s"
	}
	for prefix, right := range map[string]string{"sec": "s", "min": "m", "milli": "ms", "hour": "h", "s": "s", "m": "m", "h": "h", "ms": "ms"} {
		if unit == prefix || len(prefix) > 2 && strings.HasPrefix(unit, prefix) {
			return "is not how a duration is written; write " + number + right
		}
	}
	return "has a unit that is not known; write it like " + number + "s or " + number + "ms"
}

// spellDuration is a round duration as a study writes it: 1h, not 1h0m0s.
func spellDuration(d time.Duration) string {
	text := strings.TrimSuffix(d.String(), "m0s")
	if text != d.String() {
		text += "m"
	}
	if short, found := strings.CutSuffix(text, "h0m"); found {
		text = short + "h"
	}
	return text
}

// list reads a list with at least one element.
func (v value) list(example string) []value {
	sequence, ok := v.node.(*ast.SequenceNode)
	if !ok || len(sequence.Values) == 0 {
		v.r.refuse(v.line, "%s needs a list with at least one element, such as %s", v.name, example)
		return nil
	}
	var values []value
	for _, n := range sequence.Values {
		line := lineOf(n)
		if line == 0 {
			line = v.line
		}
		values = append(values, value{v.r, v.name, line, n})
	}
	return values
}
