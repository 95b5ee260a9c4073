package peer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTurnsGoToAndFro(t *testing.T) {
	tools := []Tool{{Name: "queuelab"}, {Name: "wrk"}, {Name: "hey"}}
	order, err := turns(tools, 3, func(kind) bool { return true }, "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range order {
		if o.kind.name != o.tool.Name {
			t.Errorf("%s is run as %s", o.tool.Name, o.kind.name)
		}
		got = append(got, fmt.Sprint(o.tool.Name, o.run))
	}
	want := []string{"queuelab1", "wrk1", "hey1", "hey2", "wrk2", "queuelab2", "queuelab3", "wrk3", "hey3"}
	if !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

func TestEachTellsAndEnds(t *testing.T) {
	order, err := turns([]Tool{{Name: "wrk"}, {Name: "hey"}}, 2, func(kind) bool { return true }, "")
	if err != nil {
		t.Fatal(err)
	}
	var steps []string
	failure, done := errors.New("broken"), 0
	err = each(t.Context(), order, func(s string) { steps = append(steps, s) }, "cost", func(context.Context, turn) error {
		if done++; done == 3 {
			return failure
		}
		return nil
	})
	if want := []string{"cost: wrk (1 of 4)", "cost: hey (2 of 4)", "cost: hey (3 of 4)"}; !errors.Is(err, failure) || !slices.Equal(steps, want) {
		t.Errorf("steps %v, %v; want %v and the failure", steps, err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = each(ctx, order, nil, "cost", func(context.Context, turn) error {
		t.Error("a turn after the end")
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

// What cannot be measured is refused before anything is started.
func TestPlansThatAreRefused(t *testing.T) {
	tools := func(names ...string) (all []Tool) {
		for _, name := range names {
			all = append(all, Tool{Name: name, Path: "/nowhere/" + name})
		}
		return all
	}
	cost := func(p CostPlan) error { _, err := MeasureCost(t.Context(), p); return err }
	sql := func(p CostPlan) error { _, err := MeasureQueries(t.Context(), p); return err }
	late := func(p LatenessPlan) error { _, err := MeasureLateness(t.Context(), p); return err }
	tests := []struct {
		err error
		why string
	}{
		{cost(CostPlan{Clients: 1, Length: time.Second, Runs: 1}), "no load generator is given"},
		{cost(CostPlan{Tools: tools("siege"), Clients: 1, Length: time.Second, Runs: 1}), `"siege"`},
		{cost(CostPlan{Tools: tools("wrk", "pgbench"), Clients: 1, Length: time.Second, Runs: 1}), "pgbench cannot send requests by HTTP"},
		{cost(CostPlan{Tools: tools("wrk"), Clients: 1, Length: time.Second}), "0 runs"},
		{cost(CostPlan{Tools: tools("wrk"), Length: time.Second, Runs: 1}), "0 clients"},
		{cost(CostPlan{Tools: tools("wrk"), Clients: 1, Length: 1500 * time.Millisecond, Runs: 1}), "1.5s"},
		{sql(CostPlan{Tools: tools("wrk"), Clients: 1, Length: time.Second, Runs: 1}), "wrk cannot send queries"},
		{late(LatenessPlan{Tools: tools("vegeta", "wrk"), Rate: 1, Length: time.Second, Runs: 1}), "wrk cannot send on an even schedule"},
		{late(LatenessPlan{Tools: tools("ab"), Rate: 1, Length: time.Second, Runs: 1}), "ab cannot"},
		{late(LatenessPlan{Tools: tools("vegeta"), Rate: 0.5, Length: time.Second, Runs: 1}), "rate of 0.5"},
		{late(LatenessPlan{Tools: tools("vegeta"), Rate: 1.5, Length: time.Second, Runs: 1}), "rate of 1.5"},
		{late(LatenessPlan{Tools: tools("vegeta"), Rate: 10, Length: 0, Runs: 1}), "0s"},
	}
	for _, test := range tests {
		if test.err == nil || !strings.Contains(test.err.Error(), test.why) {
			t.Errorf("error %v, want one with %q", test.err, test.why)
		}
	}
}
