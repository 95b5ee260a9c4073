package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// errorRates is the variable that asks for the error rates, which take minutes.
const errorRates = "QUEUELAB_ERROR_RATES"

// How often compare errs: on 40 comparisons of a server with itself at most 4 may
// show a difference, and of 40 with a service time that is 5 % longer at least 36
// must. Chance alone shows one of the same in 3.2 % of all comparisons of five
// runs with five, and so in more than 4 of 40 with a probability of 0.8 %.
const (
	comparisons = 40
	mostWrong   = 4
	fewestFound = 36
)

// shortRun is half a second on the known-answer server, which keeps its one place
// busy: throughput is one over its service time.
const shortRun = "bench -closed -clients 2 -seconds 0.5 -url "

// TestErrorRates compares with real processes throughout: the server, the
// comparisons, and the ten runs of each.
func TestErrorRates(t *testing.T) {
	if os.Getenv(errorRates) == "" {
		t.Skipf("make error-rates takes some ten minutes; %s is not set", errorRates)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Minute)
	defer cancel()
	url := servedBy(t, ctx)
	for _, c := range []struct {
		name, b string
		fits    func(shown int) bool
	}{
		{"A/A, the same service time", url, func(shown int) bool { return shown <= mostWrong }},
		{"A/B, a service time 5 % longer", url + "?service=5.25ms", func(shown int) bool { return shown >= fewestFound }},
	} {
		begun, slower, faster := time.Now(), 0, 0
		for i := range comparisons {
			verdict := compareOnce(t, ctx, url, c.b)
			switch verdict {
			case "slower":
				slower++
			case "faster":
				faster++
			}
			t.Logf("%s: %d of %d: %s; so far slower %d, faster %d", c.name, i+1, comparisons, verdict, slower, faster)
		}
		t.Logf("%s: of %d comparisons of 5 + 5 runs B is slower in %d and faster in %d (%v)", c.name, comparisons, slower, faster, time.Since(begun).Round(time.Second))
		shown := slower + faster
		if strings.Contains(c.b, "service") {
			shown = slower // to call it faster is no find
		}
		if !c.fits(shown) {
			t.Errorf("%s: a difference is shown in %d of %d comparisons; at most %d may show one of the same, at least %d must find the other", c.name, shown, comparisons, mostWrong, fewestFound)
		}
	}
}

// servedBy starts the known-answer server as a process and returns its URL.
func servedBy(t *testing.T, ctx context.Context) string {
	t.Helper()
	server := programCommand(ctx, "serve", "-service", "det:5ms", "-addr", "127.0.0.1:0")
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Signal(os.Interrupt)
		server.Wait()
	})
	said, err := bufio.NewReader(out).ReadString('\n')
	url, _, found := strings.Cut(said, " ")
	if err != nil || !found {
		t.Fatalf("the server said %q, %v", said, err)
	}
	return url
}

// compareOnce is the verdict of one comparison of throughputs, five runs of each.
func compareOnce(t *testing.T, ctx context.Context, a, b string) string {
	t.Helper()
	compare := programCommand(ctx, "compare", "-json", "-quantity", "throughput",
		"-a", fmt.Sprintf("%s'%s'", shortRun, a), "-b", fmt.Sprintf("%s'%s'", shortRun, b))
	text, err := compare.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got comparison
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.RunsA != 5 || got.RunsB != 5 || got.Order != "ABBAABBAAB" || len(got.Quantities) != 1 {
		t.Fatalf("%s", text)
	}
	return got.Quantities[0].Verdict
}

// programCommand is this test program as queuelab.
func programCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	return cmd
}
