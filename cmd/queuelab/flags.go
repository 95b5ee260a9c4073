package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// newFlags returns an empty flag set whose Usage prints what the verb does.
func newFlags(c *console, name, synopsis string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard) // errors are printed once, by report
	f.Usage = func() {
		fmt.Fprintf(c.out, "usage: queuelab %s %s\n\n", name, synopsis)
		f.SetOutput(c.out)
		f.PrintDefaults()
		f.SetOutput(io.Discard)
	}
	return f
}

// parse reads flags and positional words in any order; more words than wanted
// are refused.
func parse(f *flag.FlagSet, args []string, wanted int) (words []string, err error) {
	// The flag package prints the usage after any mistake; here only -h does.
	usage := f.Usage
	f.Usage = func() {}
	for {
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				usage()
				return nil, err
			}
			return nil, usageError{explain(err, f.Name())}
		}
		if f.NArg() == 0 {
			break
		}
		words = append(words, f.Arg(0))
		args = f.Args()[1:]
	}
	if len(words) > wanted {
		return nil, usagef("%q is left over: queuelab %s takes no such word", strings.Join(words[wanted:], " "), f.Name())
	}
	return words, nil
}

// explain says what the flag package leaves out: that durations need a unit.
func explain(err error, verb string) error {
	if text, cut := strings.CutSuffix(err.Error(), ": parse error"); cut {
		return fmt.Errorf("%s: write a number, or a duration with its unit such as 5ms", text)
	}
	return fmt.Errorf("%w: queuelab %s -h lists the flags", err, verb)
}

// given says which flags stood on the command line.
func given(f *flag.FlagSet) map[string]bool {
	set := map[string]bool{}
	f.Visit(func(fl *flag.Flag) { set[fl.Name] = true })
	return set
}

// list is a flag that may be repeated.
type list []string

func (l *list) String() string     { return strings.Join(*l, ", ") }
func (l *list) Set(v string) error { *l = append(*l, v); return nil }
