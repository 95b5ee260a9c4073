package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// closedPort is an address at which nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Every refusal is one sentence on standard error that says what to do, with
// the exit status that scripts rely on.
func TestRefusals(t *testing.T) {
	dead := closedPort(t)
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "something"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	study := filepath.Join(t.TempDir(), "study.yaml")
	if err := os.WriteFile(study, []byte("name: x\nnonsense: 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	unsorted := filepath.Join(t.TempDir(), "unsorted.txt")
	if err := os.WriteFile(unsorted, []byte("# s\n2\n1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line   string
		status int
		says   string
	}{
		{"", statusUsage, "queuelab bench"},
		{"benhc", statusUsage, `"benhc" is not a command`},
		{"bench", statusUsage, "exactly one of -open and -closed"},
		{"bench -open -closed -rate 1 -clients 1", statusUsage, "exactly one of -open and -closed"},
		{"bench -open", statusUsage, "-open needs -rate"},
		{"bench -closed", statusUsage, "-closed needs -clients"},
		{"bench -open -rate 0", statusUsage, "above zero"},
		{"bench -open -rate -5", statusUsage, "above zero"},
		{"bench -open -rate NaN", statusUsage, "above zero"},
		{"bench -open -rate +Inf", statusUsage, "above zero"},
		{"bench -open -rate fast", statusUsage, "fast"},
		{"bench -closed -clients 0", statusUsage, "at least 1"},
		{"bench -closed -clients -1", statusUsage, "at least 1"},
		{"bench -open -rate 5 -clients 3", statusUsage, "leave -clients out"},
		{"bench -closed -clients 3 -rate 5", statusUsage, "leave -rate out"},
		{"bench -closed -clients 3 -even", statusUsage, "leave -even and -arrivals out"},
		{"bench -open -rate 5 -think 5ms", statusUsage, "leave -think out"},
		{"bench -open -rate 5 -arrivals bursty", statusUsage, `"bursty" is not an arrival law: use poisson, even, gamma:SCV`},
		{"bench -open -rate 5 -arrivals gamma", statusUsage, `"gamma" is not an arrival law`},
		{"bench -open -rate 5 -arrivals gamma:0", statusUsage, "not a number above zero"},
		{"bench -open -rate 5 -arrivals hyper:0.5", statusUsage, "use gamma:0.5"},
		{"bench -open -rate 5 -arrivals poisson:1", statusUsage, "is not an arrival law"},
		{"bench -open -rate 5 -arrivals trace:/nowhere", statusUsage, "/nowhere: no such file"},
		{"bench -open -arrivals gaps:" + unsorted + " -rate 0", statusUsage, "-rate is 0"},
		{"bench -open -arrivals trace:" + unsorted, statusUsage, "unsorted.txt, line 3: the instant 1 is before the one above it"},
		{"bench -open -arrivals gamma:4", statusUsage, "-open needs -rate"},
		{"bench -open -rate 5 -even -arrivals poisson", statusUsage, "-even contradicts -arrivals poisson"},
		{"bench -closed -clients 3 -arrivals poisson", statusUsage, "leave -arrivals out"},
		{"bench -closed -clients 3 -session 3", statusUsage, "leave -session out"},
		{"bench -open -rate 5 -session 0", statusUsage, "at least 1"},
		{"bench -open -rate 5 -session 0.5", statusUsage, "-session a number from 1"},
		{"bench -open -rate 5 -session NaN", statusUsage, "-session a number from 1"},
		{"bench -open -rate 5 -seconds 0", statusUsage, "-seconds"},
		{"bench -open -rate 5 -seconds NaN", statusUsage, "-seconds"},
		{"bench -open -rate 5 -seconds 1e12", statusUsage, "at most 1e+09"},
		{"bench -open -rate 5 -seconds 1e-12 -requests 9", statusUsage, "at least 1e-9"},
		{"bench -closed -clients 2000000", statusUsage, "at most 1000000"},
		{"bench -open -rate 5 -requests 0", statusUsage, "-requests"},
		{"bench -open -rate 5 -timeout 0s", statusUsage, "-timeout"},
		{"bench -open -rate 5 -driver ftp", statusUsage, `no driver "ftp"`},
		{"bench -open -rate 5 -driver postgres -dsn postgres://u:secret@:x/db -sql SELECT", statusUsage, ""},
		{"bench -open -rate 5 -driver postgres", statusUsage, "-sql"},
		{"bench -open -rate 5 -url nowhere", statusUsage, "nowhere"},
		{"bench -open -rate 5 -url http://" + dead + "/", statusUnreachable, "connection refused"},
		{"bench -open -rate 5 -expect 99", statusUsage, "HTTP status"},
		{"bench -open -rate 5 -service 5", statusUsage, "not a duration"},
		{"bench -open -rate 5 -service cauchy:5ms", statusUsage, "is not a law"},
		{"bench -open -rate 5 -lab apache", statusUsage, `no lab "apache"`},
		{"bench -open -rate 5 -lab nginx -url http://x/", statusUsage, "leave -url out"},
		{"bench -open -rate 5 -lab nginx -driver postgres", statusUsage, "leave -driver out"},
		{"bench -open -rate 5 -lab shortener -url http://x/", statusUsage, "give a path of its server"},
		{"bench -open -rate 5 -lab shortener -url healthz", statusUsage, "give a path of its server"},
		{"bench -open -rate 5 -lab shortener -url ", statusUsage, "needs an argument"},
		{"bench -open -rate 5 -lab shortener -dsn host=x", statusUsage, "leave -dsn out"},
		{"bench -open -rate 5 -lab shortener -stall nap:2s/12s", statusUsage, "use freeze or lock"},
		{"bench -open -rate 5 -lab postgres -url /healthz", statusUsage, "leave -url out"},
		{"bench -open -rate 5 -lab postgres -method POST", statusUsage, "takes no Method"},
		{"bench -open -rate 5 -lab nginx -header x", statusUsage, "Name: value"},
		{"sweep -lab postgres -url /healthz", statusUsage, "leave -url out"},
		{"bench -open -rate 5 -retry 0s", statusUsage, "give -retry a duration above zero"},
		{"bench -open -rate 5 -retry -1s", statusUsage, "give -retry a duration above zero"},
		{"bench -open -rate 5 -retry 200", statusUsage, "a duration with its unit"},
		{"bench -open -rate 5 -copies 2", statusUsage, "give -retry too"},
		{"bench -open -rate 5 -retry 200ms -copies 0", statusUsage, "-copies 1 to 255"},
		{"bench -open -rate 5 -retry 200ms -copies 256", statusUsage, "-copies 1 to 255"},
		{"bench -open -rate 5 -retry 200ms -copies x", statusUsage, "-copies"},
		{"bench -open -rate 5 -stall 2s/12s", statusUsage, "-stall needs -lab"},
		{"bench -open -rate 5 -lab nginx -stall lock:2s/12s", statusUsage, "no stall of the kind lock: use freeze"},
		{"bench -open -rate 5 -lab nginx -stall nap:2s/12s", statusUsage, "use freeze or lock"},
		{"bench -open -rate 5 -lab nginx -stall 12s", statusUsage, "freeze:2s/12s"},
		{"bench -open -rate 5 -lab nginx -stall 12s/2s", statusUsage, "its period longer than that"},
		{"bench -open -rate 5 -lab postgres -stall 0s/2s", statusUsage, "above zero"},
		{"bench -open -rate 5 -lab postgres -stall ", statusUsage, "needs an argument"},
		{"bench -open -rate 5 leftover", statusUsage, `"leftover" is left over`},
		{"bench -open -rate 5 -nosuchflag", statusUsage, "nosuchflag"},
		{"simulate -open -rate 5", statusUsage, "-service"},
		{"simulate -open -rate 5 -service exp:0s", statusUsage, "above zero"},
		{"simulate -open -rate 5 -service file:/nowhere", statusUsage, "/nowhere"},
		{"simulate -model M/X/1 -mean 4ms -rate 1", statusUsage, "model"},
		{"simulate -model M/D/1 -mean 4ms -rate 1 -arrivals gamma:4", statusUsage, "leave -arrivals out"},
		{"simulate -model M/D/1 -mean 4ms -rate 1 -session 4", statusUsage, "leave -session out"},
		{"sweep -session 4", statusUsage, "-session"},
		{"simulate -model M/D/1 -rate 1", statusUsage, "-mean"},
		{"simulate -model M/D/1 -mean 4ms -rate 1 -service exp:1s", statusUsage, "leave -service out"},
		{"simulate -open -rate 5 -service exp:5ms -servers 0", statusUsage, "servers"},
		{"simulate -open -rate 5 -service exp:5ms -discipline best", statusUsage, `"best" is not a discipline: use fifo, ps, accept:BACKLOG`},
		{"simulate -open -rate 5 -service exp:5ms -discipline accept:x", statusUsage, "accept"},
		{"simulate -open -rate 5 -service exp:5ms -retry 0s", statusUsage, "give -retry a duration above zero"},
		{"simulate -open -rate 5 -service exp:5ms -copies 2", statusUsage, "give -retry too"},
		{"simulate -open -rate 5 -service exp:5ms -stall 2s", statusUsage, "is no stall"},
		{"simulate -open -rate 5 -service exp:5ms -out " + full, statusUsage, "already holds files"},
		{"simulate -open -rate 5 -service exp:5ms -out .", statusUsage, "does not name"},
		{"bench -open -rate 5 -out " + full, statusUsage, "already holds files"},
		{"simulate -model M/M/1//10 -mean 4ms -think det:50ms", statusUsage, "the law D"},
		{"simulate -model D/M/1//10 -mean 4ms -think exp:50ms", statusUsage, "the law M"},
		{"simulate -model M/M/1//10 -mean 4ms -think erlang:50ms,4", statusUsage, "the law E4"},
		{"theory", statusUsage, "-model"},
		{"theory -model M/D/1 -mean 5", statusUsage, "a duration with its unit such as 5ms"},
		{"theory -model M/D/1 -mean 5ms", statusUsage, "-rate"},
		{"theory -model M/D/1 -mean 5ms -rate NaN", statusUsage, "rate"},
		{"theory -model M/D/1 -mean 5ms -rate 1 -quantiles 1.5", statusUsage, "between 0 and 1"},
		{"sweep -clients 1,x", statusUsage, `"x" is not a number of clients`},
		{"sweep -seconds -1", statusUsage, "-seconds"},
		{"sweep -seconds 1e10", statusUsage, "at most"},
		{"sweep -copies 2", statusUsage, "give -retry too"},
		{"sweep -retry -5ms", statusUsage, "give -retry a duration above zero"},
		{"sweep -lab nginx -stall 2s/12s", statusUsage, "-stall"},
		{"sweep -url http://" + dead + "/", statusUnreachable, "connection refused"},
		{"serve", statusUsage, "-service"},
		{"serve -service exp:5ms -servers 0", statusUsage, "-servers"},
		{"serve -service exp:5ms -addr 999.0.0.1:1", statusFailed, "choose another -addr"},
		{"lab", statusUsage, "nginx or postgres"},
		{"lab apache", statusUsage, "nginx or postgres"},
		{"show", statusUsage, "name the folder of a run"},
		{"show " + full, statusFailed, "is not a run folder"},
		{"report", statusUsage, "article"},
		{"report nosuch", statusUsage, "nosuch"},
		{"report " + study, statusUsage, "nonsense"},
		{"report article -profile slow", statusUsage, "slow"},
		{"report article -out " + full, statusUsage, "already holds files"},
		{"version now", statusUsage, "left over"},
	} {
		t.Run(c.line, func(t *testing.T) {
			status, stdout, stderr := execute(t, context.Background(), strings.Fields(c.line)...)
			if stdout != "" && c.status == statusUsage {
				t.Errorf("standard output holds %q", stdout)
			}
			if status != c.status {
				t.Errorf("exit status %d, want %d", status, c.status)
			}
			if !strings.Contains(stderr, c.says) {
				t.Errorf("standard error %q does not say %q", stderr, c.says)
			}
			// A study is refused with a line for each of its faults.
			if c.line != "" && !strings.HasSuffix(c.line, ".yaml") && strings.Count(stderr, "\n") != 1 {
				t.Errorf("standard error is not one line: %q", stderr)
			}
			for _, word := range []string{"goroutine", "panic", "secret", "%!"} {
				if strings.Contains(stderr, word) {
					t.Errorf("standard error holds %q: %q", word, stderr)
				}
			}
		})
	}
}

// A missing program is a sentence with the command that installs it.
func TestMissingProgram(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	status, _, stderr := execute(t, context.Background(), "bench", "-lab", "nginx", "-open", "-rate", "5", "-seconds", "1")
	if status == statusDone {
		t.Skip("nginx was found outside PATH")
	}
	if status != statusUnreachable || !strings.Contains(stderr, "apt-get install") {
		t.Errorf("exit status %d, %q; want %d and the command that installs nginx", status, stderr, statusUnreachable)
	}
}

func TestHelpOfEveryVerb(t *testing.T) {
	for _, v := range verbs() {
		status, stdout, stderr := execute(t, context.Background(), v.name, "-h")
		if status != statusDone || !strings.Contains(stdout, "usage: queuelab "+v.name) || stderr != "" {
			t.Errorf("%s -h: status %d, stdout %q, stderr %q", v.name, status, stdout, stderr)
		}
	}
}
