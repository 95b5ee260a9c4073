package main

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"queuelab/measure/host"
	"queuelab/measure/record"
)

// version is the released version; commit is stamped by the Makefile, with
// "-dirty" behind it when the tree had uncommitted changes.
var (
	version = "0.1.0"
	commit  = ""
)

func runVersion(_ context.Context, c *console, args []string) error {
	f := newFlags(c, "version", "")
	if _, err := parse(f, args, 0); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "queuelab %s, commit %s, %s\n", version, builtFrom(), runtime.Version())
	return nil
}

// builtFrom is the commit that the program was built from, as far as it knows.
func builtFrom() string {
	if commit != "" {
		return commit
	}
	revision, dirty := "not available", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				dirty = "-dirty"
			}
		}
	}
	return revision + dirty
}

// plain are arguments that a shell takes as they are.
var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// quoted is an argument as a shell reads it, so that the command line of a header can
// be typed again.
func quoted(argument string) string {
	if plain.MatchString(argument) {
		return argument
	}
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}

// header is what every result of this command line says of the program.
func header(ctx context.Context, name string, args []string) *record.Header {
	words := []string{"queuelab", name}
	// One by one: once they are joined, nobody can tell where a header ends.
	for _, argument := range args {
		words = append(words, quoted(redact(argument)))
	}
	return &record.Header{
		Command: strings.Join(words, " "),
		Tree:    host.Tree(ctx, "."),
		Version: version,
		Commit:  builtFrom(),
		Go:      runtime.Version(),
		// Only a measurement knows them.
		SpeedBefore: record.Unknown(),
		SpeedAfter:  record.Unknown(),
	}
}
