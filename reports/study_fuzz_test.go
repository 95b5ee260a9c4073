package reports

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// FuzzParse: whatever the bytes, Parse returns a study that keeps its own
// rules or an error that names the file, and never panics.
func FuzzParse(f *testing.F) {
	for _, name := range Builtin() {
		text, err := os.ReadFile(filepath.Join(name, "study.yaml"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(minimal))
	f.Add([]byte(whole))
	f.Add([]byte(trials))
	f.Add([]byte(generators))
	problem := regexp.MustCompile(`^s\.yaml(:[0-9]+)?: \S`)
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Parse("s.yaml", text)
		if err != nil {
			if s != nil || !problem.MatchString(err.Error()) {
				t.Fatalf("study %v with error %q", s, err)
			}
			return
		}
		if s.Name == "" || s.Title == "" || s.Question == "" || !(s.Margin > 0 && s.Margin <= 1) || len(s.Hash) != 64 {
			t.Fatalf("accepted without its head: %+v", s)
		}
		if len(s.Targets) == 0 != s.peersAlone() || len(s.Experiments) == 0 || len(s.Profiles) == 0 {
			t.Fatalf("accepted with nothing to do: %+v", s)
		}
		for _, target := range s.Targets {
			ways := 0
			for _, set := range []bool{target.Lab != "", target.Serve != nil, target.Driver != ""} {
				if set {
					ways++
				}
			}
			if ways != 1 || slug(target.Name) == "" {
				t.Fatalf("accepted the target %+v", target)
			}
		}
		for _, e := range s.Experiments {
			for name, p := range s.Profiles {
				if e.Kind == TrialKind && (len(e.Clients) != 1 || len(e.Endpoints) == 0 || p.Trial < minRun || p.Reps < minTrialRuns) {
					t.Fatalf("accepted the trial %+v, of which profile %s measures nothing", e, name)
				}
				if e.predicted() && p.Calibrate < minRun {
					t.Fatalf("accepted profile %s without a calibration for %+v", name, e)
				}
				if e.Kind == OpenKind && (len(p.Loads(e)) == 0 || p.Open < minRun) || e.Kind == ClosedKind && (len(e.Clients) == 0 || p.Closed < minRun) {
					t.Fatalf("accepted the experiment %+v, of which profile %s measures nothing", e, name)
				}
				if e.ofPeers() && (p.peerLength(e.Kind) < time.Second || !slices.Contains(e.Tools, ourselves) || len(e.Clients)+len(e.Rates) == 0) {
					t.Fatalf("accepted the comparison %+v, of which profile %s measures nothing", e, name)
				}
			}
			if len(e.Targets) == 0 != e.ofPeers() || slug(e.Title) == "" {
				t.Fatalf("accepted the experiment %+v", e)
			}
			for _, p := range e.Endpoints {
				if slug(p.Name) == "" || !strings.HasPrefix(p.Path, "/") {
					t.Fatalf("accepted the endpoint %+v", p)
				}
			}
		}
	})
}
