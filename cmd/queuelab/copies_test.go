package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"queuelab/measure/record"
)

// Copies are counted and told wherever requests can be sent again.
func TestCopiesAreTold(t *testing.T) {
	url := knownServer(t, "det:200ms")
	for _, line := range []string{
		"bench -closed -clients 1 -requests 2 -retry 50ms -copies 2 -url " + url,
		"simulate -closed -clients 1 -requests 2 -retry 50ms -copies 2 -service det:200ms",
	} {
		status, stdout, stderr := execute(t, context.Background(), strings.Fields(line)...)
		if status != statusDone || !strings.Contains(stdout, ", again after 50ms up to 2 copies, ") || !strings.Contains(stdout, "\ncopies 4 (2.00 a request)\n") {
			t.Errorf("%s: status %d, printed %q, %s; want 4 copies", line, status, stdout, stderr)
		}
		status, stdout, stderr = execute(t, context.Background(), append(strings.Fields(line), "-json")...)
		var run record.Run
		if err := json.Unmarshal([]byte(stdout), &run); status != statusDone || err != nil {
			t.Fatalf("%s: status %d, %s, %v", line, status, stderr, err)
		}
		if n := run.Requests; n.Answered != 2 || n.Copies != 4 || run.Workload.Retry != 0.05 || run.Workload.Copies != 2 {
			t.Errorf("%s: %+v of the workload %+v, want 4 copies", line, n, run.Workload)
		}
	}
	// Requests that were sent once have nothing to tell.
	status, stdout, _ := execute(t, context.Background(), strings.Fields("simulate -open -rate 10 -seconds 5 -service det:1ms -retry 1s -timeout 2s")...)
	if status != statusDone || strings.Contains(stdout, "\ncopies ") || !strings.Contains(stdout, ", timeout 2s, again after 1s up to 3 copies, ") {
		t.Errorf("status %d, printed %q", status, stdout)
	}
}

// A sweep can send again too.
func TestSweepWithRetries(t *testing.T) {
	url := knownServer(t, "det:20ms")
	status, stdout, stderr := execute(t, context.Background(), strings.Fields("sweep -seconds 1 -clients 1 -retry 5ms -copies 2 -url "+url)...)
	if status != statusDone || strings.TrimSpace(stdout) == "" {
		t.Errorf("status %d, %q, %s", status, stdout, stderr)
	}
}

// What is said of stability is as certain as what is known of it.
func TestStabilityLine(t *testing.T) {
	for line, says := range map[string]string{
		"-open -rate 100 -service exp:5ms":                               "",
		"-open -rate 300 -service det:5ms":                               "unstable: latency grows by 500 ms each second",
		"-open -rate 300 -service det:5ms -timeout 1s":                   "unstable: more work is sent than can be done, so ever more requests time out",
		"-open -rate 300 -service det:5ms -discipline ps":                "unstable: more work is sent than can be done",
		"-open -rate 100 -service det:5ms -retry 200ms -timeout 1s":      "not known to be stable",
		"-open -rate 50 -service det:5ms -stall freeze:100ms/1s":         "",
		"-open -rate 190 -service det:5ms -stall freeze:500ms/1s":        "unstable: ",
		"-closed -clients 4 -service det:5ms -discipline accept:2":       "",
		"-closed -clients 400 -service det:5ms -retry 100ms -timeout 1s": "not known to be stable",
		"-closed -clients 4 -service det:5ms -retry 1s -discipline ps":   "",
	} {
		status, stdout, stderr := execute(t, context.Background(), strings.Fields("simulate -seconds 2 "+line)...)
		if status != statusDone {
			t.Errorf("%s: status %d, %s", line, status, stderr)
		}
		known := strings.Contains(stdout, "stable")
		if !strings.Contains(stdout, "\n"+says) || known != (says != "") {
			t.Errorf("%s: printed %q, want it to say %q", line, stdout, says)
		}
	}
}
