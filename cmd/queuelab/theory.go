package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"queuelab/measure/record"
	"queuelab/sim/kendall"
	"queuelab/sim/theory"
)

// runTheory prints the closed form of a model.
func runTheory(ctx context.Context, c *console, args []string) error {
	f := newFlags(c, "theory", "-model A/S/c/K/N -mean D [flags]")
	text := f.String("model", "", "the model in Kendall's notation: M/M/1, M/D/1, M/M/3, M/G/1, M/M/1//10")
	rate := f.Float64("rate", 0, "open: arrivals per second")
	mean := f.Duration("mean", 0, "mean service time")
	scv := f.Float64("scv", 0, "G and H2: squared coefficient of variation of the service time")
	think := f.Duration("think", 0, "closed: mean think time Z")
	list := f.String("quantiles", "0.5,0.9,0.99,0.999", "quantiles to print")
	asJSON := f.Bool("json", false, "print one JSON object instead of a table")
	if _, err := parse(f, args, 0); err != nil {
		return err
	}
	if *text == "" || *mean <= 0 {
		return usagef("-model and a -mean service time above zero are needed, such as -model M/D/1 -mean 5ms -rate 100")
	}
	quantiles, err := parseQuantiles(*list)
	if err != nil {
		return err
	}
	model, err := kendall.Parse(*text)
	if err != nil {
		return usageError{err}
	}
	if !model.Closed() && !given(f)["rate"] {
		return usagef("%s is an open model: give the arrival rate with -rate", model)
	}
	params := theory.Params{Rate: *rate, Mean: mean.Seconds(), SCV: *scv, Think: think.Seconds()}
	run, err := theoryRun(model, params, quantiles)
	if err != nil {
		return usageError{err}
	}
	run.Header = header(ctx, "theory", args)
	if *asJSON {
		return printJSON(c, run)
	}
	printTheory(c, run, quantiles)
	return nil
}

func parseQuantiles(text string) ([]float64, error) {
	var out []float64
	for _, word := range strings.Split(text, ",") {
		q, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || !(q > 0 && q < 1) {
			return nil, usagef("-quantiles %q: %q is not a number between 0 and 1", text, word)
		}
		out = append(out, q)
	}
	return out, nil
}

// theoryRun is a model's closed form as a run.
func theoryRun(k kendall.Model, p theory.Params, quantiles []float64) (*record.Run, error) {
	run := record.NewRun(record.Theory)
	run.Model = k.String()
	run.Workload = record.Workload{Loop: "open", Rate: p.Rate, Arrivals: "poisson"}
	if k.Closed() {
		run.Workload = record.Workload{Loop: "closed", Clients: k.Population}
		if p.Think > 0 {
			run.Workload.Think = "exp:" + time.Duration(p.Think*1e9).String()
		}
	}
	stable := true
	run.Stable = &stable
	m, err := theory.New(k, p)
	var unstable *theory.UnstableError
	if errors.As(err, &unstable) {
		stable = false
		run.Utilisation = record.Value(unstable.Utilisation)
		run.Growth = record.Value(unstable.Growth() * 1e3)
		return run, nil
	}
	if err != nil {
		return nil, err
	}
	run.Utilisation, run.Throughput = record.Value(m.Utilisation()), record.Value(m.Throughput())
	run.Loss, run.InSystem = record.Value(m.Loss()), record.Value(m.InSystem())
	run.Formulas = m.Formulas()
	run.Latency = theoryQuantities(m.MeanLatency, m.LatencyQuantile, quantiles)
	run.Wait = theoryQuantities(m.MeanWait, m.WaitQuantile, quantiles)
	return run, nil
}

// theoryQuantities asks for a mean and quantiles; what has no closed form is
// unknown.
func theoryQuantities(mean func() (float64, error), quantile func(float64) (float64, error), qs []float64) record.Quantities {
	value := func(seconds float64, err error) record.Value {
		if err != nil {
			return record.Unknown()
		}
		return record.Value(seconds * 1e3)
	}
	out := record.Quantities{"mean": value(mean())}
	for _, q := range qs {
		out[record.QuantileKey(q)] = value(quantile(q))
	}
	return out
}

func printTheory(c *console, run *record.Run, quantiles []float64) {
	fmt.Fprintf(c.out, "%s\n", run.Model)
	if !*run.Stable {
		fmt.Fprintf(c.out, "unstable: utilisation ρ %.4g; latency grows by %.4g ms each second\n", float64(run.Utilisation), float64(run.Growth))
		return
	}
	fmt.Fprintf(c.out, "utilisation ρ %.4g, throughput %.6g/s, mean number in system %.6g\n\n",
		float64(run.Utilisation), float64(run.Throughput), float64(run.InSystem))
	fmt.Fprintf(c.out, "%-8s %14s %14s\n", "ms", "latency", "wait")
	keys := []string{"mean"}
	for _, q := range quantiles {
		keys = append(keys, record.QuantileKey(q))
	}
	for _, key := range keys {
		fmt.Fprintf(c.out, "%-8s %14s %14s\n", key, exact(run.Latency.Get(key)), exact(run.Wait.Get(key)))
	}
	fmt.Fprintln(c.out)
	for _, key := range slices.Sorted(maps.Keys(run.Formulas)) {
		fmt.Fprintf(c.out, "%s: %s\n", key, run.Formulas[key])
	}
}

// exact prints a computed value; what has no closed form is a dash.
func exact(v record.Value) string {
	if !v.Known() {
		return "-"
	}
	return fmt.Sprintf("%.6f", float64(v))
}
