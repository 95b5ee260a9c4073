package reports

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

const whole = `name: shop-1
title: A shop
question: >-
  How long does
  a page take?
margin: 12.5%
seed: 42
targets:
  - name: nginx
    lab: nginx
  - {name: Known, serve: "erlang:5ms,4", servers: 2}
  - name: page
    driver: http
    url: http://127.0.0.1:8080/
    method: PUT
    body: '{"a": 1}'
    header: ["Accept: text/plain", "X-Key: v"]
    expect: [200, 302]
    connections: 7
  - name: query
    driver: postgres
    dsn: postgres://me:secret@127.0.0.1/shop
    sql: |
      SELECT *
      FROM t WHERE id = $1
experiments:
  - kind: closed
    clients: [8, 1, 4]
  - kind: open
    title: Even arrivals
    loads: [0.8, 0.4, 1.1]
    even: true
    targets: [nginx, Known]
    together: true
profiles:
  quick: {calibrate: 4s, closed: 3s, open: 500ms, reps: 3, warmup: 250ms, max_load: 1.2}
  tiny: {calibrate: 1s, closed: 1s, open: 1s}
`

func TestParseReadsEverything(t *testing.T) {
	s, err := Parse("shop.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Hash, fmt.Sprintf("%x", sha256.Sum256([]byte(whole))); got != want {
		t.Errorf("Hash = %s, want %s", got, want)
	}
	if law := s.Targets[1].Serve; law == nil || law.Mean() != 0.005 || law.SCV() != 0.25 {
		t.Errorf("Serve = %v, want an Erlang law of mean 5 ms and 4 stages", law)
	}
	s.Hash, s.Targets[1].Serve = "", nil
	all := []string{"nginx", "Known", "page", "query"}
	want := &Study{
		Name: "shop-1", Title: "A shop", Question: "How long does a page take?", Margin: 0.125, Seed: 42,
		Targets: []Target{
			{Name: "nginx", Lab: "nginx"},
			{Name: "Known", Servers: 2},
			{
				Name: "page", Driver: "http", URL: "http://127.0.0.1:8080/", Method: "PUT", Body: `{"a": 1}`,
				Header: []string{"Accept: text/plain", "X-Key: v"}, Expect: []int{200, 302}, Connections: 7,
			},
			{Name: "query", Driver: "postgres", DSN: "postgres://me:secret@127.0.0.1/shop", SQL: "SELECT *\nFROM t WHERE id = $1"},
		},
		Experiments: []Experiment{
			{Kind: ClosedKind, Title: "Latency and throughput against clients", Clients: []int{1, 4, 8}, Targets: all},
			{Kind: OpenKind, Title: "Even arrivals", Loads: []float64{0.4, 0.8, 1.1}, Even: true, Targets: []string{"nginx", "Known"}, Together: true},
		},
		Profiles: map[string]Profile{
			"quick": {Calibrate: 4 * time.Second, Closed: 3 * time.Second, Open: 500 * time.Millisecond, Reps: 3, Warmup: 250 * time.Millisecond, MaxLoad: 1.2, Scale: 1, ScenarioReps: 1},
			"tiny":  {Calibrate: time.Second, Closed: time.Second, Open: time.Second, Reps: 1, MaxLoad: 1, Scale: 1, ScenarioReps: 1},
		},
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
}

func TestSilentKeysHaveDefaults(t *testing.T) {
	s, err := Parse("s.yaml", []byte(minimal))
	if err != nil {
		t.Fatal(err)
	}
	if s.Margin != 0.1 || s.Seed != 1 {
		t.Errorf("margin %g and seed %d, want 0.1 and 1", s.Margin, s.Seed)
	}
	if got := s.Targets[0].Servers; got != 1 {
		t.Errorf("%d servers, want 1", got)
	}
}

func TestProfiles(t *testing.T) {
	s, err := Parse("shop.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	open := s.Experiments[1]
	for name, want := range map[string][]float64{"quick": {0.4, 0.8, 1.1}, "tiny": {0.4, 0.8}} {
		p, err := s.Profile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Loads(open); !reflect.DeepEqual(got, want) {
			t.Errorf("profile %s measures %v, want %v", name, got, want)
		}
	}
	_, err = s.Profile("paper")
	if err == nil || !strings.Contains(err.Error(), `no profile "paper"`) || !strings.Contains(err.Error(), "quick, tiny") {
		t.Errorf("a missing profile gives %v", err)
	}
}

func TestBuiltinStudies(t *testing.T) {
	names := Builtin()
	if !reflect.DeepEqual(names, []string{"article", "baseline", "demo", "example", "peers"}) {
		t.Fatalf("Builtin() = %v", names)
	}
	for _, name := range names {
		s, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if s.Name != name {
			t.Errorf("the study %s calls itself %s", name, s.Name)
		}
		for _, profile := range profileNames {
			p, err := s.Profile(profile)
			if err != nil {
				t.Error(err)
			}
			if profile == "quick" && p.Reps < 2 {
				t.Errorf("the quick profile of %s repeats nothing, so it has no verdicts", name)
			}
		}
		file, err := os.ReadFile(filepath.Join(name, "study.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if fromFile, err := Load(filepath.Join(name, "study.yaml")); err != nil || !reflect.DeepEqual(fromFile, s) {
			t.Errorf("the file of %s (%d bytes) and its embedded copy differ: %v", name, len(file), err)
		}
	}
}

func TestLoadRefusesWhatIsNoStudyFile(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.yaml")
	if err := os.WriteFile(large, []byte(strings.Repeat("# nothing\n", 10_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"artcle":                         `no built-in study and no file called artcle; did you mean "article"?`,
		"zzzzzzzzz":                      "use one of article, baseline, demo, example, peers",
		filepath.Join(dir, "no", "file"): "there is no study file",
		dir:                              "is a folder; name the study file in it",
		large:                            "more than 64 KiB",
	} {
		_, err := Load(name)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Load(%q) gives %v, want %q in it", name, err, want)
		}
	}
}
