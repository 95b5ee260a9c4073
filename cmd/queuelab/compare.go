package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"queuelab/analysis"
	"queuelab/measure/record"
)

// mostRuns is how many runs of a side are compared: their pairs are counted.
const mostRuns = 1000

// compareFlags are the flags of compare.
type compareFlags struct {
	set      *flag.FlagSet
	a, b     string
	reps     int
	quantity string
	slower   string
	json     bool
	out      string
}

// compareOrder is what a comparison is asked for.
type compareOrder struct {
	folders    []string    // two, or none
	commands   [2]*command // of A and B when there are no folders
	reps       int
	quantities []string // empty for all that are resolved
	slower     float64  // a share of A's value; 0 for no gate
}

// runCompare says whether two trials differ by more than their noise.
func runCompare(ctx context.Context, c *console, args []string) error {
	f := newFlags(c, "compare", "A B [flags] | -a CMD -b CMD [flags]")
	o := &compareFlags{set: f}
	f.StringVar(&o.a, "a", "", "run this command as A, alternating with B (ABBA), each time as a fresh process: bench or simulate with their flags, or any `command` whose last line is the summary line or that prints what -json prints")
	f.StringVar(&o.b, "b", "", "the `command` of B")
	f.IntVar(&o.reps, "reps", 5, "with -a and -b: runs of each")
	f.StringVar(&o.quantity, "quantity", "", "compare only these, such as throughput,p99 (default: all that every run resolves)")
	f.StringVar(&o.slower, "fail-if-slower", "", "exit with status 1 when B is shown to be slower, by an estimate of at least this `percentage` such as 5%")
	f.BoolVar(&o.json, "json", false, "print one JSON object instead of text")
	f.StringVar(&o.out, "out", "", "with -a and -b: keep the runs in this new folder")
	words, err := parse(f, args, 2)
	if err != nil {
		return err
	}
	order, err := o.read(words)
	if err != nil {
		return err
	}
	if len(order.folders) == 2 {
		return o.compareFolders(c, order)
	}
	return o.compareCommands(ctx, c, order)
}

// read checks the command line.
func (o *compareFlags) read(folders []string) (*compareOrder, error) {
	set := given(o.set)
	order := &compareOrder{folders: folders, reps: o.reps}
	commands := set["a"] || set["b"]
	var err error
	switch {
	case commands && len(folders) > 0:
		return nil, usagef("compare either two folders or the commands of -a and -b, not both: leave %s out", strings.Join(folders, " and "))
	case commands && (strings.TrimSpace(o.a) == "" || strings.TrimSpace(o.b) == ""):
		return nil, usagef("-a and -b need a command each")
	case !commands && len(folders) < 2:
		return nil, usagef("name two folders of runs or trials to compare, or give two commands with -a and -b")
	case !commands && (set["reps"] || set["out"]):
		return nil, usagef("-reps and -out are for runs that -a and -b measure: leave them out")
	case o.reps < 1 || o.reps > mostRuns:
		return nil, usagef("-reps is %d: it must be from 1 to %d", o.reps, mostRuns)
	}
	if commands {
		for i, text := range []string{o.a, o.b} {
			if order.commands[i], err = newCommand(text); err != nil {
				return nil, usageError{fmt.Errorf("-%c: %w", 'a'+i, err)}
			}
		}
	}
	if set["quantity"] {
		if order.quantities, err = analysis.ParseQuantities(o.quantity); err != nil {
			return nil, usageError{fmt.Errorf("-quantity: %w", err)}
		}
	}
	if set["fail-if-slower"] {
		if order.slower, err = parsePercentage(o.slower); err != nil {
			return nil, err
		}
		if family := cmp.Or(len(order.quantities), usualQuantities); commands && analysis.TooFewRuns(o.reps, family) {
			return nil, usagef("-fail-if-slower cannot be judged with -reps %d, which shows no difference in %d quantities, however large: give more, or one -quantity and at least -reps 4", o.reps, family)
		}
	}
	return order, nil
}

// usualQuantities is how many runs of usual length resolve.
const usualQuantities = 5

// parsePercentage reads "5%" as 0.05.
func parsePercentage(text string) (float64, error) {
	number, ok := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !ok || err != nil || !(v > 0 && v <= 1e6) {
		return 0, usagef("-fail-if-slower %q is no percentage above zero such as 5%%", text)
	}
	return v / 100, nil
}

// compareFolders compares what two folders hold.
func (o *compareFlags) compareFolders(c *console, order *compareOrder) error {
	var trials [2]*record.Run
	for i, folder := range order.folders {
		trial, err := record.ReadRun(folder)
		if err != nil {
			return err
		}
		if len(trial.Reps) > mostRuns {
			return usagef("%s holds %d runs, and compare takes %d at most", folder, len(trial.Reps), mostRuns)
		}
		trials[i] = trial
	}
	result := newCompared(order.folders[0], order.folders[1], trials, order)
	return errors.Join(o.print(c, result), result.exceeded())
}

func (o *compareFlags) print(c *console, result *compared) error {
	if o.json {
		return printJSON(c, result)
	}
	result.write(c.out)
	return nil
}
