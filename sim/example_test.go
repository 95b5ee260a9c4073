package sim_test

import (
	"context"
	"fmt"

	"queuelab/measure/law"
	"queuelab/measure/workload"
	"queuelab/sim"
)

// An M/M/1 queue at ρ = 0.8, whose mean latency is 25 ms by theory.
func Example() {
	w := &workload.Workload{Open: true, Rate: 160, Requests: 1_000_000, Seed: 1}
	station := sim.Station{Servers: 1, Service: law.NewExponential(0.005)}
	run, err := sim.Run(context.Background(), w, station, sim.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: mean %.0f ms\n", run.Model, run.Latency["mean"])
	// Output: M/M/1: mean 25 ms
}
