package host

import (
	"testing"
	"time"
)

// What a busy thread uses is counted, and what one that sleeps does not use is not.
func TestUsage(t *testing.T) {
	before := Used()
	if !before.Known {
		t.Skip("this system does not tell")
	}
	for began, n := time.Now(), 0; Used().Since(before).User < 50*time.Millisecond; n++ {
		if time.Since(began) > 20*time.Second {
			t.Fatalf("20 s of work are counted as %+v", Used().Since(before))
		}
	}
	worked := Used()
	time.Sleep(200 * time.Millisecond)
	if slept := Used().Since(worked); slept.User+slept.System > 150*time.Millisecond {
		t.Errorf("200 ms of sleep are counted as %+v", slept)
	}
}
