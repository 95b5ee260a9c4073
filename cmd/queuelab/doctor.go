package main

import (
	"context"
	"fmt"

	"queuelab/measure/host"
)

// runDoctor says whether this machine is fit to measure.
func runDoctor(_ context.Context, c *console, args []string) error {
	f := newFlags(c, "doctor", "")
	if _, err := parse(f, args, 0); err != nil {
		return err
	}
	for _, check := range host.Doctor() {
		fmt.Fprintf(c.out, "%-13s  %s: %s\n", check.Status, check.Name, check.Seen)
		if check.Status == host.Good {
			continue
		}
		fmt.Fprintf(c.out, "               %s\n", check.Meaning)
		if check.Mend != "" {
			fmt.Fprintf(c.out, "               %s\n", check.Mend)
		}
	}
	return nil
}
