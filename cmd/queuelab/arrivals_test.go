package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"queuelab/measure/record"
)

// offeredBy is what a command that prints JSON says of its run.
func offeredBy(t *testing.T, line string) (run struct {
	Workload record.Workload `json:"workload"`
	Requests record.Counts   `json:"requests"`
}) {
	t.Helper()
	status, stdout, stderr := execute(t, context.Background(), append(strings.Fields(line), "-json")...)
	if status != statusDone {
		t.Fatalf("%s: status %d, stderr %q", line, status, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), &run); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return run
}

// A trace is sent to its end, however long it is, unless a flag says otherwise.
func TestRecordedArrivalsSettleRateAndLength(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gaps.txt")
	if err := os.WriteFile(file, []byte(strings.Repeat("1\n", 99)), 0o644); err != nil { // 100 requests, longer than 30 s
		t.Fatal(err)
	}
	for flags, want := range map[string]struct {
		scheduled     int64
		rate, seconds float64
	}{
		"":                       {100, 1, 100},
		"-rate 10":               {100, 10, 10},
		"-seconds 50":            {50, 1, 50},
		"-requests 7":            {7, 1, 0},
		"-rate 2 -seconds 100":   {100, 2, 100},
		"-rate 2 -requests 1000": {100, 2, 0},
	} {
		run := offeredBy(t, "simulate -open -service det:1ms -arrivals gaps:"+file+" "+flags)
		w := run.Workload
		if run.Requests.Scheduled != want.scheduled || w.Rate != want.rate || w.Seconds != want.seconds {
			t.Errorf("%q: %d requests at %v/s in %v s, want %+v", flags, run.Requests.Scheduled, w.Rate, w.Seconds, want)
		}
		if w.Arrivals != "gaps:"+file || len(w.ArrivalsSHA256) != 64 {
			t.Errorf("%q: arrivals %q, hash %q", flags, w.Arrivals, w.ArrivalsSHA256)
		}
	}
	if w := offeredBy(t, "simulate -open -rate 10 -requests 5 -service det:1ms -even -arrivals even").Workload; w.Arrivals != "even" {
		t.Errorf("-even -arrivals even are %q arrivals", w.Arrivals)
	}
}

// The same seed offers the same in both worlds: the instants of an open run, and of
// sessions their arrivals and how many requests they have.
func TestBothWorldsOfferTheSame(t *testing.T) {
	url := knownServer(t, "exp:500us")
	file := filepath.Join(t.TempDir(), "gaps.txt")
	if err := os.WriteFile(file, []byte(strings.Repeat("0.004\n8ms\n", 25)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flags := range []string{
		"-arrivals gamma:4 -rate 500 -requests 100",
		"-arrivals hyper:4 -rate 500 -requests 100",
		"-arrivals gaps:" + file + " -requests 10000",
		"-session 1 -rate 500 -requests 100",
		"-session 3 -think exp:2ms -requests 10000 -arrivals gaps:" + file,
	} {
		flags += " -open -seed 5 -out "
		measured, simulated := filepath.Join(t.TempDir(), "measured"), filepath.Join(t.TempDir(), "simulated")
		offeredBy(t, "bench -url "+url+" "+flags+measured)
		offeredBy(t, "simulate -service exp:500us "+flags+simulated)
		a, b := scheduledIn(t, measured), scheduledIn(t, simulated)
		if len(a) != len(b) || len(a) < 50 {
			t.Errorf("%s: %d requests measured, %d simulated", flags, len(a), len(b))
		}
		// The later requests of sessions are due after answers.
		a = slices.DeleteFunc(a, func(at time.Duration) bool { return !slices.Contains(b, at) })
		if len(a) < 51 || !strings.Contains(flags, "-think") && len(a) != len(b) {
			t.Errorf("%s: %d of %d instants are the same in both worlds", flags, len(a), len(b))
		}
	}
}

// scheduledIn are the instants at which the requests of a kept run were due.
func scheduledIn(t *testing.T, folder string) (out []time.Duration) {
	t.Helper()
	if err := record.ReadRunRequests(folder, func(r *record.Request) { out = append(out, r.Scheduled) }); err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}
