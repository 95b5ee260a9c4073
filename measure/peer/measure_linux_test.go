package peer

import (
	"errors"
	"slices"
	"testing"
	"time"

	"queuelab/measure/lab"
)

// installed are queuelab and those of the named tools that are here.
func installed(t *testing.T, names ...string) []Tool {
	t.Helper()
	own, err := queuelab()
	if err != nil {
		t.Fatal(err)
	}
	found, missing, err := Find(names)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range missing {
		t.Logf("%s is not installed: %s", m.Name, m.Install)
	}
	return append([]Tool{own}, found...)
}

// checkCosts looks at one run of each tool with real figures.
func checkCosts(t *testing.T, tools []Tool, costs []Cost) {
	t.Helper()
	if len(costs) != len(tools) {
		t.Fatalf("%d costs of %d tools", len(costs), len(tools))
	}
	for i, c := range costs {
		t.Logf("%-10s %.1f µs a request, %d requests in %.2f s", c.Tool, c.PerRequest(), c.Requests, c.Elapsed)
		if c.Tool != tools[i].Name || c.Run != 1 {
			t.Errorf("cost %d is run %d of %s", i, c.Run, c.Tool)
		}
		if c.Requests < 10 || c.Elapsed <= 0 || c.Elapsed > 30 {
			t.Errorf("%s: %d requests in %v s", c.Tool, c.Requests, c.Elapsed)
		}
		// No request costs less than a microsecond: it takes two system calls.
		if c.PerRequest() < 1 {
			t.Errorf("%s: %v µs a request", c.Tool, c.PerRequest())
		}
	}
}

func TestCostOfRealTools(t *testing.T) {
	tools := installed(t, "wrk", "bombardier", "hey", "ab", "vegeta")
	costs, err := MeasureCost(t.Context(), CostPlan{Tools: tools, Clients: 4, Length: time.Second, Runs: 1})
	if err != nil {
		t.Fatal(err)
	}
	checkCosts(t, tools, costs)
}

func TestCostOfRealQueries(t *testing.T) {
	if _, err := lab.Find("postgres"); err != nil {
		var missing *lab.MissingError
		if errors.As(err, &missing) {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	tools := installed(t, "pgbench")
	costs, err := MeasureQueries(t.Context(), CostPlan{Tools: tools, Clients: 4, Length: time.Second, Runs: 1})
	if err != nil {
		t.Fatal(err)
	}
	checkCosts(t, tools, costs)
}

// How punctual anything is, a busy machine decides; that every request of queuelab's
// schedule is seen, it does not.
func TestLatenessOfRealTools(t *testing.T) {
	tools := installed(t, "vegeta", "bombardier", "hey")
	const rate = 200
	all, err := MeasureLateness(t.Context(), LatenessPlan{Tools: tools, Rate: rate, Length: time.Second, Runs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(tools) {
		t.Fatalf("%d results of %d tools", len(all), len(tools))
	}
	for i, l := range all {
		t.Logf("%-10s %d requests, %.1f/s, SCV %.4f, p50 %.0f p99 %.0f max %.0f µs late", l.Tool, l.Requests, l.Offered, l.SCV, l.P50, l.P99, l.Max)
		if l.Tool != tools[i].Name || l.Run != 1 || l.Rate != rate {
			t.Errorf("result %d is run %d of %s at %v/s", i, l.Run, l.Tool, l.Rate)
		}
		if l.Requests < rate/10 || l.Requests > 2*rate || l.Offered < rate/20 || l.Offered > 20*rate {
			t.Errorf("%s: %d requests, %v/s", l.Tool, l.Requests, l.Offered)
		}
		if !slices.IsSorted(l.Sorted) || l.Sorted[0] < 0 || l.P99 > l.Max || l.SCV < 0 {
			t.Errorf("%s: %+v", l.Tool, l)
		}
	}
	if all[0].Requests != rate {
		t.Errorf("%d requests of queuelab were received, want %d", all[0].Requests, rate)
	}
}

// A tool that fails costs the runs after it, not those before.
func TestRunsBeforeAFailureAreKept(t *testing.T) {
	tools := append(installed(t), script(t, t.TempDir(), "vegeta", "exit 1\n"))
	p := LatenessPlan{Tools: tools, Rate: 100, Length: time.Second, Runs: 1}
	if all, err := MeasureLateness(t.Context(), p); err == nil || len(all) != 1 || all[0].Tool != "queuelab" {
		t.Errorf("%d runs and the error %v, want one run and that of vegeta", len(all), err)
	}
}
