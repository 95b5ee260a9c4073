package theory_test

import (
	"fmt"

	"queuelab/sim/kendall"
	"queuelab/sim/theory"
)

func Example() {
	m, _ := kendall.Parse("M/D/1")
	queue, err := theory.New(m, theory.Params{Rate: 160, Mean: 0.005}) // per second, seconds
	if err != nil {
		fmt.Println(err)
		return
	}
	mean, _ := queue.MeanLatency()
	p99, _ := queue.LatencyQuantile(0.99)
	fmt.Printf("ρ = %.2f, mean %.1f ms, p99 %.1f ms\n", queue.Utilisation(), mean*1e3, p99*1e3)
	// Output: ρ = 0.80, mean 15.0 ms, p99 56.8 ms
}
