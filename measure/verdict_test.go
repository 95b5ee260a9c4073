package measure_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"queuelab/measure"
	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// These tests cause in truth what a verdict warns of. What else a busy machine does to
// a run is left open: they ask for the reason, and that the verdict is no better than
// it. A machine that is too busy to tell is given three tries.

// judged takes a run, and asks that its verdict has a reason with the words.
func judged(t *testing.T, p measure.Plan, verdict, says string) *record.Run {
	t.Helper()
	return judgedRun(t, verdict, says, func() *record.Run {
		run, err := measure.Take(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return run
	})
}

// judgedRun asks the same of a run that is taken in another way.
func judgedRun(t *testing.T, verdict, says string, take func() *record.Run) *record.Run {
	t.Helper()
	for try := 1; ; try++ {
		run := take()
		if run.Validity == nil {
			t.Fatal("nobody judged the run")
		}
		reasons := strings.Join(run.Validity.Reasons, "\n")
		if strings.Contains(reasons, "accounting") || strings.Contains(reasons, "%!") {
			t.Fatalf("the reasons are\n%s", reasons)
		}
		if record.Worst(run.Verdict(), verdict) == run.Verdict() && strings.Contains(reasons, says) {
			return run
		}
		if try == 3 {
			t.Fatalf("%s, want %s or worse with %q:\n%s", run.Verdict(), verdict, says, reasons)
		}
	}
}

func nothing(http.ResponseWriter, *http.Request) {}

// A rate that one core cannot send.
func TestVerdictOnARateThatCannotBeReached(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	server := httptest.NewServer(http.HandlerFunc(nothing))
	defer server.Close()
	p := plan(server.URL, workload.Workload{Open: true, Rate: 1e7, Requests: 3000, Seed: 1})
	p.Options.Connections = 8 // the others wait for their turn, after they were sent
	run := judged(t, p, record.Invalid, "it cannot keep this rate; lower -rate or give it more CPUs")
	if s := run.Sending; s.Due != 3000 || s.Sent > 2850 {
		t.Errorf("%d of %d requests were sent within 0.3 ms", s.Sent, s.Due)
	}
}

// A server that becomes slower, but keeps up.
func TestVerdictOnAServerThatSlowsDown(t *testing.T) {
	var start atomic.Pointer[time.Time]
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if at := start.Load(); at != nil {
			time.Sleep(5*ms + time.Since(*at)/30)
		}
	}))
	defer server.Close()
	p := plan(server.URL, workload.Workload{Open: true, Rate: 200, Length: 1500 * ms, Seed: 1})
	p.Started = func(at time.Time) { start.Store(&at) }
	judged(t, p, record.Suspect, "latency is not steady")
}

// A server that is offered half as much again as it can do.
func TestVerdictOnAnOverload(t *testing.T) {
	s := knownServer(t, law.NewDeterministic(0.005), 1)
	run := judged(t, plan(s.URL(), workload.Workload{Open: true, Rate: 300, Length: time.Second, Seed: 1}), record.Suspect, "overloaded: latency grows by")
	// (ρ − 1) s each second, when timers are on time.
	if growth := float64(run.Growth); run.Stable == nil || *run.Stable || !(growth > 200 && growth < 2000) {
		t.Errorf("stable %v, growth %v ms/s; want about 500", run.Stable, growth)
	}
}

// A server that closes connections without a word.
func TestVerdictOnDroppedConnections(t *testing.T) {
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1)%10 != 0 {
			return
		}
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer connection.Close()
		io.WriteString(connection, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	}))
	defer server.Close()
	run := judged(t, plan(server.URL, workload.Workload{Clients: 2, Requests: 300}), record.Suspect, "lost: the server closed without announcing it")
	if run.Connections["lost"] < 10 {
		t.Errorf("some 30 connections were dropped, %v counted", run.Connections)
	}
}

// A server that refuses one request in twenty.
func TestVerdictOnFailures(t *testing.T) {
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1)%20 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	judged(t, plan(server.URL, workload.Workload{Clients: 2, Requests: 200}), record.Suspect, "10 of 200 scheduled requests without an answer (5 %; the limit is 1 %)")
}

// A generator that does not get its CPU sends late, and what was due meanwhile all at
// once: no longer a Poisson process.
func TestVerdictOnAStolenCPU(t *testing.T) {
	judgedRun(t, record.Invalid, "the generator sent late: the p99 of the lag is", func() *record.Run {
		return interruptedGenerator(t, 200*ms, 3)
	})
}

// A schedule whose sends are bunched by many short stops.
func TestVerdictOnSendsThatAreNotPoisson(t *testing.T) {
	judgedRun(t, record.Suspect, "the gaps between sends are not those of Poisson arrivals", func() *record.Run {
		return interruptedGenerator(t, 50*ms, 10)
	})
}

// interruptedGenerator is the run of a generator, a process of its own, that is stopped
// and continued so many times, spread over a run of 1.5 s.
func interruptedGenerator(t *testing.T, stop time.Duration, times int) *record.Run {
	t.Helper()
	s := knownServer(t, law.NewDeterministic(0.001), 4)
	file := filepath.Join(t.TempDir(), "run.json")
	command := exec.Command(os.Args[0], "-test.run=^TestGeneratorProcess$")
	command.Env = append(os.Environ(), generatorURL+"="+s.URL(), generatorRun+"="+file)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer command.Process.Kill()
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); line != "started\n" {
		t.Fatalf("the generator said %q, %v", line, err)
	}
	for range times {
		time.Sleep(1400*ms/time.Duration(times) - stop)
		for _, signal := range []os.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if signal == syscall.SIGSTOP {
				time.Sleep(stop)
			}
		}
	}
	rest, _ := io.ReadAll(lines)
	if err := command.Wait(); err != nil {
		t.Fatalf("%v: %s", err, rest)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	run := record.NewRun(record.Measured)
	if err := json.Unmarshal(text, run); err != nil {
		t.Fatal(err)
	}
	return run
}

// The environment of a generator that is a process of its own: the URL it asks, and the
// file for its run.
const generatorURL, generatorRun = "QUEUELAB_TEST_URL", "QUEUELAB_TEST_RUN"

// TestGeneratorProcess is that process, started by the test above.
func TestGeneratorProcess(t *testing.T) {
	url := os.Getenv(generatorURL)
	if url == "" {
		t.Skip("only for a process of its own")
	}
	p := plan(url, workload.Workload{Open: true, Rate: 400, Length: 1500 * ms, Seed: 3})
	p.Started = func(time.Time) { os.Stdout.WriteString("started\n") }
	run, err := measure.Take(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(os.Getenv(generatorRun), text, 0o600); err != nil {
		t.Fatal(err)
	}
}
