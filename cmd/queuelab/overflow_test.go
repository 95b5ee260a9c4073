package main

import (
	"context"
	"strings"
	"testing"
)

// Times beyond a histogram's range are told, not silently clamped.
func TestOverflowIsShown(t *testing.T) {
	args := strings.Fields("simulate -open -rate 0.000001 -even -requests 3 -service det:2h -drain 100h")
	status, stdout, stderr := execute(t, context.Background(), args...)
	if status != statusDone || !strings.Contains(stdout, "3 answers took longer than an hour") {
		t.Errorf("status %d, printed %q, stderr %q", status, stdout, stderr)
	}
}
