package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// measuring are the verbs whose -json output is a run.
var measuring = []string{"bench", "simulate"}

// command is what -a or -b runs.
type command struct {
	text string // without secrets
	verb string // of this program; "" for another command
	rest string // what follows the verb, or the other command
}

// newCommand reads a command line. One that begins with a verb that measures, with
// or without queuelab before it, means this very program, and prints JSON unless it
// says otherwise.
func newCommand(text string) (*command, error) {
	text = strings.TrimSpace(text)
	c := &command{text: redactLine(text), rest: text}
	first, rest := firstWord(text)
	if first == "queuelab" {
		if first, rest = firstWord(rest); !slices.Contains(measuring, first) {
			return nil, fmt.Errorf("queuelab %s prints no run: use one of %s", cmp.Or(first, "alone"), strings.Join(measuring, ", "))
		}
	}
	if slices.Contains(measuring, first) {
		c.verb, c.rest = first, rest
	}
	return c, nil
}

// line is what a shell runs to which "$0" is this program. Each run of a verb gets a
// seed of its own unless the command names one: runs of one seed repeat one
// schedule, and simulated ones each other.
func (c *command) line() string {
	if c.verb == "" {
		return c.rest
	}
	return fmt.Sprintf(`"$0" %s -json -seed %d %s`, c.verb, workload.NewSeed(), c.rest)
}

var (
	// shellWord is one word of a command line, as far as blanks tell.
	shellWord = regexp.MustCompile(`\S+`)
	// quotedHeader is a header whose name tells of a secret, as an argument in quotes.
	quotedHeader = regexp.MustCompile(`(?i)(["'][^"':]*(?:key|token|secret|auth|cookie)[^"':]*:\s*)[^"']*`)
)

// redactLine removes secrets from a command line, of this program or another.
func redactLine(text string) string {
	text = quotedHeader.ReplaceAllString(redact(text), "${1}REDACTED")
	return shellWord.ReplaceAllStringFunc(text, redact)
}

func firstWord(text string) (word, rest string) {
	text = strings.TrimLeft(text, " \t\n")
	if end := strings.IndexAny(text, " \t\n"); end >= 0 {
		return text[:end], text[end:]
	}
	return text, ""
}

// parseOutput reads the run that a command printed: a JSON object that ends its
// output, or else the summary line as its last line.
func parseOutput(output []byte) (*record.Run, error) {
	output = bytes.TrimSpace(output)
	if len(output) == 0 {
		return nil, errors.New("it printed nothing: its last line must be the summary line, or what -json prints")
	}
	if begin := objectAtEnd(output); begin >= 0 {
		return record.ParseRun("what it printed", output[begin:])
	}
	last := output[bytes.LastIndexByte(output, '\n')+1:]
	return record.ParseLine(strings.TrimSpace(string(last)))
}

// objectAtEnd is where a JSON object begins that ends the output, at the begin of
// a line; -1 without one.
func objectAtEnd(output []byte) int {
	if output[len(output)-1] != '}' {
		return -1
	}
	begin := bytes.LastIndex(output, []byte("\n{")) + 1
	if output[begin] != '{' {
		return -1
	}
	return begin
}
