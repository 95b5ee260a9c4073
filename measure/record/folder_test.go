package record_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"queuelab/measure/record"
)

// names are the entries of a folder, hidden ones included.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// written writes n requests into a new folder and returns both.
func written(t *testing.T, dir string, raw bool, n int) (*record.Run, []record.Request) {
	t.Helper()
	folder, err := record.CreateFolder(dir, raw)
	if err != nil {
		t.Fatal(err)
	}
	var kept sink
	c := record.NewCollector(record.Measured, folder, &kept)
	r := rand.New(rand.NewPCG(9, 10))
	for range n {
		q := anything(r)
		c.Add(&q)
	}
	run := c.Run()
	run.Seed = 77
	run.Header = &record.Header{Command: "queuelab bench", SpeedBefore: 1.5, SpeedAfter: record.Unknown()}
	if err := folder.Commit(run, time.Now()); err != nil {
		t.Fatal(err)
	}
	return run, kept
}

func TestFolderReadsBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "er", "run")
	run, kept := written(t, dir, true, 500)
	if got, want := names(t, dir), []string{record.HistogramFile, record.RequestsFile, record.RunFile}; !reflect.DeepEqual(got, want) {
		t.Errorf("the folder holds %v, want %v", got, want)
	}
	if got := names(t, filepath.Dir(dir)); len(got) != 1 {
		t.Errorf("beside the run folder lie %v", got)
	}
	back, err := record.ReadRun(dir)
	if err != nil {
		t.Fatal(err)
	}
	// Unknown values are NaN, which is not equal to itself: compare the text.
	want, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(back); err != nil || !bytes.Equal(got, want) {
		t.Errorf("written %s, read %s, %v", want, got, err)
	}
	var read sink
	if err := record.ReadRunRequests(dir, read.Add); err != nil || !reflect.DeepEqual(read, sink(kept)) {
		t.Errorf("%d requests written, %d read, equal or not: %v", len(kept), len(read), err)
	}
}

// Before Commit nothing bears the final name; what is written lies hidden
// beside it.
func TestFolderIsHiddenUntilCommitted(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "run")
	folder, err := record.CreateFolder(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	folder.Add(&record.Request{Ended: ms, Copies: 1})
	got := names(t, parent)
	if len(got) != 1 || !strings.HasPrefix(got[0], ".run.partial-") {
		t.Errorf("while a run is under way its parent holds %v, want one hidden folder", got)
	}
	if err := folder.Discard(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, parent); len(got) != 0 {
		t.Errorf("after Discard its parent holds %v", got)
	}
}

func TestFolderWithoutRawRecords(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run") + "/"
	written(t, dir, false, 10)
	if got, want := names(t, dir), []string{record.HistogramFile, record.RunFile}; !reflect.DeepEqual(got, want) {
		t.Errorf("the folder holds %v, want %v", got, want)
	}
	err := record.ReadRunRequests(dir, func(*record.Request) {})
	if err == nil || !strings.Contains(err.Error(), "-raw=false") {
		t.Errorf("reading requests that were not kept says %v", err)
	}
}

func TestFolderReplacesAnEmptyOne(t *testing.T) {
	dir := t.TempDir()
	written(t, dir, false, 10)
	if _, err := record.ReadRun(dir); err != nil {
		t.Error(err)
	}
}

func TestCreateFolderRefuses(t *testing.T) {
	full := t.TempDir()
	file := filepath.Join(full, "precious")
	if err := os.WriteFile(file, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ dir, says string }{
		{full, "already holds files"},
		{file, "is not a folder"},
		{filepath.Join(file, "run"), "cannot be"},
		{"", "does not name"},
		{".", "does not name"},
		{"..", "does not name"},
		{"/", "does not name"},
	}
	for _, tt := range tests {
		folder, err := record.CreateFolder(tt.dir, true)
		if err == nil {
			folder.Discard()
			t.Errorf("the folder %q was accepted", tt.dir)
		} else if !strings.Contains(err.Error(), tt.says) {
			t.Errorf("the folder %q is refused with %q, want %q", tt.dir, err, tt.says)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
		t.Errorf("the file that was there is now %q, %v", text, err)
	}
}

// When somebody takes the name during the run, neither their files nor the
// run are lost.
func TestCommitLosesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	folder, err := record.CreateFolder(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	theirs := filepath.Join(dir, "theirs")
	if err := os.MkdirAll(theirs, 0o755); err != nil {
		t.Fatal(err)
	}
	err = folder.Commit(record.NewCollector(record.Measured).Run(), time.Now())
	if err == nil {
		t.Fatal("a folder that holds files was replaced")
	}
	if _, err := os.Stat(theirs); err != nil {
		t.Error(err)
	}
	kept, globErr := filepath.Glob(filepath.Join(filepath.Dir(dir), ".run.partial-*"))
	if globErr != nil || len(kept) != 1 || !strings.Contains(err.Error(), kept[0]) {
		t.Fatalf("the run should stay in the folder that the error names; there are %v and the error is %q", kept, err)
	}
	if _, err := record.ReadRun(kept[0]); err != nil {
		t.Error(err)
	}
}

func TestParseRunRefuses(t *testing.T) {
	tests := []struct{ text, says string }{
		{"", "not a run's summary"},
		{"null", "no schema version"},
		{"{}", "no schema version"},
		{`{"schema":1`, "not a run's summary"},
		{`{"schema":1} x`, "not a run's summary"},
		{`{"schema":"1"}`, "not a run's summary"},
		{`{"schema":1,"elapsed_s":"long"}`, "not a run's summary"},
		{`{"schema":2}`, "use a newer queuelab"},
		{`{"schema":1,"requests":{"scheduled":3,"answered":2}}`, "damaged"},
		{`{"schema":1,"requests":{"scheduled":0,"answered":2,"failed":-2}}`, "damaged"},
		{`{"schema":1,"reps":[null]}`, "damaged"},
		{`{"schema":1,"trial":{},"interrupted":true}`, "none of its runs"},
		{`{"schema":1,"reps":[{"requests":{"scheduled":1}}]}`, "damaged"},
	}
	for _, tt := range tests {
		run, err := record.ParseRun("some/run.json", []byte(tt.text))
		if err == nil {
			t.Errorf("%s accepted as %+v", tt.text, run)
		} else if !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "some/run.json") {
			t.Errorf("%s says %q, want the path and %q", tt.text, err, tt.says)
		}
	}
	if _, err := record.ReadRun(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is not a run folder") {
		t.Errorf("an empty folder says %v", err)
	}
}

// FuzzParseRun asserts that an accepted run's outcomes add up, that it can be shown,
// and that it is written and read again as the same text.
func FuzzParseRun(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) {
		run, err := record.ParseRun("run.json", text)
		if err != nil {
			return
		}
		if !run.Requests.Balanced() {
			t.Fatalf("%s accepted with outcomes %+v", text, run.Requests)
		}
		run.WriteText(io.Discard)
		first, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		again, err := record.ParseRun("run.json", first)
		if err != nil {
			t.Fatalf("%s is written as %s: %v", text, first, err)
		}
		if second, err := json.Marshal(again); err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%s is written as %s and then as %s, %v", text, first, second, err)
		}
	})
}
