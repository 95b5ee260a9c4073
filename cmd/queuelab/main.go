// Command queuelab predicts open- and closed-loop latency, measures it on real
// servers, and draws both together. One file a verb: flags in, packages called,
// result printed.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"queuelab/measure/cleanup"
	"queuelab/measure/lab"
)

// verb is one of the program's commands.
type verb struct {
	name, summary string
	run           func(ctx context.Context, c *console, args []string) error
}

// verbs in the order in which help lists them.
func verbs() []verb {
	return []verb{
		{"bench", "measure one run against a real server", runBench},
		{"simulate", "run the same workload against a model of a server", runSimulate},
		{"theory", "closed-form results of a queueing model", runTheory},
		{"sweep", "find a server's capacity: closed runs over growing clients", runSweep},
		{"report", "measure and predict a study, and draw both as a report", runReport},
		{"serve", "the known-answer server: an HTTP server that is a queue", runServe},
		{"lab", "start a private pinned server until Ctrl-C", runLab},
		{"compare", "two trials or commands: do they differ by more than the noise?", runCompare},
		{"show", "print the folder of a run or a trial as text", runShow},
		{"doctor", "is this machine fit to measure?", runDoctor},
		{"version", "version, commit and Go version", runVersion},
	}
}

// console is where a verb prints.
type console struct {
	out, err io.Writer
}

func main() {
	lab.SuperviseIfAsked()
	cleanup.GuardIfAsked()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// After the first signal the verb saves and cleans up; a second one ends
	// the program at once, and the labs' supervisors still clean up.
	context.AfterFunc(ctx, stop)
	// A reader that goes away shall cost its own output, not the measurement.
	signal.Ignore(syscall.SIGPIPE)
	status := run(ctx, &console{os.Stdout, os.Stderr}, os.Args[1:])
	stop()
	os.Exit(status)
}

// run executes one command line and returns the exit status.
func run(ctx context.Context, c *console, args []string) int {
	if len(args) == 0 {
		help(c.err)
		return statusUsage
	}
	if name := args[0]; name == "help" || name == "-h" || name == "-help" || name == "--help" {
		help(c.out)
		return statusDone
	}
	for _, v := range verbs() {
		if v.name != args[0] {
			continue
		}
		out := &printer{to: c.out}
		err := v.run(ctx, &console{out, c.err}, args[1:])
		if err == nil && out.err != nil {
			err = fmt.Errorf("the result could not be printed: %w", out.err)
		}
		if err != nil && ctx.Err() != nil && !errors.Is(err, errInterrupted) {
			err = fmt.Errorf("%w: %w", errInterrupted, err)
		}
		return report(c, v.name, err)
	}
	fmt.Fprintf(c.err, "queuelab: %q is not a command: queuelab help lists them\n", args[0])
	return statusUsage
}

func help(w io.Writer) {
	fmt.Fprint(w, "queuelab predicts latency, measures it, and draws both together.\n\n")
	for _, v := range verbs() {
		fmt.Fprintf(w, "  queuelab %-9s %s\n", v.name, v.summary)
	}
	fmt.Fprint(w, "\nqueuelab COMMAND -h lists a command's flags.\n")
}
