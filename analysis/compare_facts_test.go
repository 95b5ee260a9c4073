package analysis

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"queuelab/measure/host"
	"queuelab/measure/record"
)

// described is a trial with all that a header says.
func described() *record.Run {
	r := trialOf(1, 2, 3, 4)
	r.Target = "GET http://127.0.0.1:9100/page.txt"
	r.Workload = record.Workload{Loop: "closed", Clients: 2, Seconds: 5}
	r.Header = &record.Header{
		Version: "0.1.0", Commit: "abc1234", Go: "go1.26.8", Tree: "commit abc1234, branch main, clean",
		Host: host.Machine{
			System: "linux/amd64", CPUModel: "Imaginary 9000", Kernel: "6.1", LoadAverage: "0.1 0.1 0.1",
			StealSoFar: "1 s", GoVersion: "go1.26.8", GoMaxProcs: 2, Mitigations: []string{"mds: fine", "l1tf: fine"},
		},
		Server: map[string]string{"placement": "pinned to CPU 1", "version": "nginx/1.22.1", "configuration": "daemon off;\nlisten 127.0.0.1:9100;\n"},
	}
	return r
}

// fromFile is a run as it comes back from a run folder.
func fromFile(t *testing.T, r *record.Run) *record.Run {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	out, err := record.ParseRun("run.json", text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDifferences(t *testing.T) {
	machine := func(r *record.Run, change func(*host.Machine)) {
		m := r.Header.Host.(host.Machine)
		change(&m)
		r.Header.Host = m
	}
	for _, c := range []struct {
		name   string
		change func(r *record.Run)
		want   []string
	}{
		{"nothing", func(*record.Run) {}, nil},
		{"seed", func(r *record.Run) { r.Seed = 99 }, nil},
		{"load and steal", func(r *record.Run) {
			machine(r, func(m *host.Machine) { m.LoadAverage, m.StealSoFar = "9 9 9", "70 s" })
		}, nil},
		{"a lab's port", func(r *record.Run) {
			r.Target = "GET http://127.0.0.1:9101/page.txt"
			r.Header.Server["configuration"] = "daemon off;\nlisten 127.0.0.1:9101;\n"
		}, nil},
		{"kernel", func(r *record.Run) { machine(r, func(m *host.Machine) { m.Kernel = "6.2" }) }, []string{"machine, kernel: A 6.1, B 6.2"}},
		{"processors of the generator", func(r *record.Run) { machine(r, func(m *host.Machine) { m.GoMaxProcs = 1 }) }, []string{"machine, gomaxprocs: A 2, B 1"}},
		{"one mitigation", func(r *record.Run) {
			machine(r, func(m *host.Machine) { m.Mitigations = []string{"mds: off", "l1tf: fine"} })
		}, []string{"machine, mitigations: A mds: fine; B mds: off"}},
		{"program", func(r *record.Run) { r.Header.Version, r.Header.Commit = "0.2.0", "def" }, []string{"queuelab: A 0.1.0, B 0.2.0", "commit: A abc1234, B def"}},
		{"compiler", func(r *record.Run) { r.Header.Go = "go1.27" }, []string{"generator built with: A go1.26.8, B go1.27"}},
		{"target", func(r *record.Run) { r.Target = "GET http://x/" }, []string{"target: A GET http://127.0.0.1:…/page.txt, B GET http://x/"}},
		{"the port of a server that is no lab's", func(r *record.Run) {
			r.Target = "GET http://127.0.0.1:9101/page.txt"
			delete(r.Header.Server, "placement")
		}, []string{"target: A GET http://127.0.0.1:…/page.txt, B GET http://127.0.0.1:9101/page.txt", "server, configuration: A listen 127.0.0.1:…;; B listen 127.0.0.1:9100;", "server, placement: A pinned to CPU 1, B not said"}},
		{"workload", func(r *record.Run) { r.Workload.Clients, r.Workload.Timeout = 4, 0.5 }, []string{"workload, clients: A 2, B 4", "workload, timeout s: A not said, B 0.5"}},
		{"one line of the configuration", func(r *record.Run) {
			r.Header.Server["configuration"] = "daemon off;\ngzip on;\nlisten 127.0.0.1:9100;\n"
		}, []string{"server, configuration: B alone has gzip on;"}},
		{"another server", func(r *record.Run) { r.Header.Server["version"] = "nginx/1.27" }, []string{"server, version: A nginx/1.22.1, B nginx/1.27"}},
		{"rows", func(r *record.Run) { r.Header.Rows = &record.Rows{Table: "links", Before: 7} }, []string{"rows of links before: A not said, B 7"}},
		{"built from changes", func(r *record.Run) { r.Header.Commit = "abc1234-dirty" }, []string{
			"commit: A abc1234, B abc1234-dirty", "B: the program was built from uncommitted changes, which its commit does not tell"}},
		{"measured among changes", func(r *record.Run) { r.Header.Tree = "commit abc1234, branch main, 1 uncommitted change: M a.go" }, []string{
			"working tree: A commit abc1234, branch main, clean, B commit abc1234, branch main, 1 uncommitted change: M a.go",
			"B: measured in a working tree with uncommitted changes, which its commit does not tell"}},
		{"simulated", func(r *record.Run) { r.Source, r.Model = record.Simulated, "M/D/1" }, []string{"source: A measured, B simulated", "model: A not said, B M/D/1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := described(), described()
			c.change(b)
			// What a folder holds and what a program just measured compare alike.
			if got := Differences(fromFile(t, a), b); !slices.Equal(got, c.want) {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
}

// Both sides are named when both are dirty, although they do not differ.
func TestUncommittedChangesOnBothSides(t *testing.T) {
	a, b := described(), described()
	a.Header.Commit, b.Header.Commit = "abc-dirty", "abc-dirty"
	want := []string{"A and B: the program was built from uncommitted changes, which its commit does not tell"}
	if got := Differences(a, b); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDifferencesWithoutAHeader(t *testing.T) {
	a, b := described(), described()
	b.Header = nil
	got := strings.Join(Differences(a, b), "\n")
	for _, want := range []string{"queuelab: A 0.1.0, B not said", "machine, kernel: A 6.1, B not said"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
	b.Header = &record.Header{Host: []any{"not", "an", "object"}}
	if got := Differences(b, b); len(got) != 0 {
		t.Errorf("a run differs from itself: %q", got)
	}
}

func TestContrastIsShort(t *testing.T) {
	many := strings.Repeat("line\nother\n", 500)
	long := strings.Repeat("ü", 10_000)
	for _, pair := range [][2]string{{many + "x\ny\nz", long}, {long, ""}, {"a\nb", "b\na"}, {"", "x"}} {
		if got := contrast(pair[0], pair[1]); len([]rune(got)) > 500 || strings.Contains(got, "\n") {
			t.Errorf("%d runes: %.200q", len([]rune(got)), got)
		}
	}
	if got := contrast("a\nb", "b\na"); got != "the same lines in another order" {
		t.Errorf("says %q", got)
	}
}

func TestDoubts(t *testing.T) {
	unstable := false
	a, b := trialOf(100, 101, 102, 103), trialOf(200, 201, 202, 203)
	a.Reps[1].Interrupted = true
	a.Interrupted = true
	b.Reps[0].Stable = &unstable
	b.Reps[2].Validity = &record.Validity{Verdict: "SUSPECT", Reasons: []string{"the rate was missed"}}
	b.Trial = &record.Trial{Warnings: []string{"run 1 stands apart"}}
	b.Requests.Answered -= 400
	got := Compare(a, b, throughputAlone).Doubts
	want := []string{
		"run 2 of A was interrupted: its figures cover what was measured until then",
		"run 1 of B has no steady state: its figures depend on how long it was",
		"run 3 of B is SUSPECT: the rate was missed",
		"B: run 1 stands apart",
		"not answered: A 0 of 4000 requests (0.0 %), B 400 of 4000 requests (10.0 %); no latency counts what was not answered, so that B, which fails more, is no better for being faster",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	// The slower side that fails more needs no such word.
	back := Compare(trialOf(100, 101, 102, 103), b, throughputAlone)
	b.Requests, a.Requests.Answered = a.Requests, a.Requests.Answered-4
	if got := Compare(a, b, throughputAlone).Doubts; !strings.HasSuffix(got[len(got)-1], "no latency counts what was not answered") || len(back.Doubts) == 0 {
		t.Errorf("got %q", got)
	}
	cut := trialOf(1, 2)
	cut.Interrupted = true
	if got := Compare(cut, trialOf(1, 2), throughputAlone).Doubts; !slices.Equal(got, []string{"A was interrupted before all its runs were taken"}) {
		t.Errorf("got %q", got)
	}
	single := record.NewRun(record.Measured)
	single.Interrupted = true
	if got := Compare(single, trialOf(1, 2), throughputAlone).Doubts; !slices.Equal(got[:1], []string{"A was interrupted: its figures cover what was measured until then"}) {
		t.Errorf("got %q", got)
	}
}
