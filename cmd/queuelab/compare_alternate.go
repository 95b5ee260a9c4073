package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"queuelab/measure/host"
	"queuelab/measure/record"
	"queuelab/measure/trial"
)

// alternation is the runs of two commands under way.
type alternation struct {
	console  *console
	commands [2]*command
	reps     int
	shell    shell
	keeper   *pairKeeper
	runs     [2][]*record.Run
	order    strings.Builder
}

// compareCommands runs the commands alternately and compares their runs. Runs that
// were taken before an interruption or a failure are compared all the same.
func (o *compareFlags) compareCommands(ctx context.Context, c *console, order *compareOrder) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("this program does not find itself: %w", err)
	}
	keeper, err := newPairKeeper(o.out)
	if err != nil {
		return err
	}
	t := &alternation{console: c, commands: order.commands, reps: order.reps, shell: shell{program, 20 * time.Second}, keeper: keeper}
	failed := t.take(ctx)
	if len(t.runs[0]) == 0 || len(t.runs[1]) == 0 {
		return errors.Join(failed, keeper.discard())
	}
	trials := [2]*record.Run{}
	for i, runs := range t.runs {
		trials[i] = trial.Combine("", runs)
		trials[i].Interrupted = trials[i].Interrupted || len(runs) < t.reps
	}
	result := newCompared(t.commands[0].text, t.commands[1].text, trials, order)
	result.Order, result.Interrupted = t.order.String(), failed != nil
	printed := o.print(c, result)
	kept := keeper.commit(trials)
	if kept == nil && o.out != "" {
		fmt.Fprintf(c.err, "kept in %s\n", o.out)
	}
	if failed != nil {
		return errors.Join(failed, printed, kept)
	}
	return errors.Join(printed, kept, result.exceeded())
}

// take takes the runs in the order ABBA ABBA …, so that a machine that slows down or
// speeds up does so for both.
func (t *alternation) take(ctx context.Context) error {
	for i := range t.reps {
		for _, side := range [2][2]int{{0, 1}, {1, 0}}[i%2] {
			if ctx.Err() != nil {
				return errInterrupted
			}
			if err := t.one(ctx, side); err != nil {
				return err
			}
		}
	}
	return nil
}

// one takes the next run of a side.
func (t *alternation) one(ctx context.Context, side int) error {
	n := len(t.runs[side])
	name := fmt.Sprintf("%c %d of %d", 'A'+side, n+1, t.reps)
	run, err := t.keeper.keep(side, n, func() (*record.Run, time.Time, error) {
		return t.measure(ctx, t.commands[side], name)
	})
	if err != nil {
		return err
	}
	t.runs[side] = append(t.runs[side], run)
	t.order.WriteByte("AB"[side])
	fmt.Fprintf(t.console.err, "%s: %s\n", name, run.Line)
	return nil
}

// measure runs a command once and reads what it printed.
func (t *alternation) measure(ctx context.Context, c *command, name string) (*record.Run, time.Time, error) {
	started := time.Now()
	output, said, err := t.shell.run(ctx, c.line())
	if ctx.Err() != nil {
		fmt.Fprintf(t.console.err, "%s was interrupted and does not count: %s\n", name, cmp.Or(lastWords(said), "it said nothing"))
		return nil, started, errInterrupted
	}
	if err != nil {
		return nil, started, fmt.Errorf("%s, %q, failed: %w", name, c.text, because(err, said))
	}
	run, err := parseOutput(output)
	if err != nil {
		return nil, started, fmt.Errorf("%s, %q, gave no run: %w", name, c.text, err)
	}
	if run.Header == nil {
		run.Header = &record.Header{
			Command: c.text, Host: host.Facts(),
			Start: started.UTC().Format(time.RFC3339Nano), End: time.Now().UTC().Format(time.RFC3339Nano),
			SpeedBefore: record.Unknown(), SpeedAfter: record.Unknown(),
		}
	}
	return run, started, nil
}
